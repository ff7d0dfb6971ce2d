import Foundation

/// Writes XML 1.0 in UTF-8, indented, a piece at a time.
///
///     var writer = MarkupWriter { try file.write(contentsOf: $0) }
///     try writer.begin("package", [("version", "software5.11")])
///     try writer.text("provider", team)
///     try writer.end()
///     try writer.finish()
package struct MarkupWriter {
    private let sink: (Data) throws -> Void
    private var pending = Data()
    private var open: [String] = []

    package init(sink: @escaping (Data) throws -> Void) {
        self.sink = sink
        pending.append(contentsOf: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
    }

    package mutating func begin(
        _ name: String, _ attributes: [(name: String, value: String)] = []
    ) throws {
        try line("<\(name)\(Self.written(attributes))>")
        open.append(name)
    }

    /// Ends the element that began last.
    package mutating func end() throws {
        guard let name = open.popLast() else { preconditionFailure("no element is open") }
        try line("</\(name)>")
    }

    /// An element with text.
    package mutating func text(
        _ name: String, _ text: String, _ attributes: [(name: String, value: String)] = []
    ) throws {
        try line("<\(name)\(Self.written(attributes))>\(Self.escaped(text))</\(name)>")
    }

    /// A comment, in which two hyphens become one: XML has none there (2.5).
    package mutating func comment(_ text: String) throws {
        var text = Self.visible(text)
        while let hyphens = text.range(scalars: "--") {
            text.unicodeScalars.replaceSubrange(hyphens, with: ["-"])
        }
        try line("<!-- \(text) -->")
    }

    /// Hands over what is left.
    package mutating func finish() throws {
        precondition(open.isEmpty, "an element is open")
        try flush()
    }

    private mutating func line(_ text: String) throws {
        pending.append(contentsOf: String(repeating: " ", count: open.count).utf8)
        pending.append(contentsOf: text.utf8)
        pending.append(0x0A)
        if pending.count >= 1 << 16 { try flush() }
    }

    private mutating func flush() throws {
        try sink(pending)
        pending = Data()
    }

    private static func written(_ attributes: [(name: String, value: String)]) -> String {
        attributes.map { " \($0.name)=\"\(escaped($0.value, inAttribute: true))\"" }.joined()
    }

    /// What is no character of XML becomes U+FFFD: nothing can stand for it (2.2).
    private static func visible(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy(MarkupText.isCharacter) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(MarkupText.isCharacter(scalar) ? scalar : "\u{FFFD}")
        }
        return String(scalars)
    }

    private static func escaped(_ text: String, inAttribute: Bool = false) -> String {
        var result = ""
        for scalar in visible(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"" where inAttribute: result += "&quot;"
            // As it stands a reader takes it for the end of a line, or for a space.
            case "\r": result += "&#13;"
            case "\n" where inAttribute: result += "&#10;"
            case "\t" where inAttribute: result += "&#9;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
