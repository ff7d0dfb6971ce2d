/// What a document may cost its reader.
package struct MarkupLimits: Sendable {
    /// Bytes of the whole document.
    package var bytes = 64 << 20
    /// Elements inside of elements.
    package var depth = 32
    /// Bytes of one tag.
    package var tagBytes = 4096
    /// Attributes of one tag.
    package var attributes = 16
    /// Bytes of the text between two tags.
    package var textBytes = 1 << 16

    package init() {}
}
