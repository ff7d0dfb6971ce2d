import Foundation
import StoreModel

/// Leads hosted content from its product's making to its sale.
///
/// Each call is one transaction, and gives the product as it is afterwards.
package struct ContentService: Sendable {
    private let database: any StoreDatabase
    private let clock: any StoreClock

    package init(database: any StoreDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// Has the store host a product's content.
    ///
    /// - Throws: `ContentRefusal`.
    @discardableResult
    package func host(_ product: ProductID, of app: BundleID) async throws -> Product {
        try await change(product, of: app) { try $0.host() }
    }

    /// Takes hosting back, which is possible until the product was first on sale.
    ///
    /// - Throws: `ContentRefusal`.
    @discardableResult
    package func unhost(_ product: ProductID, of app: BundleID) async throws -> Product {
        try await change(product, of: app) { try $0.unhost() }
    }

    /// Submits the newest version that is ready, and with it a product that was never
    /// approved.
    ///
    /// - Throws: `ContentRefusal`.
    @discardableResult
    package func submit(_ product: ProductID, of app: BundleID) async throws -> Product {
        try await change(product, of: app) { _ = try $0.submit() }
    }

    @discardableResult
    package func beginReview(_ product: ProductID, of app: BundleID) async throws -> Product {
        try await change(product, of: app) { _ = try $0.beginReview() }
    }

    /// Approves the version in review: customers get it from now on.
    @discardableResult
    package func approve(_ product: ProductID, of app: BundleID) async throws -> Product {
        try await change(product, of: app) { _ = try $0.approve() }
    }

    /// Rejects the version in review; a higher version can be uploaded in its place.
    ///
    /// - Parameter message: what the publisher is to know.
    @discardableResult
    package func reject(
        _ product: ProductID, of app: BundleID, message: String
    ) async throws -> Product {
        try await change(product, of: app) { _ = try $0.reject(message: message) }
    }

    private func change(
        _ product: ProductID, of app: BundleID,
        _ step: @escaping @Sendable (inout HostedProduct) throws -> Void
    ) async throws -> Product {
        let now = clock.now()
        return try await database.write { repositories in
            var hosted = try HostedProduct(product, of: app, repositories, at: now)
            try step(&hosted)
            return hosted.product
        }
    }
}
