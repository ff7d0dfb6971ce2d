/// What a document may cost its reader.
package struct MarkupLimits: Sendable {
    /// Bytes of the whole document.
    package var bytes = 64 << 20
    /// Elements inside of elements.
    package var depth = 32
    /// Attributes of one tag.
    package var attributes = 16
    /// Bytes of one tag, comment or instruction, which are gathered until they are whole.
    package var tokenBytes = 64 << 10
    /// Bytes of the text between two tags.
    package var textBytes = 64 << 10

    package init() {}
}
