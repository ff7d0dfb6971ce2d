import Foundation
import StoreDatabase
import StoreModel

extension ItemSearchRepository {
    /// The most popular items of the genres that a term names, by name or number.
    func findByGenre(_ query: ItemQuery, _ found: inout FoundRows) throws {
        let wanted = SearchText.indexed(query.term, limit: SearchTerm.longest)
        let genres = Genre.all.filter {
            String($0.id) == wanted || SearchText.indexed($0.name) == wanted
        }
        let kinds = query.kinds.isEmpty ? Set(ItemKind.allCases) : query.kinds
        // Genres of one name, such as Comedy, are in several media.
        var rows: [Int64] = []
        for genre in genres {
            for kind in kinds where Genre.root(of: kind) == genre.root {
                rows +=
                    genre.parent == nil
                    ? try self.rows(of: kind, query, limit: found.wanted)
                    : try self.rows(of: kind, in: genre, query, limit: found.wanted)
            }
        }
        found.add(rows.sorted())
    }

    /// The most popular items of a kind.
    private func rows(of kind: ItemKind, _ query: ItemQuery, limit: Int) throws -> [Int64] {
        try [true, false].flatMap { isFree in
            try connection.values(
                Int64.self,
                """
                SELECT i.search_row FROM item i
                WHERE i.kind = \(kind) AND i.is_free = \(isFree) AND i.state = 'ON_SALE'
                    AND \(query.shown.ofItem)
                ORDER BY i.popularity DESC, i.id LIMIT \(limit)
                """)
        }
    }

    /// The most popular items of a kind in a genre.
    private func rows(
        of kind: ItemKind, in genre: Genre, _ query: ItemQuery, limit: Int
    ) throws -> [Int64] {
        try [true, false].flatMap { isFree in
            try connection.values(
                Int64.self,
                """
                SELECT i.search_row FROM item_genre f JOIN item i ON i.id = f.item
                WHERE f.genre = \(genre.id) AND f.kind = \(kind) AND f.is_free = \(isFree)
                    AND \(query.shown.ofItem)
                ORDER BY f.rank, f.item LIMIT \(limit)
                """)
        }
    }

    /// Items whose average, rounded, is so many stars.
    func findByRating(_ query: ItemQuery, _ found: inout FoundRows) throws {
        let text = query.term.prefix(SearchTerm.longest).filter { !$0.isWhitespace }
        guard let stars = Int(text), (1...5).contains(stars) else { return }
        found.add(
            try connection.values(
                Int64.self,
                """
                SELECT i.search_row FROM item_rating r JOIN item i ON i.id = r.item
                WHERE r.environment = \(query.environment) AND r.version = ''
                    AND i.search_row IS NOT NULL
                    AND round((r.one + 2 * r.two + 3 * r.three + 4 * r.four + 5 * r.five) * 1.0
                        / (r.one + r.two + r.three + r.four + r.five)) = \(stars)
                    AND \(query.shown.ofSearch("i.search_row", kinds: query.kinds))
                ORDER BY i.search_row LIMIT \(found.wanted)
                """))
    }

    // MARK: Typing errors

    /// How many words of a term are guessed: more of them are no typing errors.
    private static let mostGuesses = 3

    /// Looks for words that differ from the term's by one letter, where nothing else was found.
    func forgive(
        _ term: SearchTerm, columns: [SearchColumn], _ query: ItemQuery, _ found: inout FoundRows
    ) throws {
        let choices = try choices(for: term) { try connection.search.known($0, in: .names) }
        guard let choices else { return }
        try findNames(MatchPhrase.each(choices).within(columns), query, &found)
    }

