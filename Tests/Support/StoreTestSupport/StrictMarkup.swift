import Foundation

/// A page taken apart more strictly than any browser does: what is not a tag that the store
/// writes is a mistake.
package struct StrictMarkup {
    package struct Element: Sendable {
        package let name: String
        package let attributes: [String: String]
    }

    package struct Mistake: Error, CustomStringConvertible {
        package let description: String
    }

    package private(set) var elements: [Element] = []
    /// What stands in scripts: data for programs.
    package private(set) var scripts: [String] = []

    /// Made once for each page: a regular expression in a loop is made again in each round.
    private struct Patterns {
        let closing = /<\/([a-z0-9]+)>/
        let tag = /<([a-z][a-z0-9]*)((?: [a-zA-Z-]+(?:="[^"<>]*")?)*)>/
        let attribute = /\ ([a-zA-Z-]+)(?:="([^"]*)")?/
        let reference = /&[^;]{0,8}.?/
    }

    private static let void: Set<String> = ["img", "input", "link", "meta", "br", "hr"]

    /// - Throws: `Mistake` for a `<` that begins no tag, an attribute without quotes, an element
    ///   that is not closed, or a character reference that escaping does not write.
    package init(_ page: String) throws {
        let patterns = Patterns()
        var rest = Substring(page)
        guard rest.hasPrefix("<!DOCTYPE html>\n") else { throw Mistake(description: "no doctype") }
        rest = rest.dropFirst("<!DOCTYPE html>\n".count)
        var open: [String] = []
        while let start = rest.firstIndex(of: "<") {
            try Self.checkText(rest[..<start], patterns)
            rest = rest[start...]
            if let closing = rest.prefixMatch(of: patterns.closing) {
                guard open.popLast() == String(closing.1) else {
                    throw Mistake(description: "\(closing.0) closes nothing")
                }
                rest = rest[closing.range.upperBound...]
                continue
            }
            guard let tag = rest.prefixMatch(of: patterns.tag) else {
                throw Mistake(description: "not a tag: \(rest.prefix(60))")
            }
            rest = rest[tag.range.upperBound...]
            let name = String(tag.1)
            var attributes: [String: String] = [:]
            for attribute in tag.2.matches(of: patterns.attribute) {
                let value = attribute.2.map { String($0) } ?? ""
                try Self.checkText(value[...], patterns)
                guard attributes.updateValue(value, forKey: String(attribute.1)) == nil else {
                    throw Mistake(description: "\(attribute.1) twice in \(tag.0)")
                }
            }
            elements.append(Element(name: name, attributes: attributes))
            if name == "script" {
                guard let end = rest.range(of: "</script>") else {
                    throw Mistake(description: "a script without end")
                }
                scripts.append(String(rest[..<end.lowerBound]))
                rest = rest[end.upperBound...]
            } else if !Self.void.contains(name) {
                open.append(name)
            }
        }
        guard open.isEmpty else { throw Mistake(description: "not closed: \(open)") }
    }

    private static func checkText(_ text: Substring, _ patterns: Patterns) throws {
        guard !text.contains(">"), !text.contains("\0") else {
            throw Mistake(description: "not escaped: \(text.prefix(60))")
        }
        guard text.utf8.contains(UInt8(ascii: "&")) else { return }
        for reference in text.matches(of: patterns.reference) {
            let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"]
            guard known.contains(where: { reference.0.hasPrefix($0) }) else {
                throw Mistake(description: "not escaped: \(reference.0)")
            }
        }
    }
}
