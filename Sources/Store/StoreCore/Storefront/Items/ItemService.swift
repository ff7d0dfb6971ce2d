import Foundation
import StoreModel

/// Items and artists as their publishers maintain them.
package struct ItemService: Sendable {
    let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    // MARK: Reading

    /// - Throws: `ConnectRefusal.notFound`, as all calls with an identifier.
    package func item(_ id: ItemID, by actor: ConnectActor) async throws -> Item {
        try await shop.read(as: actor, requiring: .viewApps) { try $0.item(id) }
    }

    /// What keeps an item from going on sale; nil for nothing.
    package func obstacle(of id: ItemID, by actor: ConnectActor) async throws -> ItemSaleObstacle? {
        try await shop.read(as: actor, requiring: .viewApps) {
            try $0.offerObstacle(of: $0.item(id))
        }
    }

    /// A page of a team's items, the newest first.
    ///
    /// - Parameter team: nil for the actor's own, or for all of them where that is the staff.
    package func page(
        of team: Int64?, _ filter: ItemFilter, _ request: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<Item> {
        try actor.require(.viewApps)
        if let team {
            guard actor.sees(team: team) else {
                throw ConnectRefusal.notFound("team", String(team))
            }
        }
        return try await shop.read(as: actor) {
            try $0.items.page(of: team ?? actor.team, filter, request)
        }
    }

    // MARK: Changing

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - artist: who made it, by name: one who is not there yet is added with the item, or not
    ///     at all. Nil for the one of the details.
    ///   - id: the number that it has; nil for one that the store gives. An app's item has the
    ///     number of its app, whatever is said.
    package func create(
        _ details: ItemDetails, artist: String? = nil, id: ItemID? = nil, state: ItemState,
        of team: Int64, by actor: ConnectActor
    ) async throws -> Item {
        try actor.require(.manageItems)
        let checked = try ItemRules.checked(details)
        return try await shop.write(as: actor) { work in
            _ = try work.team(team)
            var writer = ItemWriter(work, team: team)
            var details = checked
            if let artist { details.artist = try writer.artist(named: artist, for: details.kind) }
            return try writer.create(details, id: id, state: state)
        }
    }

    /// Gives an item other details. Its kind and its app stay what they are.
    package func change(
        _ id: ItemID, to details: ItemDetails, by actor: ConnectActor
    ) async throws -> Item {
        try actor.require(.manageItems)
        let details = try ItemRules.checked(details)
        return try await shop.write(as: actor) { work in
            let item = try work.item(id)
            var writer = ItemWriter(work, team: item.team)
            return try writer.change(item, to: details)
        }
    }

    /// Puts an item on sale, or takes it from sale.
    ///
    /// - Throws: `ConnectRefusal`, with the rule `itemTakenDown` where the store's staff have taken it
    ///   from sale and the actor is none of them.
    package func setState(
        _ state: ItemState, of id: ItemID, by actor: ConnectActor
    ) async throws -> Item {
        try await shop.write(as: actor, requiring: .manageItems) { work in
            let item = try work.item(id)
            var writer = ItemWriter(work, team: item.team)
            return try writer.change(item, to: item.details, state: state)
        }
    }
}

extension UnitOfWork {
    /// - Throws: `ConnectRefusal.notFound`, also for what the actor does not see.
    func item(_ id: ItemID) throws -> Item {
        guard let item = try items.item(id), actor.sees(team: item.team) else {
            throw ConnectRefusal.notFound("item", id.description)
        }
        return item
    }
}