    /// For each word of a term what it may have been meant as; nil where there is no guess.
    ///
    /// Words that the index does not know are guessed; where it knows all of them, but nothing
    /// that has them all, each may be the wrong one.
    private func choices(
        for term: SearchTerm, look: ([String]) throws -> [KnownWord]
    ) throws -> [[SearchText.Word]]? {
        let known = Set(try look(term.words.map(\.text)).map(\.word))
        let unknown = term.words.filter { !known.contains($0.text) && !$0.isRun }
        let doubtful = unknown.isEmpty ? term.words : unknown
        guard doubtful.count <= Self.mostGuesses else { return nil }
        var isGuessed = false
        let choices = try term.words.map { word -> [SearchText.Word] in
            guard doubtful.contains(word) else { return [word] }
            guard TypingErrors.isGuessed(word) else { return [word] }
            let others = try look(meant(by: word.text)).sorted {
                ($1.count, $0.word) < ($0.count, $1.word)
            }
            if !others.isEmpty { isGuessed = true }
            return [word] + others.prefix(4).map { SearchText.Word(text: $0.word, isRun: false) }
        }
        return isGuessed ? choices : nil
    }

    /// Words that differ from a typed one by one error.
    private func meant(by typed: String) throws -> [String] {
        try connection.values(
            String.self,
            """
            SELECT DISTINCT p.word FROM json_each(\(bound: .list(TypingErrors.parts(of: typed).sorted()))) j
            CROSS JOIN search_word_part p ON p.part = j.value
            """
        )
        .filter { TypingErrors.isOne(from: typed, to: $0) }
    }

    // MARK: Artists

    /// Artists with at least one such item, best first.
    package func artists(_ query: ItemQuery) throws -> [ArtistID] {
        guard let query = ItemQuery(possible: query) else { return [] }
        try index.finish()
        if let attribute = query.attribute, attribute != .artist {
            return try makers(query)
        }
        let term = SearchTerm(query.term)
        guard !term.isEmpty else { return [] }
        let match = MatchPhrase(term)
        var found = FoundRows(wanted: query.offset + query.limit)
        try addArtists(
            "SELECT a.search_row FROM artist a WHERE a.search_name = \(term.wholeTitle)",
            who: "a.id", by: "a.search_row", query, &found)
        var matches = [match.beginning, match.allWords]
        if let begun = match.begunWords { matches.append(begun) }
        for match in matches { try addMatchingArtists(match, query, &found) }
        if found.rows.isEmpty {
            let choices = try choices(for: term) { try connection.search.known($0, in: .artists) }
            if let choices { try addMatchingArtists(MatchPhrase.each(choices), query, &found) }
        }
        return found.rows.dropFirst(query.offset).prefix(query.limit).map {
            ArtistID(number: SearchRow.item(of: $0))
        }
    }

    private func addMatchingArtists(
        _ condition: SearchCondition, _ query: ItemQuery, _ found: inout FoundRows
    ) throws {
        let text = connection.search.text(of: condition, in: .artists)
        try addArtists(
            "SELECT rowid FROM artist_search WHERE artist_search MATCH \(text)",
            who: "artist_search.rowid >> 7 & 1099511627775", by: "rowid", query, &found)
    }

    /// - Parameters:
    ///   - artist: the artist's identifier in the rows.
    ///   - row: the number of the artist's `SearchRow`.
    private func addArtists(
        _ rows: SQL, who artist: SQL, by row: SQL, _ query: ItemQuery, _ found: inout FoundRows
    ) throws {
        guard !found.isFull else { return }
        var shown = query.shown
        // Who makes something is found, whatever it is for.
        shown.isForTablets = false
        let ofKinds: SQL? = query.kinds.isEmpty ? nil : "AND i.kind IN \(list: Array(query.kinds))"
        found.add(
            try connection.values(
                Int64.self,
                """
                \(rows) AND EXISTS (
                    SELECT 1 FROM item i WHERE i.artist = \(artist) AND i.state = 'ON_SALE' \(ofKinds)
                        AND \(shown.ofItem))
                ORDER BY \(row) LIMIT \(found.wanted + found.rows.count)
                """))
    }

    /// Who made the items that a search by another attribute finds.
    private func makers(_ query: ItemQuery) throws -> [ArtistID] {
        var wide = query
        wide.offset = 0
        wide.limit = Self.most
        let makers = try connection.values(
            ArtistID.self,
            """
            SELECT i.artist FROM json_each(\(bound: .list(try items(wide).map(\.number)))) found
                JOIN item i ON i.id = CAST(found.value AS INTEGER)
            WHERE i.artist IS NOT NULL GROUP BY i.artist ORDER BY min(found.key)
            """)
        return Array(makers.dropFirst(query.offset).prefix(query.limit))
    }
}
