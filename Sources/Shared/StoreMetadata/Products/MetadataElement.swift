import Foundation

/// An element that is open, or one that was read whole.
struct MetadataElement {
    let tag: MarkupTag
    let rule: MetadataRule
    var text = ""
    var children: [MetadataElement] = []
    /// How often each child stood in it.
    var counts: [String: Int] = [:]
    /// Whether something in it was wrong already.
    var isDamaged = false

    init(_ tag: MarkupTag, _ rule: MetadataRule) {
        self.tag = tag
        self.rule = rule
    }

    var name: String { tag.name }
    var line: Int { tag.line }

    subscript(name: String) -> MetadataElement? { children.first { $0.name == name } }

    /// Its text without spaces around it.
    var value: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
}
