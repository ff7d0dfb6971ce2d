import Foundation

/// A property list in the text form of NeXTSTEP, as far as receipts of transactions use it: one
/// dictionary of quoted strings.
///
///     {
///     	"key" = "value";
///     }
struct TextPropertyList: Hashable, Sendable {
    /// Larger texts are refused unread, in bytes.
    static let sizeLimit = 64 << 10
    private static let entryLimit = 64

    private(set) var entries: [(key: String, value: String)] = []

    init() {}

    static func == (left: Self, right: Self) -> Bool {
        left.entries.elementsEqual(right.entries) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) {
        for (key, value) in entries {
            hasher.combine(key)
            hasher.combine(value)
        }
    }

    /// Reads a text.
    ///
    /// - Throws: `SecurityError.Code.malformed`, also for a key that occurs twice: two readers
    ///   could take two values for it.
    init(_ data: Data) throws {
        guard data.count <= Self.sizeLimit else {
            throw SecurityError(.malformed, "the receipt has more than \(Self.sizeLimit) bytes")
        }
        var reader = Reader(bytes: Array(data))
        var known: Set<String> = []
        try reader.take(UInt8(ascii: "{"))
        while try !reader.takes(UInt8(ascii: "}")) {
            let key = try reader.string()
            try reader.take(UInt8(ascii: "="))
            let value = try reader.string()
            try reader.take(UInt8(ascii: ";"))
            guard known.insert(key).inserted, known.count <= Self.entryLimit else {
                throw Self.malformed
            }
            entries.append((key, value))
        }
        try reader.takeEnd()
    }

    /// The text.
    func encoded() -> Data {
        var text = "{\n"
        for (key, value) in entries {
            text += "\t\"\(Self.escaped(key))\" = \"\(Self.escaped(value))\";\n"
        }
        return Data((text + "}").utf8)
    }

    subscript(key: String) -> String? { entries.first { $0.key == key }?.value }

    /// Adds an entry; nothing where there is no value.
    mutating func add(_ key: String, _ value: String?) {
        if let value { entries.append((key, value)) }
    }

    /// The value of an entry that has to be there.
    func required(_ key: String) throws -> String {
        guard let value = self[key] else {
            throw SecurityError(.malformed, "the receipt has no \(key)")
        }
        return value
    }

    private static var malformed: SecurityError {
        SecurityError(.malformed, "the receipt is not the property list that receipts are")
    }

    /// Everything but printable ASCII as `\U` and four digits for each unit of UTF-16.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                escaped += "\\"
                escaped.unicodeScalars.append(scalar)
            case " "..."~": escaped.unicodeScalars.append(scalar)
            default:
                for unit in UTF16.encode(scalar)! {
                    let digits = String(unit, radix: 16)
                    escaped += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return escaped
    }

    /// Takes a text apart from its beginning to its end.
    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        private mutating func skipSpace() {
            while position < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[position]) {
                position += 1
            }
        }

        private mutating func next() throws -> UInt8 {
            guard position < bytes.count else { throw malformed }
            defer { position += 1 }
            return bytes[position]
        }

        mutating func takes(_ byte: UInt8) throws -> Bool {
            skipSpace()
            guard position < bytes.count else { throw malformed }
            guard bytes[position] == byte else { return false }
            position += 1
            return true
        }

        mutating func take(_ byte: UInt8) throws {
            guard try takes(byte) else { throw malformed }
        }

        mutating func takeEnd() throws {
            skipSpace()
            guard position == bytes.count else { throw malformed }
        }

        mutating func string() throws -> String {
            try take(UInt8(ascii: "\""))
            var units: [UInt16] = []
            var plain: [UInt8] = []
            func flushed(_ plain: [UInt8]) throws -> String.UTF16View {
                guard let text = String(validating: plain, as: UTF8.self) else { throw malformed }
                return text.utf16
            }
            while case let byte = try next(), byte != UInt8(ascii: "\"") {
                guard byte >= 0x20 else { throw malformed }
                guard byte == UInt8(ascii: "\\") else {
                    plain.append(byte)
                    continue
                }
                units += try flushed(plain)
                plain = []
                units.append(try escape())
            }
            units += try flushed(plain)
            guard let text = String(validating: units, as: UTF16.self) else { throw malformed }
            return text
        }

        private mutating func escape() throws -> UInt16 {
            switch try next() {
            case UInt8(ascii: "\""): return 0x22
            case UInt8(ascii: "\\"): return 0x5c
            case UInt8(ascii: "n"): return 0x0a
            case UInt8(ascii: "r"): return 0x0d
            case UInt8(ascii: "t"): return 0x09
            case UInt8(ascii: "U"):
                let digits = try (0..<4).map { _ in try next() }
                guard digits.allSatisfy({ isHexadecimal($0) }),
                    let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
                else { throw malformed }
                return unit
            default: throw malformed
            }
        }

        private func isHexadecimal(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
        }
    }
}
