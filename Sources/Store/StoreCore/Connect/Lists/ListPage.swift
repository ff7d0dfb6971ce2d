/// A part of a list, as a database gives it.
package struct ListPage<Item: Sendable>: Sendable {
    package var items: [Item]
    /// How many there are on all pages.
    package var total: Int

    package init(items: [Item], total: Int) {
        self.items = items
        self.total = total
    }

    package func map<Other: Sendable>(_ change: (Item) throws -> Other) rethrows -> ListPage<Other>
    {
        ListPage<Other>(items: try items.map(change), total: total)
    }
}

/// Which part of a list is wanted.
package struct ListSpan: Sendable, Hashable {
    package var offset: Int
    package var limit: Int

    /// - Parameter limit: at most so many items.
    package init(offset: Int = 0, limit: Int = 50) {
        self.offset = offset
        self.limit = limit
    }
}

/// By what a list is sorted, the most important first.
package struct ListOrder<Key: Sendable & Hashable>: Sendable, Hashable {
    package var key: Key
    package var isDescending: Bool

    package init(_ key: Key, isDescending: Bool = false) {
        self.key = key
        self.isDescending = isDescending
    }
}
