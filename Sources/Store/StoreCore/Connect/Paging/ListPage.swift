/// A part of a long list.
package struct ListPage<Item: Sendable>: Sendable {
    package let items: [Item]
    /// As many as the whole list has; nil where nobody has counted.
    package let total: Int?
    /// The cursor of the page behind this one; nil on the last.
    package let next: String?

    package init(items: [Item], total: Int?, next: String?) {
        self.items = items
        self.total = total
        self.next = next
    }

    /// A page of a list that pages by `LIMIT` and `OFFSET`.
    ///
    /// - Parameters:
    ///   - items: what the rows from the request's offset on are, `limit` at most.
    ///   - total: as many as the whole list has.
    package init(_ items: [Item], total: Int, from request: PageRequest) throws {
        let end = try request.offset() + items.count
        let hasMore = !items.isEmpty && end < total
        self.init(items: items, total: total, next: hasMore ? String(end) : nil)
    }

    /// The part of a list that is short enough to be at hand.
    package init(of all: [Item], _ request: PageRequest) throws {
        let rest = all.dropFirst(try request.offset()).prefix(request.limit)
        try self.init(Array(rest), total: all.count, from: request)
    }

    package func map<Other>(_ transform: (Item) throws -> Other) rethrows -> ListPage<Other> {
        ListPage<Other>(items: try items.map(transform), total: total, next: next)
    }
}
