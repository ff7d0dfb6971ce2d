import StoreDatabase
import StoreModel

/// Products that an app's page in the store shows.
package struct PromotionRepository {
    let connection: any SQLConnection

    package func promotion(_ id: PromotionID) throws -> Promotion? {
        try connection.find(Promotion.self, id)
    }

    package func promotion(of product: ProductNumber) throws -> Promotion? {
        try connection.first(Promotion.self, "WHERE product = \(product)")
    }

    /// All of an app, in their order.
    package func promotions(of app: AppID) throws -> [Promotion] {
        try connection.all(Promotion.self, "WHERE app = \(app) ORDER BY position, id")
    }

    package func insert(_ promotion: Promotion) throws { try connection.insert(promotion) }

    package func update(_ promotion: Promotion) throws { try connection.update(promotion) }

    package func delete(_ id: PromotionID) throws { try connection.delete(Promotion.self, id) }
}

extension StoreRepositories {
    package var promotions: PromotionRepository { PromotionRepository(connection: connection) }
}
