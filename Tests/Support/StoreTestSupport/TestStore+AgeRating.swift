import StoreCore
import StoreModel
import StoreServer

extension TestStore {
    /// Gives the sample shop's app an age rating, as its publisher states it.
    package func rate(_ rating: String?) async throws {
        let now = store.services.clock.now()
        try await store.database.write { repositories in
            let app = try repositories.catalog.app(SampleShop.bundleID)!
            let id = ItemID(number: app.id.number)
            if var item = try repositories.items.item(id) {
                item.details.facts.advisoryRating = rating
                return try repositories.items.update(item, at: now)
            }
            var details = ItemDetails(kind: .software, title: app.name, genres: [6014])
            details.facts.advisoryRating = rating
            details.app = app.id
            _ = try repositories.items.insert(
                details, id: id, of: app.teamID, state: .onSale, at: now)
        }
    }
}
