import StoreModel

extension ItemService {
    package func artist(_ id: ArtistID, by actor: ConnectActor) async throws -> Artist {
        try await shop.read(as: actor, requiring: .viewApps) { try $0.artist(id) }
    }

    /// Adds an artist. Two can have the same name.
    package func createArtist(
        name: String, type: ArtistType, genre: Int? = nil, amgArtistID: Int64? = nil,
        of team: Int64, by actor: ConnectActor
    ) async throws -> Artist {
        try actor.require(.manageItems)
        let artist = try ItemRules.checked(
            Artist(
                id: ArtistID(number: 0), team: team, name: name, type: type, genre: genre,
                amgArtistID: amgArtistID))
        return try await shop.write(as: actor) { work in
            _ = try work.team(team)
            let writer = ItemWriter(work, team: team)
            return try writer.create(artist, isNumbered: false)
        }
    }

    package func changeArtist(
        _ id: ArtistID, by actor: ConnectActor,
        _ change: @escaping @Sendable (inout Artist) throws -> Void
    ) async throws -> Artist {
        try await shop.write(as: actor, requiring: .manageItems) { work in
            let before = try work.artist(id)
            var artist = before
            try change(&artist)
            artist = try ItemRules.checked(artist)
            guard before != artist else { return artist }
            try work.items.update(artist)
            try work.note(
                "artist.update", on: artist.id.description, of: artist.team, before: before.name,
                after: artist.name)
            return artist
        }
    }
}

extension ItemRules {
    package static func checked(_ artist: Artist) throws -> Artist {
        var artist = artist
        artist.name = try ConnectText.checked(
            artist.name, field: "artistName", name: "name", in: 1...longestTitle)
        if let genre = artist.genre, Genre.numbered(genre) == nil {
            throw refusal("genre", "primaryGenreId", "There is no genre \(genre).", "Leave it out.")
        }
        if let number = artist.amgArtistID, number <= 0 {
            throw refusal(
                "amgNumber", "amgArtistId", "The number is not positive.", "Leave it out instead.")
        }
        return artist
    }
}

extension UnitOfWork {
    /// - Throws: `ConnectRefusal.notFound`, also for what the actor does not see.
    func artist(_ id: ArtistID) throws -> Artist {
        guard let artist = try items.artist(id), actor.sees(team: artist.team) else {
            throw ConnectRefusal.notFound("artist", id.description)
        }
        return artist
    }
}
