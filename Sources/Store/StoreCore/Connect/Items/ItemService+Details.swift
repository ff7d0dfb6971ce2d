import StoreModel

extension ItemService {
    /// Changes some of what is said about an item, and its state; what others have changed in the
    /// meantime stays.
    ///
    /// - Parameters:
    ///   - state: nil for the one that it has.
    ///   - artist: who made it, by name: one who is not there yet is added with the change, or
    ///     not at all. Nil for the one of the details.
    ///   - change: works on the details as they are when the change is made.
    package func change(
        _ id: ItemID, state: ItemState? = nil, artist: String? = nil, by actor: ConnectActor,
        _ change: @escaping @Sendable (inout ItemDetails) throws -> Void
    ) async throws -> Item {
        try await shop.write(as: actor, requiring: .manageItems) { work in
            let item = try work.item(id)
            var details = item.details
            try change(&details)
            var writer = ItemWriter(work, team: item.team)
            if let artist { details.artist = try writer.artist(named: artist, for: details.kind) }
            return try writer.change(
                item, to: ItemRules.checked(details), state: state)
        }
    }

    /// The artists of a team with a name, one of each type that there is.
    package func artists(
        named name: String, of team: Int64, by actor: ConnectActor
    ) async throws -> [Artist] {
        try actor.require(.viewApps)
        guard actor.sees(team: team) else { throw ConnectRefusal.notFound("team", String(team)) }
        return try await shop.read(as: actor) { work in
            try ArtistType.allCases.compactMap {
                try work.items.artist(named: name, type: $0, of: team)
            }
        }
    }
}
