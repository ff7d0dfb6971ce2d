/// Texts of documents.
enum MarkupText {
    /// Whether a scalar is a character of XML 1.0 (2.2).
    static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// A part of the document in a message: short, and on one line.
    static func shown(_ text: String) -> String {
        let visible = text.unicodeScalars.prefix(60).map { scalar in
            scalar.properties.generalCategory == .control ? " " : String(scalar)
        }
        return "\"\(visible.joined())\(text.unicodeScalars.count > 60 ? "…" : "")\""
    }
}
