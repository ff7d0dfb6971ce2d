/// The function of a page that an answer calls: `callback`.
///
/// Whatever stands here is run as script by whoever includes the answer, so it is a path of plain
/// identifiers and nothing else: `show`, `jQuery1_2`, `app.search.done`, `handlers[3]`.
struct CallbackName: Hashable, Sendable {
    let text: String

    /// Longer ones are refused.
    static let longest = 128

    init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count) else { return nil }
        var rest = text.utf8[...]
        guard Self.takeName(&rest) else { return nil }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "."):
                guard Self.takeName(&rest) else { return nil }
            case UInt8(ascii: "["):
                let digits = rest.prefix { (0x30...0x39).contains($0) }
                rest = rest[digits.endIndex...]
                guard !digits.isEmpty, rest.popFirst() == UInt8(ascii: "]") else { return nil }
            default: return nil
            }
        }
        self.text = text
    }

    /// Takes an identifier; what JavaScript keeps for itself is none.
    private static func takeName(_ rest: inout Substring.UTF8View) -> Bool {
        let name = rest.prefix(while: isOfName)
        guard let first = name.first, !(0x30...0x39).contains(first),
            !reserved.contains(String(Substring(name)))
        else { return false }
        rest = rest[name.endIndex...]
        return true
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }

    /// ECMAScript's reserved words.
    private static let reserved: Set<String> = [
        "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
        "delete", "do", "else", "enum", "export", "extends", "false", "finally", "for", "function",
        "if", "implements", "import", "in", "instanceof", "interface", "let", "new", "null",
        "package", "private", "protected", "public", "return", "static", "super", "switch", "this",
        "throw", "true", "try", "typeof", "var", "void", "while", "with", "yield",
    ]
}
