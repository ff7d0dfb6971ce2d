import StoreDatabase
import StoreModel

extension StoreRepositories {
    /// Products that an app's page in the store shows.
    package var promotions: Records<Promotion> { Records(connection) }
}

extension Records<Promotion> {
    package func promotion(of product: ProductNumber) throws -> Promotion? {
        try connection.first(Promotion.self, "WHERE product = \(product)")
    }

    /// All of an app, in their order.
    package func promotions(of app: AppID) throws -> [Promotion] {
        try connection.all(Promotion.self, "WHERE app = \(app) ORDER BY position, id")
    }
}
