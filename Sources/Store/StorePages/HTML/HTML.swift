import StoreKernel
import StoreModel

/// A piece of a page.
///
/// Text and the values of attributes can only be put in here, and are escaped here and
/// nowhere else. Names of elements and attributes are literals, so that nothing from
/// outside can become markup.
package struct HTML: Sendable {
    private indirect enum Node: Sendable {
        case text(String)
        case element(StaticString, [Attribute], [HTML])
        case group([HTML])
        case slot(PageSlot, HTML)
        case script(ScriptJSON)
        case nothing
    }

    /// An attribute; an empty value is written as none.
    package struct Attribute: Sendable {
        fileprivate let name: StaticString
        fileprivate let value: String

        package init(_ name: StaticString, _ value: String = "") {
            self.name = name
            self.value = value
        }
    }

    private let node: Node

    package static let nothing = HTML(node: .nothing)

    package static func text(_ text: String) -> HTML { HTML(node: .text(text)) }

    /// Pieces one after the other.
    package static func group(_ pieces: [HTML]) -> HTML { HTML(node: .group(pieces)) }

    package static func element(
        _ name: StaticString, _ attributes: [Attribute] = [], _ children: [HTML] = []
    ) -> HTML {
        HTML(node: .element(name, attributes, children))
    }

    /// An element that holds a text.
    package static func element(_ name: StaticString, _ text: String) -> HTML {
        element(name, [], [.text(text)])
    }

    package static func element(
        _ name: StaticString, _ attributes: [Attribute], _ text: String
    ) -> HTML {
        element(name, attributes, [.text(text)])
    }

    /// An element with a class.
    package static func element(
        _ name: StaticString, class style: StaticString, _ children: [HTML]
    ) -> HTML {
        element(name, [Attribute("class", style.description)], children)
    }

    package static func element(
        _ name: StaticString, class style: StaticString, _ text: String
    ) -> HTML {
        element(name, class: style, [.text(text)])
    }

    /// Text of others, whose writing direction does not reach beyond it.
    ///
    /// - Parameter locale: what it is written in, for example `ja_JP`; nil if unknown.
    package static func foreign(_ text: String, locale: String? = nil) -> HTML {
        let language = locale.map {
            [Attribute("lang", $0.replacing(scalar: "_", with: "-"))]
        }
        return element("bdi", language ?? [], text)
    }

    /// A place that is filled for each customer; see `PageTemplate`.
    ///
    /// - Parameter usual: what stands there for a customer whom nobody knows.
    package static func slot(_ slot: PageSlot, _ usual: HTML) -> HTML {
        HTML(node: .slot(slot, usual))
    }

    /// What the page says to programs, which no browser runs.
    package static func structured(_ data: ScriptJSON) -> HTML { HTML(node: .script(data)) }

    /// The piece alone as text, without the line that begins a page.
    package func markup() -> String {
        var output = ""
        write(into: &output)
        return output
    }

    /// Whether there is nothing of it.
    package var isNothing: Bool {
        switch node {
        case .nothing: true
        case .group(let pieces): pieces.allSatisfy(\.isNothing)
        case .slot(_, let usual): usual.isNothing
        case .text, .element, .script: false
        }
    }

    /// The whole page as text.
    package func document() -> String {
        var output = "<!DOCTYPE html>\n"
        write(into: &output)
        output += "\n"
        return output
    }

    /// The whole page as text with marks where its slots begin and end: no text can hold a
    /// NUL, since escaping replaces it.
    func markedDocument() -> String {
        var output = "<!DOCTYPE html>\n"
        write(into: &output, marks: true)
        output += "\n"
        return output
    }

    private func write(into output: inout String, marks: Bool = false) {
        switch node {
        case .nothing: break
        case .text(let text): Self.escape(text, into: &output)
        case .group(let pieces):
            for piece in pieces { piece.write(into: &output, marks: marks) }
        case .slot(let slot, let usual):
            if marks { output += "\0\(slot.word)\0" }
            usual.write(into: &output)
            if marks { output += "\0" }
        case .script(let data):
            output += "<script type=\"application/ld+json\">"
            output += String(decoding: data.bytes, as: UTF8.self)
            output += "</script>"
        case .element(let name, let attributes, let children):
            output += "<\(name)"
            for attribute in attributes {
                output += " \(attribute.name)"
                guard !attribute.value.isEmpty else { continue }
                output += "=\""
                Self.escape(attribute.value, into: &output)
                output += "\""
            }
            output += ">"
            guard !Self.isVoid(name) else { return }
            for child in children { child.write(into: &output, marks: marks) }
            output += "</\(name)>"
        }
    }

    private static func escape(_ text: String, into output: inout String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            case "\n", "\t": output.unicodeScalars.append(scalar)
            default:
                // HTML has no way to write control characters.
                let isControl = scalar.properties.generalCategory == .control
                output.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
            }
        }
    }

    /// Elements without an end.
    private static func isVoid(_ name: StaticString) -> Bool {
        ["img", "input", "link", "meta", "br", "hr"].contains(name.description)
    }
}
