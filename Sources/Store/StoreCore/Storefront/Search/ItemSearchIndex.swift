import Foundation
import StoreDatabase
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
    /// Rows that wait.
    private var names: [ItemNames] = []
    private var texts: [ItemSearchTexts] = []
    private var artists: [ArtistName] = []
    /// Words of the names in them.
    private var words: Set<Substring> = []

    init(connection: any SQLConnection) {
        self.connection = connection
    }

    /// Writes what waits.
    func finish() throws {
        guard !names.isEmpty || !artists.isEmpty else { return }
        defer { (names, texts, artists, words) = ([], [], [], []) }
        try writeWords()
        for row in names { try connection.insert(row) }
        for row in texts { try connection.insert(row) }
        for row in artists { try connection.insert(row) }
    }

    /// Adds the words that are new.
    private func writeWords() throws {
        let new = try connection.values(
            String.self,
            """
            INSERT INTO search_word
            SELECT value FROM json_each(\(bound: .list(words.map(String.init)))) WHERE true
            ON CONFLICT DO NOTHING RETURNING word
            """)
        for word in new {
            for part in TypingErrors.parts(of: word) {
                try connection.run(
                    "INSERT INTO search_word_part (part, word) VALUES (\(part), \(word))")
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
        let names = try ItemNames(
            row, of: details, artist: name(of: details.artist),
            collection: title(of: details.parent))
        for title in names.allTitles {
            try connection.run(
                """
                INSERT INTO item_title (title, search_row) VALUES (\(title), \(row))
                ON CONFLICT DO NOTHING
                """)
        }
        self.names.append(names)
        for name in names.all { note(name) }
        texts.append(ItemSearchTexts(row, of: details, names: names))
        for genre in Self.genres(of: details) {
            try connection.run(
                """
                INSERT INTO item_genre (genre, kind, is_free, rank, item)
                VALUES (\(genre), \(details.kind), \(details.prices.isFree), \(-item.popularity),
                    \(item.id))
                """)
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
        for title in try connection.find(ItemNames.self, row)?.allTitles ?? [] {
            try connection.run(
                "DELETE FROM item_title WHERE title = \(title) AND search_row = \(row)")
        }
        try connection.delete(ItemNames.self, row)
        try connection.delete(ItemSearchTexts.self, row)
        try connection.run("DELETE FROM item_genre WHERE item = \(id)")
    }

    /// Follows an item's popularity: its rows move where it has come to another step.
    func movePopularity(of id: ItemID) throws {
        try finish()
        guard let row = try searchRow(of: id) else { return }
        let popularity =
            try connection.value(Int64.self, "SELECT popularity FROM item WHERE id = \(id)") ?? 0
        try connection.run("UPDATE item_genre SET rank = -\(popularity) WHERE item = \(id)")
        let moved = (255 - SearchRow.step(popularity)) << 47 | row & (1 << 47 - 1)
        guard moved != row else { return }
        if var names = try connection.find(ItemNames.self, row) {
            for title in names.allTitles {
                try connection.run(
                    """
                    UPDATE item_title SET search_row = \(moved)
                    WHERE search_row = \(row) AND title = \(title)
                    """)
            }
            names.row = moved
            try connection.delete(ItemNames.self, row)
            try connection.insert(names)
        }
        if var words = try connection.find(ItemSearchTexts.self, row) {
            words.row = moved
            try connection.delete(ItemSearchTexts.self, row)
            try connection.insert(words)
        }
        try connection.run("UPDATE item SET search_row = \(moved) WHERE id = \(id)")
    }

    private func searchRow(of id: ItemID) throws -> Int64? {
        try connection.value(
            Int64.self, "SELECT search_row FROM item WHERE id = \(id) AND search_row IS NOT NULL")
    }

    private func name(of artist: ArtistID?) throws -> String? {
        try artist.flatMap { artist in
            try connection.value(String.self, "SELECT name FROM artist WHERE id = \(artist)")
        }
    }

    private func title(of item: ItemID?) throws -> String? {
        try item.flatMap { item in
            try connection.value(String.self, "SELECT title FROM item WHERE id = \(item)")
        }
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
        artists.append(
            ArtistName(row: Self.row(of: artist.id, popularity: popularity), name: name))
    }

    /// Writes the row of an artist anew, whose name or popularity is another one now.
    func rewrite(_ artist: Artist) throws {
        try finish()
        let popularity = try connection.value(
            Int64.self, "SELECT popularity FROM artist WHERE id = \(artist.id)")
        guard let popularity else { return }
        try connection.run(
            """
            DELETE FROM artist_search
            WHERE rowid = (SELECT search_row FROM artist WHERE id = \(artist.id))
            """)
        write(artist, popularity: popularity)
        let row = Self.row(of: artist.id, popularity: popularity)
        try connection.run("UPDATE artist SET search_row = \(row) WHERE id = \(artist.id)")
    }
}
