/// A tag that opens an element.
package struct MarkupTag: Sendable, Hashable {
    package var name: String
    /// In the order of the document, with entities resolved.
    package var attributes: [(name: String, value: String)]
    /// The line in which it begins.
    package var line: Int

    package subscript(attribute: String) -> String? {
        attributes.first { $0.name == attribute }?.value
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.line == right.line
            && left.attributes.elementsEqual(right.attributes, by: ==)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(line)
    }
}

/// What a document consists of, one after the other.
package enum MarkupEvent: Sendable, Hashable {
    case start(MarkupTag)
    /// The text between two tags, whole, with entities and sections of raw text resolved.
    case text(String)
    case end(name: String)
}
