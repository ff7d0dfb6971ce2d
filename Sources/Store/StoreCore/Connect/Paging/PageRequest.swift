/// Which part of a long list is wanted: pagination by cursors.
///
/// A repository makes the cursors, and reads them: text that says where to go on, such as the
/// last key of the page before, or a count of rows. Whoever asks gives one back as it was, or
/// has made it up: a cursor is text from outside.
package struct PageRequest: Sendable, Hashable {
    /// As many as fit on the page, 1 or more.
    package let limit: Int
    /// Where to go on; nil for the first page.
    package let cursor: String?

    package init(limit: Int, cursor: String? = nil) {
        self.limit = max(1, limit)
        self.cursor = cursor
    }

    /// The rows to pass over, for lists that page by `LIMIT` and `OFFSET`.
    ///
    /// - Throws: `ConnectRefusal` for a cursor that is none.
    package func offset() throws -> Int {
        guard let cursor else { return 0 }
        guard let number = Int(cursor), (0...1_000_000_000).contains(number) else {
            throw Self.badCursor
        }
        return number
    }

    /// The key behind which the page begins, for lists that page by an integer key.
    ///
    /// - Throws: `ConnectRefusal` for a cursor that is none.
    package func key() throws -> Int64? {
        guard let cursor else { return nil }
        guard let number = Int64(cursor) else { throw Self.badCursor }
        return number
    }

    /// What a cursor that nobody has given out is refused with.
    package static let badCursor = ConnectRefusal(
        .invalid, rule: "cursor", field: "cursor", "The cursor is not one of this list.",
        help: "Use links.next as it was answered, or begin again without a cursor.")
}
