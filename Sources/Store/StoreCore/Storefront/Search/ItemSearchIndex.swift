import Foundation
import StoreModel

/// Keeps what searches and charts look through in step with items and artists.
///
/// Only what customers see stands there. An index belongs to the transaction that changes the
/// items, and is finished at its end.
///
/// FTS5 writes what it has gathered whenever a savepoint begins, as each statement with triggers
/// makes one: a row at a time costs it several times what many at once do. So new rows wait
/// until the end of the transaction, or until they are asked for.
final class ItemSearchIndex {
    private let connection: any SQLConnection
    /// Values of rows that wait, by table.
    private var names: [[SQLValue]] = []
    private var texts: [[SQLValue]] = []
    private var artists: [[SQLValue]] = []
    /// Words of the names in them.
    private var words: Set<Substring> = []

    /// What of a description is searched.
    static let longestDescription = 4_000

    init(connection: any SQLConnection) {
        self.connection = connection
    }

    /// Writes what waits.
    func finish() throws {
        guard !names.isEmpty || !artists.isEmpty else { return }
        defer { (names, texts, artists, words) = ([], [], [], []) }
        try writeWords()
        for values in names {
            try connection.run(
                """
                INSERT INTO item_name_search (rowid, title, titles, artist, collection)
                VALUES (?1, ?2, ?3, ?4, ?5)
                """, values)
        }
        for values in texts {
            try connection.run(
                """
                INSERT INTO item_text_search (rowid, names, description, keywords, composer,
                    director, producer, actor, marks)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                """, values)
        }
        for values in artists {
            try connection.run("INSERT INTO artist_search (rowid, name) VALUES (?1, ?2)", values)
        }
    }

    /// Adds the words that are new.
    private func writeWords() throws {
        let new = try connection.rows(
            """
            INSERT INTO search_word SELECT value FROM json_each(?1) WHERE true
            ON CONFLICT DO NOTHING RETURNING word
            """, [.list(words.map(String.init))]
        ) { $0.text(0) }
        for word in new {
            for part in TypingErrors.parts(of: word) {
                try connection.run(
                    "INSERT INTO search_word_part (part, word) VALUES (?1, ?2)",
                    [.text(part), .text(word)])
            }
        }
    }

    /// Remembers the words of a name that typing errors are looked for in.
    private func note(_ name: String) {
        for word in name.split(scalar: " ") where word.utf8.count >= TypingErrors.shortest - 1 {
            words.insert(word)
        }
    }

    // MARK: Items

    /// The number of an item's rows; nil for what customers don't see.
    static func row(of item: Item) -> Int64? {
        item.state == .onSale ? SearchRow(of: item).number : nil
    }

    /// Writes the rows of an item that has none, and whose `search_row` says which they are.
    func write(_ item: Item) throws {
        guard let row = Self.row(of: item) else { return }
        let details = item.details
        let names = try self.names(of: details)
        for title in names.allTitles {
            try connection.run(
                """
                INSERT INTO item_title (title, search_row) VALUES (?1, ?2) ON CONFLICT DO NOTHING
                """,
                [.text(title), .integer(row)])
        }
        self.names.append([
            .integer(row), .text(names.title), .text(names.titles.joined(separator: "\n")),
            .text(names.artist), .text(names.collection),
        ])
        let facts = details.facts
        let allNames = [names.title] + names.titles + [names.artist, names.collection]
        for name in allNames { note(name) }
        texts.append([
            .integer(row), .text(allNames.joined(separator: "\n")),
            .text(description(of: details)), .text(indexed(facts.keywords)),
            .text(indexed([facts.composer ?? ""])), .text(indexed([facts.director ?? ""])),
            .text(indexed(facts.producers)), .text(indexed(facts.actors)),
            .text(ItemMarks(details).text),
        ])
        for genre in Self.genres(of: details) {
            try connection.run(
                """
                INSERT INTO item_genre (genre, kind, is_free, rank, item)
                VALUES (?1, ?2, ?3, ?4, ?5)
                """,
                [
                    .integer(genre), .text(details.kind.rawValue),
                    .integer(details.prices.isFree), .integer(-item.popularity),
                    .integer(item.id.number),
                ])
        }
    }

    /// Writes the rows of an item anew, where its texts are those of others.
    func rewrite(_ item: Item) throws {
        guard let row = try searchRow(of: item.id), row == Self.row(of: item) else { return }
        try remove(item.id)
        try write(item)
    }

    /// Takes away the rows of an item. What `search_row` says is the caller's to change.
    func remove(_ id: ItemID) throws {
        try finish()
        guard let row = try searchRow(of: id) else { return }
        for title in try titles(in: row) {
            try connection.run(
                "DELETE FROM item_title WHERE title = ?1 AND search_row = ?2",
                [.text(title), .integer(row)])
        }
        try connection.run("DELETE FROM item_name_search WHERE rowid = ?1", [.integer(row)])
        try connection.run("DELETE FROM item_text_search WHERE rowid = ?1", [.integer(row)])
        try connection.run("DELETE FROM item_genre WHERE item = ?1", [.integer(id.number)])
    }

