import Foundation

/// The codes of the batches that the API makes. They follow from a batch's secret, so that the store
/// keeps one row for thousands of them.
///
/// A code has 18 characters: three for its number in the batch, by which it is found, and fifteen of a
/// digest, which nobody guesses.
package struct OneTimeUseCodes: Sendable {
    private static let numberLength = 3
    private static let secretLength = 15

    private let digest: @Sendable (Data) -> Data

    /// - Parameter digest: SHA-256.
    package init(digest: @escaping @Sendable (Data) -> Data) {
        self.digest = digest
    }

    package static let length = numberLength + secretLength

    /// All codes of a batch, one on each line.
    package func list(of batch: KeptResource) -> Data {
        var text = Data()
        guard let secret = batch.secret else { return text }
        for number in 0..<batch.codeCount {
            text.append(contentsOf: code(number, secret).utf8)
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    /// Whether a batch has a code.
    func contains(_ code: String, in batch: KeptResource) -> Bool {
        guard let secret = batch.secret else { return false }
        var number = 0
        for letter in code.utf8.prefix(Self.numberLength) {
            guard let digit = LegibleCode.letters.firstIndex(of: letter) else { return false }
            number = number << 5 | digit
        }
        return number < batch.codeCount && code == self.code(number, secret)
    }

    private func code(_ number: Int, _ secret: String) -> String {
        let digits = (1...Self.numberLength).map { place in
            UInt8(truncatingIfNeeded: number >> (5 * (Self.numberLength - place)))
        }
        let rest = digest(Data("\(secret) \(number)".utf8)).prefix(Self.secretLength)
        return LegibleCode.text(of: digits + rest)
    }
}
