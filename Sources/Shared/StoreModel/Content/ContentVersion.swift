import StoreKernel

/// The version of hosted content: integers separated by periods, compared number by
/// number (`1.10` is newer than `1.9`, `1.0` equals `1`).
package struct ContentVersion: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    package let text: String
    private let numbers: [Int]

    /// Nil unless the text is one to eight integers of at most nine digits.
    package init?(_ text: String) {
        let parts = text.split(scalar: ".", omittingEmptySubsequences: false)
        guard (1...8).contains(parts.count) else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard (1...9).contains(part.utf8.count),
                part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        while numbers.count > 1, numbers.last == 0 { numbers.removeLast() }
        self.text = text
        self.numbers = numbers
    }

    package var description: String { text }

    package static func == (left: Self, right: Self) -> Bool { left.numbers == right.numbers }

    package func hash(into hasher: inout Hasher) { hasher.combine(numbers) }

    package static func < (left: Self, right: Self) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not a content version")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
