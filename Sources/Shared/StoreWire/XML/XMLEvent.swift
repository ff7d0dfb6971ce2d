/// A piece of an XML document.
package enum XMLEvent: Sendable, Hashable {
    case start(XMLTag)
    /// Character data, with references resolved. A text may come in several pieces.
    case text(String, line: Int)
    case end(name: String, line: Int)
}

/// The start tag of an element.
package struct XMLTag: Sendable, Hashable {
    package let name: String
    package let attributes: [String: String]
    /// Where the tag begins, from 1.
    package let line: Int

    package init(name: String, attributes: [String: String], line: Int) {
        self.name = name
        self.attributes = attributes
        self.line = line
    }
}

/// How large the parts of a document may be.
package struct XMLLimits: Sendable, Hashable {
    /// Elements within one another.
    package var depth = 32
    /// Bytes of a name.
    package var name = 100
    /// Attributes of an element.
    package var attributes = 16
    /// Bytes of an attribute's value.
    package var value = 4096
    /// Bytes of character data that come in one piece; longer ones come in several.
    package var piece = 16 << 10
    /// Bytes of a comment or a processing instruction.
    package var comment = 1 << 20

    package init() {}
}
