import StoreCore
import StoreModel

extension StorefrontPageServices {
    /// Those of a list of items of which buyers download a file.
    func downloadable(_ items: [ItemID]) async throws -> Set<ItemID> {
        try await media.downloadable(items).union(try await apps.downloadable(items))
    }
}
