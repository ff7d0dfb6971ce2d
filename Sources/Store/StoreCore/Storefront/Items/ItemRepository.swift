import Foundation
import StoreDatabase
import StoreModel

/// Items of the storefront, and who made them.
package struct ItemRepository {
    let connection: any SQLConnection
    let index: ItemSearchIndex

    // MARK: Reading

    package func item(_ id: ItemID) throws -> Item? {
        try connection.find(Item.self, id)
    }

    /// Those that there are, in the order of the identifiers.
    package func items(_ ids: [ItemID]) throws -> [Item] {
        guard !ids.isEmpty else { return [] }
        return try connection.records(
            Item.self,
            """
            SELECT \(Item.columns, of: "i")
            FROM json_each(\(bound: .list(ids.map(\.number)))) wanted CROSS JOIN item i
                ON i.id = CAST(wanted.value AS INTEGER)
            ORDER BY wanted.key
            """)
    }

    /// Numbers of the items that a key of a lookup names.
    package func ids(_ key: ItemKey) throws -> [ItemID] {
        switch key {
        case .app(let app):
            try ids("SELECT id FROM item WHERE app = \(app)")
        case .purchase(let product):
            try ids(
                """
                SELECT i.id FROM product p JOIN item i ON i.app = p.app
                WHERE p.id = \(product) AND p.deleted IS NULL
                """)
        case .bundleID(let text):
            try ids("SELECT id FROM item WHERE bundle_id = \(text) ORDER BY id LIMIT 200")
        case .upc(let text):
            try ids("SELECT id FROM item WHERE upc = \(text) ORDER BY id LIMIT 200")
        case .isbn(let text):
            try ids("SELECT id FROM item WHERE isbn = \(text) ORDER BY id LIMIT 200")
        case .amgAlbumID(let number):
            try ids("SELECT id FROM item WHERE amg_album = \(number) ORDER BY id LIMIT 200")
        case .amgVideoID(let number):
            try ids("SELECT id FROM item WHERE amg_video = \(number) ORDER BY id LIMIT 200")
        }
    }

    private func ids(_ sql: SQL) throws -> [ItemID] { try connection.values(ItemID.self, sql) }

    /// Parts of an album or a season, in their order.
    package func parts(of item: ItemID) throws -> [Item] {
        try connection.all(Item.self, "WHERE parent = \(item) ORDER BY disc, position, id")
    }

    /// Items on sale in the order of their numbers, from one of them on.
    package func onSale(from id: ItemID, limit: Int) throws -> [Item] {
        try connection.all(
            Item.self, "WHERE state = 'ON_SALE' AND id >= \(id) ORDER BY id LIMIT \(limit)")
    }

    /// The number of the item on sale that stands some places behind the first one from a number
    /// on; nil where there are no more.
    package func onSale(after places: Int, from id: ItemID) throws -> ItemID? {
        try ids(
            """
            SELECT id FROM item WHERE state = 'ON_SALE' AND id >= \(id) ORDER BY id
            LIMIT 1 OFFSET \(places)
            """
        ).first
    }

    /// A page of a team's items (nil for all teams) for its publisher, the newest first.
    package func page(
        of team: Int64?, _ filter: ItemFilter, _ request: PageRequest
    ) throws -> ListPage<Item> {
        let ofTeam: SQL? = team.map { "AND team = \($0)" }
        let ofKinds: SQL? =
            filter.kinds.isEmpty ? nil : "AND kind IN \(list: Array(filter.kinds))"
        let ofStates: SQL? =
            filter.states.isEmpty ? nil : "AND state IN \(list: Array(filter.states))"
        let found: SQL? = filter.search.map { text in
            """
            AND (instr(lower(title), lower(\(text))) > 0
                OR CAST(id AS TEXT) = \(text) OR bundle_id = \(text))
            """
        }
        // An index knows what a team has; all of them stand in the order of their numbers.
        let rows = try connection.all(
            Item.self,
            """
            WHERE id < \(try request.key() ?? Int64.max)
                \(ofTeam) \(ofKinds) \(ofStates) \(found)
            ORDER BY id DESC LIMIT \(request.limit + 1)
            """)
        let items = Array(rows.prefix(request.limit))
        let next = rows.count > request.limit ? items.last?.id.description : nil
        return ListPage(items: items, total: nil, next: next)
    }

    // MARK: Writing

    /// Adds an item.
    ///
    /// - Parameter id: its number; nil for the next free one. An app's item has the app's.
    package func insert(
        _ details: ItemDetails, id: ItemID?, of team: Int64, state: ItemState, at date: Date
    ) throws -> Item {
        let number = try id?.number ?? AppleIDSequence(connection: connection).next()
        let item = Item(
            id: ItemID(number: number), team: team, details: details, state: state,
            created: SQLValue.kept(date), changed: SQLValue.kept(date))
        try connection.insert(item)
        try index.write(item)
        return item
    }

    /// Changes an item, and what searches know of it.
    package func update(_ item: Item, at date: Date) throws {
        let before = try self.item(item.id)
        // What the search knows is found by the row as it was.
        try index.remove(item.id)
        var item = item
        item.changed = date
        // Sales and ratings raise it, whatever was read before.
        item.popularity = before?.popularity ?? item.popularity
        try connection.update(item)
        try index.write(item)
        // Parts are found by the name of the whole.
        if item.details.kind.isCollection, before?.details.title != item.details.title {
            for part in try parts(of: item.id) { try index.rewrite(part) }
        }
    }

    /// Adds to an item's popularity.
    package func raisePopularity(of item: ItemID, by amount: Int64) throws {
        guard amount != 0 else { return }
        try connection.run(
            """
            UPDATE item SET popularity = max(0, popularity + \(amount)) WHERE id = \(item)
            """)
        try index.movePopularity(of: item)
    }

    /// Apps on sale that have no item yet.
    package func unlistedApps(limit: Int) throws -> [AppID] {
        try connection.values(
            AppID.self,
            """
            SELECT id FROM app a
            WHERE binary_state = 'READY_FOR_SALE'
                AND NOT EXISTS (SELECT 1 FROM item i WHERE i.app = a.id)
            ORDER BY id LIMIT \(limit)
            """)
    }

    /// Whether a number is the "Apple ID" of an app, an in-app purchase, an item or an artist, or
    /// was the one of an app that was deleted: nothing else gets it.
    package func isTaken(_ number: Int64) throws -> Bool {
        try AppleIDSequence(connection: connection).isTaken(number)
    }
}

extension StoreRepositories {
    package var items: ItemRepository { ItemRepository(connection: connection, index: index) }
}

extension SQLValue {
    /// The date as a column keeps it: whole milliseconds.
    static func kept(_ date: Date) -> Date {
        guard case .integer(let milliseconds) = SQLValue.date(date) else { return date }
        return Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
    }
}
