import StoreCore
import StoreKernel
import StoreModel
import StoreWire

/// The catalogs of apps as last read, good for as long as the catalog's generation stays.
final class CatalogCache: Sendable {
    private let service: CatalogService
    private let database: any ShopDatabase
    /// Bounded by the number of products, and a little for an app without any.
    private let catalogs = Cache<BundleID, AppCatalog>(
        limit: 400_000, cost: { $1.products.count + 10 })

    init(service: CatalogService, database: any ShopDatabase) {
        self.service = service
        self.database = database
    }

    /// The catalog of the caller's app.
    ///
    /// - Throws: `WireError` where the store has no such app, or the profile is for any app whose
    ///   identifier begins in some way: such a profile speaks for none of them.
    func catalog(of caller: Caller) async throws -> AppCatalog {
        let identifier = caller.profile.applicationIdentifier
        guard !identifier.isWildcard else {
            throw WireError(
                InvalidReason.wildcardApplicationIdentifier(identifier),
                to: caller.profile.bundleId)
        }
        guard let catalog = try await catalog(of: caller.profile.bundleId) else {
            throw WireError(
                InvalidReason.profileWrong("the store has no app \(caller.profile.bundleId)"),
                to: caller.profile.bundleId)
        }
        return catalog
    }

    /// The catalog of an app; nil where the store has no such app.
    func catalog(of bundleID: BundleID) async throws -> AppCatalog? {
        let generation = try await database.catalogGeneration()
        return try await catalogs.valueIfAny(for: bundleID, version: generation) {
            // Most changes are to other apps, and this one may have thousands of products.
            if let last = catalogs.lastValue(for: bundleID),
                try await service.generation(of: last.app.id) == last.generation
            {
                return last
            }
            return try await service.catalog(of: bundleID)
        }
    }
}
