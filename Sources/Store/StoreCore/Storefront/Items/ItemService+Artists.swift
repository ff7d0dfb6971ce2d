import StoreModel

extension ItemService {
    package func artist(_ id: ArtistID, by actor: ConnectActor) async throws -> Artist {
        try actor.require(.viewApps)
        return try await database.read { try Self.artist(id, seenBy: actor, $0) }
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
        let now = clock.now()
        return try await database.write { repositories in
            let work = ItemWork(team: team, actor: actor, repositories: repositories, date: now)
            try work.checkTeam()
            return try work.create(artist, isNumbered: false)
        }
    }

    package func changeArtist(_ artist: Artist, by actor: ConnectActor) async throws -> Artist {
        try actor.require(.manageItems)
        let artist = try ItemRules.checked(artist)
        let now = clock.now()
        return try await database.write { repositories in
            let before = try Self.artist(artist.id, seenBy: actor, repositories)
            guard before.team == artist.team else {
                throw ConnectRefusal.notFound("artist", artist.id.description)
            }
            guard before != artist else { return artist }
            try repositories.items.update(artist)
            try repositories.audit.append(
                AuditEntry(
                    team: artist.team, actor: actor, action: "artist.update",
                    subject: artist.id.description, before: before.name, after: artist.name),
                at: now)
            return artist
        }
    }

    private static func artist(
        _ id: ArtistID, seenBy actor: ConnectActor, _ repositories: StoreRepositories
    ) throws -> Artist {
        guard let artist = try repositories.items.artist(id), actor.sees(team: artist.team) else {
            throw ConnectRefusal.notFound("artist", id.description)
        }
        return artist
    }
}

extension ItemRules {
    package static func checked(_ artist: Artist) throws -> Artist {
        var artist = artist
        artist.name = try ConnectText.checked(
            artist.name, field: "artistName", name: "name", in: 1...longestTitle)
        if let genre = artist.genre, Genre.numbered(genre) == nil {
            throw refusal(
                "genre", "primaryGenreId", "There is no genre \(genre).", "Leave it out.")
        }
        if let number = artist.amgArtistID, number <= 0 {
            throw refusal(
                "amgNumber", "amgArtistId", "The number is not positive.", "Leave it out instead.")
        }
        return artist
    }
}
