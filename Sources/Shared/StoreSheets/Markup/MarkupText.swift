/// Text of a document while it is gathered.
struct MarkupText {
    private(set) var bytes: [UInt8] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func append(_ byte: UInt8, at line: Int) throws {
        guard bytes.count < limit else {
            throw MarkupError(line: line, "this text has more than \(limit) bytes; shorten it")
        }
        bytes.append(byte)
    }

    mutating func append(_ scalar: Unicode.Scalar, at line: Int) throws {
        for byte in String(scalar).utf8 { try append(byte, at: line) }
    }

    /// The text, which is empty from then on.
    mutating func take(at line: Int) throws -> String {
        defer { bytes.removeAll(keepingCapacity: true) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw MarkupError(
                line: line, "the text that ends here is not UTF-8; save the file in UTF-8")
        }
        // U+FFFE and U+FFFF are no characters of XML (2.2).
        guard
            !bytes.contains(0xEF)
                || !text.unicodeScalars.contains(where: { $0 == "\u{FFFE}" || $0 == "\u{FFFF}" })
        else { throw MarkupError(line: line, "the text that ends here holds U+FFFE or U+FFFF") }
        return text
    }

    /// Whether a scalar is a character of XML 1.0 (2.2).
    static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    private static let entities: [String: Unicode.Scalar] = [
        "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]

    /// What stands between `&` and `;`.
    static func entity(_ name: String, at line: Int) throws -> Unicode.Scalar {
        if let scalar = entities[name] { return scalar }
        guard name.hasPrefix("#") else {
            throw MarkupError(
                line: line,
                "the entity \(shown(name)) is unknown; there are lt, gt, amp, quot, apos and numbers "
                    + "such as #38")
        }
        let isHex = name.hasPrefix("#x")
        let digits = name.dropFirst(isHex ? 2 : 1)
        let isNumber = digits.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): isHex
            default: false
            }
        }
        guard isNumber, let value = UInt32(digits, radix: isHex ? 16 : 10),
            let scalar = Unicode.Scalar(value), isCharacter(scalar)
        else { throw MarkupError(line: line, "&\(shown(name)); is no character") }
        return scalar
    }

    /// A part of the document in a message: short, and on one line.
    static func shown(_ text: String) -> String {
        let visible = text.unicodeScalars.prefix(60).map { scalar in
            scalar.properties.generalCategory == .control ? " " : String(scalar)
        }
        return "\"\(visible.joined())\(text.unicodeScalars.count > 60 ? "…" : "")\""
    }
}
