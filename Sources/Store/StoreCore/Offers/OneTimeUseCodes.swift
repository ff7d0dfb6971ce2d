import Foundation

/// The codes of the batches that the API makes. They follow from a batch's identifier, which is random
/// and known to the team only, so that the store keeps one row for thousands of them.
///
/// A code has 18 characters: three for its number in the batch, by which it is found, and fifteen of a
/// digest, which nobody guesses.
package struct OneTimeUseCodes: Sendable {
    /// Without letters that look like digits.
    private static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
    private static let numberLength = 3
    private static let secretLength = 15

    private let digest: @Sendable (Data) -> Data

    /// - Parameter digest: SHA-256.
    package init(digest: @escaping @Sendable (Data) -> Data) {
        self.digest = digest
    }

    /// All codes of a batch, one on each line.
    package func list(of batch: String, count: Int) -> Data {
        var text = Data()
        for number in 0..<count {
            text.append(contentsOf: code(number, of: batch))
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    /// Whether a batch has a code.
    func contains(_ code: String, batch: String, count: Int) -> Bool {
        var number = 0
        for letter in code.utf8.prefix(Self.numberLength) {
            guard let digit = Self.letters.firstIndex(of: letter) else { return false }
            number = number << 5 | digit
        }
        return number < count && code.utf8.elementsEqual(self.code(number, of: batch))
    }

    private func code(_ number: Int, of batch: String) -> [UInt8] {
        let digits = (1...Self.numberLength).map { place in
            Self.letters[number >> (5 * (Self.numberLength - place)) & 31]
        }
        let secret = digest(Data("\(batch) \(number)".utf8)).prefix(Self.secretLength)
        return digits + secret.map { Self.letters[Int($0 & 31)] }
    }
}
