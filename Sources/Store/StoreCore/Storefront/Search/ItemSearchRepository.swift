import Foundation
import StoreDatabase
import StoreModel

/// Finds items by words, with the full-text search of the database (`TextSearch`).
///
/// Conditions are tried from the strictest on until as many items are found as are wanted; each
/// gives the most popular items first, and ends at the last one that is wanted.
package struct ItemSearchRepository {
    let connection: any SQLConnection
    let index: ItemSearchIndex

    /// How far behind the first result a search can begin.
    static let deepest = 5_000
    /// How many results one search gives.
    static let most = 1_000
    /// Of how many results, the most popular ones, the newest come first.
    static let mostSorted = 10_000

    /// Items that customers of the query's storefront see, best first.
    package func items(_ query: ItemQuery) throws -> [ItemID] {
        guard let query = ItemQuery(possible: query) else { return [] }
        try index.finish()
        let term = SearchTerm(query.term)
        let isRecent = query.order == .recent
        var found = FoundRows(wanted: isRecent ? Self.mostSorted : query.offset + query.limit)
        switch query.attribute {
        case .genre: try findByGenre(query, &found)
        case .rating: try findByRating(query, &found)
        case let attribute?:
            if let marks = ItemSearchAttributes.words(of: attribute, matching: query.term) {
                guard !marks.isEmpty else { return [] }
                try findTexts(MatchPhrase.any(marks).within([.marks]), query, &found)
            } else {
                guard !term.isEmpty else { return [] }
                try find(term, in: attribute, query, &found)
            }
        case nil:
            guard !term.isEmpty else { return [] }
            try find(term, query, &found)
        }
        let ids = found.rows.map { ItemID(number: SearchRow.item(of: $0)) }
        let ordered = isRecent ? try recentFirst(ids) : ids
        return Array(ordered.dropFirst(query.offset).prefix(query.limit))
    }

    func find(_ term: SearchTerm, _ query: ItemQuery, _ found: inout FoundRows) throws {
        let match = MatchPhrase(term)
        try findTitles(term.wholeTitle, query, &found)
        try findNames(match.beginning.within([.title]), query, &found)
        try findNames(match.allWords.within([.title, .titles]), query, &found)
        try findNames(match.allWords, query, &found)
        if let begun = match.begunBeginning { try findNames(begun.within([.title]), query, &found) }
        if let begun = match.begunWords { try findNames(begun, query, &found) }
        try findTexts(
            match.allWords.within([
                .names, .description, .keywords, .composer, .director, .producer, .actor,
            ]), query, &found)
        guard found.rows.isEmpty else { return }
        try forgive(term, columns: [], query, &found)
    }

    func find(
        _ term: SearchTerm, in attribute: ItemAttribute, _ query: ItemQuery,
        _ found: inout FoundRows
    ) throws {
        let match = MatchPhrase(term)
        switch attribute {
        case .title:
            try findTitles(term.wholeTitle, query, &found)
            try findNames(match.beginning.within([.title]), query, &found)
            try findInNames([.title, .titles], term, query, &found)
        case .artist:
            try findNames(match.beginning.within([.artist]), query, &found)
            try findInNames([.artist], term, query, &found)
        case .collection:
            try findNames(match.beginning.within([.collection]), query, &found)
            try findInNames([.collection], term, query, &found)
        case .description: try findTexts(match.allWords.within([.description]), query, &found)
        case .keywords: try findTexts(match.allWords.within([.keywords]), query, &found)
        case .composer: try findTexts(match.allWords.within([.composer]), query, &found)
        case .director: try findTexts(match.allWords.within([.director]), query, &found)
        case .producer: try findTexts(match.allWords.within([.producer]), query, &found)
        case .actor: try findTexts(match.allWords.within([.actor]), query, &found)
        case .genre, .releaseYear, .advisoryRating, .language, .rating: break
        }
    }

    func findInNames(
        _ columns: [SearchColumn], _ term: SearchTerm, _ query: ItemQuery, _ found: inout FoundRows
    ) throws {
        let match = MatchPhrase(term)
        try findNames(match.allWords.within(columns), query, &found)
        if let begun = match.begunWords { try findNames(begun.within(columns), query, &found) }
        guard found.rows.isEmpty else { return }
        try forgive(term, columns: columns, query, &found)
    }

    // MARK: Conditions

    /// The whole title equal, in any language.
    func findTitles(_ title: String, _ query: ItemQuery, _ found: inout FoundRows) throws {
        try add(
            """
            SELECT search_row FROM item_title
            WHERE title = \(title)
                AND \(query.shown.ofSearch("item_title.search_row", kinds: query.kinds))
            """, by: "search_row", &found)
    }

    func findNames(
        _ condition: SearchCondition, _ query: ItemQuery, _ found: inout FoundRows
    ) throws {
        try add(
            """
            SELECT rowid FROM item_name_search
            WHERE item_name_search MATCH \(connection.search.text(of: condition, in: .names))
                AND \(query.shown.ofSearch("item_name_search.rowid", kinds: query.kinds))
            """, by: "rowid", &found)
    }

    func findTexts(
        _ condition: SearchCondition, _ query: ItemQuery, _ found: inout FoundRows
    ) throws {
        try add(
            """
            SELECT rowid FROM item_text_search
            WHERE item_text_search MATCH \(connection.search.text(of: condition, in: .texts))
                AND \(query.shown.ofSearch("item_text_search.rowid", kinds: query.kinds))
            """, by: "rowid", &found)
    }

    private func add(_ rows: SQL, by row: SQL, _ found: inout FoundRows) throws {
        guard !found.isFull else { return }
        // What is wanted, and what was found before and comes again.
        let limit = found.wanted + found.rows.count
        found.add(
            try connection.values(Int64.self, "\(rows) ORDER BY \(row) LIMIT \(limit)"))
    }

    func recentFirst(_ ids: [ItemID]) throws -> [ItemID] {
        try connection.values(
            ItemID.self,
            """
            SELECT i.id FROM json_each(\(bound: .list(ids.map(\.number)))) found
                JOIN item i ON i.id = CAST(found.value AS INTEGER)
            ORDER BY i.release_date DESC NULLS LAST, found.key
            """)
    }
}

extension StoreRepositories {
    package var itemSearch: ItemSearchRepository {
        ItemSearchRepository(connection: connection, index: index)
    }
}

extension ItemQuery {
    /// A query that can find something; nil where nothing can.
    ///
    /// The root of a medium's genres is what its kinds are, and no item names it.
    init?(possible query: ItemQuery) {
        self = query
        limit = min(limit, ItemSearchRepository.most)
        guard limit > 0, (0...ItemSearchRepository.deepest).contains(offset) else { return nil }
        guard let number = genre else { return }
        guard let genre = Genre.numbered(number) else { return nil }
        let all = kinds.isEmpty ? Set(ItemKind.allCases) : kinds
        kinds = all.filter { Genre.root(of: $0) == genre.root }
        if kinds.isEmpty { return nil }
        if genre.parent == nil { self.genre = nil }
    }
}

/// Rows that a search has found, best first, each once.
struct FoundRows {
    let wanted: Int
    private(set) var rows: [Int64] = []
    private var known: Set<Int64> = []

    init(wanted: Int) {
        self.wanted = wanted
    }

    var isFull: Bool { rows.count >= wanted }

    mutating func add(_ more: [Int64]) {
        for row in more where !isFull && known.insert(row).inserted { rows.append(row) }
    }
}
