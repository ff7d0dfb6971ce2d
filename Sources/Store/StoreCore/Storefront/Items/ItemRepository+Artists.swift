import Foundation
import StoreDatabase
import StoreModel

extension Artist: Record {
    package static let table: StaticString = "artist"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        team = try column("team", \.team, .immutable)
        name = try column("name", \.name)
        type = try column("type", \.type)
        genre = try column("genre", \.genre)
        amgArtistID = try column("amg_artist", \.amgArtistID)
        column.derived("search_name", \.searchName)
    }

    private var searchName: String { SearchText.indexed(name) }
}

extension ItemRepository {
    package func artist(_ id: ArtistID) throws -> Artist? { try connection.find(Artist.self, id) }

    package func artists(_ ids: [ArtistID]) throws -> [Artist] {
        guard !ids.isEmpty else { return [] }
        let found = try connection.all(Artist.self, "WHERE id IN \(list: ids)")
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    package func artists(amgArtistID: Int64) throws -> [Artist] {
        try connection.all(
            Artist.self, "WHERE amg_artist = \(amgArtistID) ORDER BY id LIMIT 200")
    }

    /// The artist of a name and a type, of a team.
    package func artist(named name: String, type: ArtistType, of team: Int64) throws -> Artist? {
        try connection.first(
            Artist.self,
            "WHERE name = \(name) AND type = \(type) AND team = \(team) ORDER BY id")
    }

    package func insert(_ artist: Artist, isNumbered: Bool) throws -> Artist {
        let number =
            try isNumbered
            ? artist.id.number : AppleIDSequence(connection: connection).next()
        var saved = artist
        saved.id = ArtistID(number: number)
        try connection.insert(
            saved,
            with: OtherColumn("search_row", ItemSearchIndex.row(of: saved.id, popularity: 0)))
        index.write(saved, popularity: 0)
        return saved
    }

    package func update(_ artist: Artist) throws {
        let nameBefore = try connection.value(
            String.self, "SELECT name FROM artist WHERE id = \(artist.id)")
        try connection.update(artist)
        guard nameBefore != artist.name else { return }
        try index.rewrite(artist)
        // Works are found by who made them.
        let works = try connection.all(
            Item.self, "WHERE artist = \(artist.id) AND search_row IS NOT NULL")
        for work in works { try index.rewrite(work) }
    }
}
