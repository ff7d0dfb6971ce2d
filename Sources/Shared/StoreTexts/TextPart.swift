/// What texts are put together from: strings, or pieces of a page.
package protocol TextPart {
    /// The words of a text.
    init(text: String)
    /// Words and values one after the other.
    init(parts: [Self])
}

extension String: TextPart {
    package init(text: String) { self = text }
    package init(parts: [String]) { self = parts.joined() }
}