    /// Follows an item's popularity: its rows move where it has come to another step.
    func movePopularity(of id: ItemID) throws {
        try finish()
        guard let row = try searchRow(of: id) else { return }
        let popularity =
            try connection.row(
                "SELECT popularity FROM item WHERE id = ?1", [.integer(id.number)]
            ) { $0.integer(0) } ?? 0
        try connection.run(
            "UPDATE item_genre SET rank = -?2 WHERE item = ?1",
            [.integer(id.number), .integer(popularity)])
        let moved = (255 - SearchRow.step(popularity)) << 47 | row & (1 << 47 - 1)
        guard moved != row else { return }
        let both: [SQLValue] = [.integer(row), .integer(moved)]
        for title in try titles(in: row) {
            try connection.run(
                "UPDATE item_title SET search_row = ?2 WHERE search_row = ?1 AND title = ?3",
                both + [.text(title)])
        }
        try connection.run(
            """
            INSERT INTO item_name_search (rowid, title, titles, artist, collection)
            SELECT ?2, title, titles, artist, collection FROM item_name_search WHERE rowid = ?1
            """, both)
        try connection.run("DELETE FROM item_name_search WHERE rowid = ?1", [.integer(row)])
        try connection.run(
            """
            INSERT INTO item_text_search (rowid, names, description, keywords, composer, director,
                producer, actor, marks)
            SELECT ?2, names, description, keywords, composer, director, producer, actor, marks
            FROM item_text_search WHERE rowid = ?1
            """, both)
        try connection.run("DELETE FROM item_text_search WHERE rowid = ?1", [.integer(row)])
        try connection.run(
            "UPDATE item SET search_row = ?2 WHERE id = ?1",
            [.integer(id.number), .integer(moved)])
    }

    private func searchRow(of id: ItemID) throws -> Int64? {
        try connection.row(
            "SELECT search_row FROM item WHERE id = ?1 AND search_row IS NOT NULL",
            [.integer(id.number)]
        ) { $0.integer(0) }
    }

    /// The titles of an item as they stand in the index.
    private func titles(in row: Int64) throws -> Set<String> {
        try connection.row(
            "SELECT title, titles FROM item_name_search WHERE rowid = ?1", [.integer(row)]
        ) { row in
            Set([row.text(0)] + row.text(1).split(scalar: "\n").map(String.init))
                .subtracting([""])
        } ?? []
    }

    // MARK: Texts

    private struct Names {
        var title: String
        /// In other languages.
        var titles: [String]
        var artist: String
        var collection: String

        var allTitles: Set<String> { Set([title] + titles).subtracting([""]) }
    }

    private func names(of details: ItemDetails) throws -> Names {
        let title = SearchText.indexed(details.title)
        var others: [String] = []
        for (_, text) in details.texts.sorted(by: { $0.key < $1.key }) {
            let other = SearchText.indexed(text.title)
            if other != title, !other.isEmpty, !others.contains(other) { others.append(other) }
        }
        let artist = try details.artist.flatMap { artist in
            try connection.row(
                "SELECT name FROM artist WHERE id = ?1", [.integer(artist.number)]
            ) { $0.text(0) }
        }
        let collection = try details.parent.flatMap { parent in
            try connection.row(
                "SELECT title FROM item WHERE id = ?1", [.integer(parent.number)]
            ) { $0.text(0) }
        }
        return Names(
            title: title, titles: others, artist: SearchText.indexed(artist ?? ""),
            collection: details.kind.isCollection ? title : SearchText.indexed(collection ?? ""))
    }

    private func description(of details: ItemDetails) -> String {
        var texts: [String] = []
        for (_, text) in details.texts.sorted(by: { $0.key < $1.key }) {
            texts += [text.subtitle, text.description, text.shortDescription]
        }
        texts.append(details.facts.sellerName ?? "")
        return indexed(texts.filter { !$0.isEmpty })
    }

    private func indexed(_ texts: [String]) -> String {
        texts.map { SearchText.indexed($0, limit: Self.longestDescription) }
            .joined(separator: "\n")
    }

    /// An item's genres and those above them, without the roots, which its kind says.
    private static func genres(of details: ItemDetails) -> Set<Int> {
        var all: Set<Int> = []
        for number in details.genres {
            var genre = Genre.numbered(number)
            while let current = genre, let parent = current.parent {
                all.insert(current.id)
                genre = Genre.numbered(parent)
            }
        }
        return all
    }

    // MARK: Artists

    static func row(of artist: ArtistID, popularity: Int64) -> Int64 {
        SearchRow(of: artist.number, popularity: popularity).number
    }

    func write(_ artist: Artist, popularity: Int64) {
        let name = SearchText.indexed(artist.name)
        note(name)
        artists.append([
            .integer(Self.row(of: artist.id, popularity: popularity)), .text(name),
        ])
    }

    /// Writes the row of an artist anew, whose name or popularity is another one now.
    func rewrite(_ artist: Artist) throws {
        try finish()
        let known = try connection.row(
            "SELECT search_row, popularity FROM artist WHERE id = ?1",
            [.integer(artist.id.number)]
        ) { (row: $0.integer(0), popularity: $0.integer(1)) }
        guard let known else { return }
        try connection.run("DELETE FROM artist_search WHERE rowid = ?1", [.integer(known.row)])
        write(artist, popularity: known.popularity)
        try connection.run(
            "UPDATE artist SET search_row = ?2 WHERE id = ?1",
            [
                .integer(artist.id.number),
                .integer(Self.row(of: artist.id, popularity: known.popularity)),
            ])
    }
}
