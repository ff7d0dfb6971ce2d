import StoreCore
import StoreModel
import StoreWire
import Synchronization

/// The catalogs of apps as last read, good for as long as the catalog's generation stays.
final class CatalogCache: Sendable {
    private let service: CatalogService
    private let database: any StoreDatabase
    private let kept = Mutex<[BundleID: AppCatalog]>([:])

    init(service: CatalogService, database: any StoreDatabase) {
        self.service = service
        self.database = database
    }

    /// The catalog of the caller's app.
    ///
    /// - Throws: `WireError` where the store has no such app.
    func catalog(of caller: Caller) async throws -> AppCatalog {
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
        if let known = kept.withLock({ $0[bundleID] }), known.generation == generation {
            return known
        }
        // Most changes are to other apps, and this one may have thousands of products.
        let known = kept.withLock { $0[bundleID] }
        if let known, try await service.generation(of: known.app.id) == known.appGeneration {
            let same = known.unchanged(at: generation)
            kept.withLock { $0[bundleID] = same }
            return same
        }
        let read = try await service.catalog(of: bundleID)
        kept.withLock { $0[bundleID] = read }
        return read
    }
}
