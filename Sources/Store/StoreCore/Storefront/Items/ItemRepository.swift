import Foundation
import StoreModel

/// Items of the storefront, and who made them.
package struct ItemRepository {
    let connection: any SQLConnection
    let index: ItemSearchIndex

    /// Grows with each change to what customers see on the storefront's pages: items, artists,
    /// pictures, reviews. A sale alone is none; popularity counts where it changes the order of
    /// searches.
    package func generation() throws -> Int64 {
        try connection.value(Int64.self, "SELECT generation FROM storefront_clock WHERE id = 1")
            ?? 0
    }

    // MARK: Reading

    package func item(_ id: ItemID) throws -> Item? {
        try connection.row(
            "SELECT * FROM item_row WHERE id = ?1", [.integer(id.number)], Self.read)
    }

    /// Those that there are, in the order of the identifiers.
    package func items(_ ids: [ItemID]) throws -> [Item] {
        guard !ids.isEmpty else { return [] }
        return try connection.rows(
            """
            SELECT r.* FROM json_each(?1) wanted CROSS JOIN item_row r
                ON r.id = CAST(wanted.value AS INTEGER)
            ORDER BY wanted.key
            """, [.list(ids.map(\.number))], Self.read)
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
        try connection.rows(
            """
            SELECT r.* FROM item i JOIN item_row r ON r.id = i.id
            WHERE i.parent = ?1 ORDER BY i.disc, i.position, i.id
            """, [.integer(item.number)], Self.read)
    }

    /// Items on sale in the order of their numbers, from one of them on.
    package func onSale(from id: ItemID, limit: Int) throws -> [Item] {
        try connection.rows(
            """
            SELECT r.* FROM item i JOIN item_row r ON r.id = i.id
            WHERE i.state = 'ON_SALE' AND i.id >= ?1 ORDER BY i.id LIMIT ?2
            """, [.integer(id.number), .integer(limit)], Self.read)
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
        let ofTeam: SQL? = team.map { "AND i.team = \($0)" }
        let ofKinds: SQL? =
            filter.kinds.isEmpty ? nil : "AND i.kind IN \(list: Array(filter.kinds))"
        let ofStates: SQL? =
            filter.states.isEmpty ? nil : "AND i.state IN \(list: Array(filter.states))"
        let found: SQL? = filter.search.map { text in
            """
            AND (instr(lower(i.title), lower(\(text))) > 0
                OR CAST(i.id AS TEXT) = \(text) OR i.bundle_id = \(text))
            """
        }
        // An index knows what a team has; all of them stand in the order of their numbers.
        let rows = try connection.rows(
            """
            SELECT r.* FROM item i JOIN item_row r ON r.id = i.id
            WHERE i.id < \(try request.key() ?? Int64.max)
                \(ofTeam) \(ofKinds) \(ofStates) \(found)
            ORDER BY i.id DESC LIMIT \(request.limit + 1)
            """, Self.read)
        let items = Array(rows.prefix(request.limit))
        let next = rows.count > request.limit ? items.last?.id.description : nil
        return ListPage(items: items, total: nil, next: next)
    }

    static func read(_ row: any SQLRow) throws -> Item {
        let kind = try row.value(6, ItemKind.init(rawValue:))
        var details = ItemDetails(
            kind: kind, title: "",
            // Earlier programs put apps without a genre into the root of all apps.
            genres: row.text(10).split(scalar: ",").compactMap { Int($0) }
                .filter { !kind.isApp || Genre.isCategory($0) },
            prices: try ItemRow.prices(row, 15), primaryLocale: row.text(13))
        details.app = row.optionalInteger(7).map { AppID(number: $0) }
        details.artist = row.optionalInteger(8).map { ArtistID(number: $0) }
        details.parent = row.optionalInteger(9).map { ItemID(number: $0) }
        details.releaseDate = row.isNull(11) ? nil : row.date(11)
        details.explicitness = try row.value(12, Explicitness.init(rawValue:))
        details.texts = try ItemRow.value([String: ItemText].self, row, 14)
        details.rentalPrices =
            try row.isNull(16) ? nil : ItemRow.prices(row, 16)
        details.bundleID = row.optionalText(17)
        details.upc = row.optionalText(18)
        details.isbn = row.optionalText(19)
        details.amgAlbumID = row.optionalInteger(20)
        details.amgVideoID = row.optionalInteger(21)
        details.facts = try ItemRow.facts(row, 22)
        return Item(
            id: ItemID(number: row.integer(0)), team: row.integer(1), details: details,
            state: try row.value(2, ItemState.init(rawValue:)), popularity: row.integer(3),
            created: row.date(4), changed: row.date(5))
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
        try connection.run(
            """
            INSERT INTO item (id, team, kind, app, artist, parent, disc, position, release_date,
                state, explicitness, is_free, storefronts, bundle_id, upc, isbn, amg_album,
                amg_video, primary_locale, title, genres, texts, prices, rental_prices, facts,
                changed, is_free_somewhere, created, search_row)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?26, ?28)
            """, try columns(of: item) + [.integer(ItemSearchIndex.row(of: item))])
        try index.write(item)
        return item
    }

    /// Changes an item, and what searches know of it.
    package func update(_ item: Item, at date: Date) throws {
        let before = try connection.row(
            "SELECT title, popularity FROM item WHERE id = ?1", [.integer(item.id.number)]
        ) { (title: $0.text(0), popularity: $0.integer(1)) }
        // What the search knows is found by the row as it was.
        try index.remove(item.id)
        var item = item
        item.changed = date
        // Sales and ratings raise it, whatever was read before.
        item.popularity = before?.popularity ?? item.popularity
        try connection.run(
            """
            UPDATE item SET artist = ?5, parent = ?6, disc = ?7, position = ?8,
                release_date = ?9, state = ?10, explicitness = ?11, is_free = ?12,
                storefronts = ?13, bundle_id = ?14, upc = ?15, isbn = ?16, amg_album = ?17,
                amg_video = ?18, primary_locale = ?19, title = ?20, genres = ?21, texts = ?22,
                prices = ?23, rental_prices = ?24, facts = ?25, changed = ?26,
                is_free_somewhere = ?27, search_row = ?28
            WHERE id = ?1 AND team = ?2 AND kind = ?3 AND app IS ?4
            """, try columns(of: item) + [.integer(ItemSearchIndex.row(of: item))])
        try index.write(item)
        // Parts are found by the name of the whole.
        if item.details.kind.isCollection, before?.title != item.details.title {
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

    private func columns(of item: Item) throws -> [SQLValue] {
        let details = item.details
        let storefronts = details.prices.shownIn.map { ":" + $0.map { $0 + ":" }.joined() }
        return [
            .integer(item.id.number), .integer(item.team), .text(details.kind.rawValue),
            .integer(details.app?.number), .integer(details.artist?.number),
            .integer(details.parent?.number), .integer(details.facts.discNumber ?? 1),
            .integer(details.facts.trackNumber ?? 0), .date(details.releaseDate),
            .text(item.state.rawValue), .text(details.explicitness.rawValue),
            .integer(details.prices.isFree), .text(storefronts), .text(details.bundleID),
            .text(details.upc), .text(details.isbn), .integer(details.amgAlbumID),
            .integer(details.amgVideoID), .text(details.primaryLocale), .text(details.title),
            .text(details.genres.map(String.init).joined(separator: ",")),
            .text(try ItemRow.text(details.texts)), .text(try ItemRow.text(details.prices)),
            try details.rentalPrices.map { .text(try ItemRow.text($0)) } ?? .noText,
            .text(try ItemRow.text(details.facts)), .date(item.changed),
            .integer(details.prices.isFreeSomewhere),
        ]
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

extension SQLValue {
    /// The date as a column keeps it: whole milliseconds.
    static func kept(_ date: Date) -> Date {
        guard case .integer(let milliseconds) = SQLValue.date(date) else { return date }
        return Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
    }
}
