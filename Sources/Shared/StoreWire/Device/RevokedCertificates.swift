/// The certificates for signing that a store has taken back, by their serial numbers: what such a
/// key has signed counts no more, whenever it was signed.
///
/// On the wire it is an array of texts. It takes the place of the one before.
package struct RevokedCertificates: Codable, Sendable, Hashable {
    /// As many as a store says at most; it leaves out those that it took back first.
    package static let limit = 64
    /// Digits of a serial number at most: 20 bytes (RFC 5280, section 4.1.2.2).
    private static let longest = 40

    /// Upper-case hexadecimal digits, two for each byte.
    package let serials: Set<String>

    /// Takes the first numbers, as many as there may be.
    package init(_ serials: some Sequence<String>) {
        self.serials = Set(serials.prefix(Self.limit))
    }

    /// - Throws: `DecodingError`, also for too many numbers, and for what is none.
    package init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var serials: Set<String> = []
        var count = 0
        while !container.isAtEnd {
            let serial = try container.decode(String.self)
            count += 1
            guard count <= Self.limit, Self.isSerial(serial) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "no list of serial numbers")
            }
            serials.insert(serial)
        }
        self.serials = serials
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(serials.sorted())
    }

    private static func isSerial(_ text: String) -> Bool {
        (2...longest).contains(text.utf8.count) && text.utf8.count.isMultiple(of: 2)
            && text.utf8.allSatisfy { digit in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
                    || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(digit)
            }
    }
}
