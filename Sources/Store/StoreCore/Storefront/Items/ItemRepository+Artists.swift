import Foundation
import StoreModel

extension ItemRepository {
    package func artist(_ id: ArtistID) throws -> Artist? {
        try connection.row(
            "SELECT id, team, name, type, genre, amg_artist FROM artist WHERE id = ?1",
            [.integer(id.number)], readArtist)
    }

    package func artists(_ ids: [ArtistID]) throws -> [Artist] {
        guard !ids.isEmpty else { return [] }
        return try connection.rows(
            """
            SELECT a.id, team, name, a.type, genre, amg_artist
            FROM json_each(?1) wanted CROSS JOIN artist a
                ON a.id = CAST(wanted.value AS INTEGER)
            ORDER BY wanted.key
            """, [.list(ids.map(\.number))], readArtist)
    }

    package func artists(amgArtistID: Int64) throws -> [Artist] {
        try connection.rows(
            """
            SELECT id, team, name, type, genre, amg_artist FROM artist WHERE amg_artist = ?1
            ORDER BY id LIMIT 200
            """, [.integer(amgArtistID)], readArtist)
    }

    /// The artist of a name and a type, of a team.
    package func artist(named name: String, type: ArtistType, of team: Int64) throws -> Artist? {
        try connection.row(
            """
            SELECT id, team, name, type, genre, amg_artist FROM artist
            WHERE name = ?1 AND type = ?2 AND team = ?3 ORDER BY id LIMIT 1
            """, [.text(name), .text(type.rawValue), .integer(team)], readArtist)
    }

    package func insert(_ artist: Artist, isNumbered: Bool) throws -> Artist {
        let number =
            try isNumbered
            ? artist.id.number : AppleIDSequence(connection: connection).next()
        let saved = Artist(
            id: ArtistID(number: number), team: artist.team, name: artist.name, type: artist.type,
            genre: artist.genre, amgArtistID: artist.amgArtistID)
        try connection.run(
            """
            INSERT INTO artist (id, team, name, type, genre, amg_artist, search_name, search_row)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """, columns(of: saved) + [.integer(ItemSearchIndex.row(of: saved.id, popularity: 0))])
        index.write(saved, popularity: 0)
        return saved
    }

    package func update(_ artist: Artist) throws {
        let nameBefore = try connection.row(
            "SELECT name FROM artist WHERE id = ?1", [.integer(artist.id.number)]
        ) { $0.text(0) }
        try connection.run(
            """
            UPDATE artist SET name = ?3, type = ?4, genre = ?5, amg_artist = ?6, search_name = ?7
            WHERE id = ?1 AND team = ?2
            """, columns(of: artist))
        guard nameBefore != artist.name else { return }
        try index.rewrite(artist)
        // Works are found by who made them.
        let works = try connection.rows(
            """
            SELECT r.* FROM item i JOIN item_row r ON r.id = i.id
            WHERE i.artist = ?1 AND i.search_row IS NOT NULL
            """, [.integer(artist.id.number)], Self.read)
        for work in works { try index.rewrite(work) }
    }

    private func columns(of artist: Artist) -> [SQLValue] {
        [
            .integer(artist.id.number), .integer(artist.team), .text(artist.name),
            .text(artist.type.rawValue), artist.genre.map { .integer($0) } ?? .noInteger,
            .integer(artist.amgArtistID), .text(SearchText.indexed(artist.name)),
        ]
    }

    private func readArtist(_ row: any SQLRow) throws -> Artist {
        Artist(
            id: ArtistID(number: row.integer(0)), team: row.integer(1), name: row.text(2),
            type: try row.value(3, ArtistType.init(rawValue:)),
            genre: row.optionalInteger(4).map { Int($0) }, amgArtistID: row.optionalInteger(5))
    }
}
