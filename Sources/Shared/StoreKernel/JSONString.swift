/// Writes strings of JSON (string escaping; RFC 8259, section 7).
package enum JSONString {
    /// What a string is written for.
    package enum Purpose: Sendable {
        case document
        /// JSON in a `<script>` element or a file of JavaScript: `<`, `>`, `&`, all control characters,
        /// U+2028 and U+2029 are escaped.
        case script
    }

    /// Writes a text with its quotation marks.
    package static func write(
        _ text: String, to bytes: inout [UInt8], for purpose: Purpose = .document
    ) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { source in
            var rest = source[...]
            if purpose == .document, isPlain(source) { return bytes.append(contentsOf: source) }
            while let index = rest.firstIndex(where: { isSpecial($0, for: purpose) }) {
                bytes.append(contentsOf: rest[..<index])
                rest = rest[(index + escape(rest[index...], to: &bytes))...]
            }
            bytes.append(contentsOf: rest)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a text needs no escapes in a document. The loop has no early exit, so that the compiler
    /// vectorizes it: signed statements are long.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var special: UInt8 = 0
        for byte in text {
            special |= byte < 0x20 ? 1 : 0
            special |= byte == UInt8(ascii: "\"") ? 1 : 0
            special |= byte == UInt8(ascii: "\\") ? 1 : 0
        }
        return special == 0
    }

    private static func isSpecial(_ byte: UInt8, for purpose: Purpose) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"): true
        case 0x7F, 0xC2, 0xE2, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
            purpose == .script
        default: false
        }
    }

    /// Writes the special byte that a text begins with, or the scalar that begins with it.
    ///
    /// - Returns: how many bytes of the text were written.
    private static func escape(
        _ text: Slice<UnsafeBufferPointer<UInt8>>, to bytes: inout [UInt8]
    ) -> Int {
        let byte = text[text.startIndex]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0x08: bytes += "\\b".utf8
        case 0x09: bytes += "\\t".utf8
        case 0x0A: bytes += "\\n".utf8
        case 0x0C: bytes += "\\f".utf8
        case 0x0D: bytes += "\\r".utf8
        // U+0080 to U+009F are control characters. Lines of JavaScript end at U+2028 and U+2029.
        case 0xC2, 0xE2:
            let character = text.prefix(byte == 0xC2 ? 2 : 3)
            let scalar = String(decoding: character, as: UTF8.self).unicodeScalars.first?.value ?? 0
            if [0x80...0x9F, 0x2028...0x2029].contains(where: { $0.contains(scalar) }) {
                escape(scalar, to: &bytes)
            } else {
                bytes += character
            }
            return character.count
        default: escape(UInt32(byte), to: &bytes)
        }
        return 1
    }

    private static func escape(_ scalar: UInt32, to bytes: inout [UInt8]) {
        let digits = String(scalar, radix: 16)
        bytes += "\\u".utf8
        bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
        bytes += digits.utf8
    }
}
