import Foundation
import StoreModel

/// What customers' devices get of apps: the build of the version on sale, once its file is there.
package struct AppDeliveryService: Sendable {
    private let shop: Shop
    private let content: any ContentStore

    package init(database: any ShopDatabase, content: any ContentStore, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
        self.content = content
    }

    /// What is delivered of an app: the build of a version, and its file.
    package struct AppRelease: Sendable, Hashable {
        package let app: App
        package let version: AppVersion
        package let build: AppBuild
        package let delivery: BuildDelivery
    }

    /// What is delivered of the app that an item stands for; `nil` if nothing can be. What its
    /// publisher took from sale goes on being delivered to those who have it, what the store took
    /// from sale does not.
    package func release(of item: ItemID) async throws -> AppRelease? {
        try await shop.read { work in
            guard let app = try work.items.item(item)?.details.app else { return nil }
            return try Self.release(of: app, work)
        }
    }

    /// Those of some items that stand for apps of which something can be delivered.
    package func downloadable(_ items: [ItemID]) async throws -> Set<ItemID> {
        guard !items.isEmpty else { return [] }
        return try await shop.read { work in
            let found = try work.items.items(items).filter { item in
                guard let app = item.details.app else { return false }
                return try Self.release(of: app, work) != nil
            }
            return Set(found.map(\.id))
        }
    }

    /// Opens the file as it was uploaded, or some of it, for whoever may have it; the caller closes
    /// the descriptor.
    ///
    /// - Parameter wanted: hears how many bytes there are, and says which are to be read.
    package func open(
        _ found: AppRelease, wanted: @escaping @Sendable (UInt64) -> Range<UInt64>
    ) async throws -> OpenContent? {
        let content = content
        return try await content.apart { try content.open(found.build.digest, wanted: wanted) }
    }

    /// Where a browser fetches the file for a while; `nil` if only the store has it.
    package func address(of found: AppRelease, for method: String, disposition: String) -> String? {
        content.address(
            of: found.build.digest, for: method,
            as: ContentPresentation(
                mediaType: found.delivery.format.mediaType, disposition: disposition))
    }

    /// Keeps a build's bytes for as long as somebody downloads it. A download of many requests
    /// writes this down once an hour.
    ///
    /// - Returns: false if they were given up.
    package func permit(_ found: AppRelease) async throws -> Bool {
        let now = shop.clock.now()
        if let last = found.delivery.lastPermit, last <= now, now < last.addingTimeInterval(3600) {
            return true
        }
        return try await shop.write { work in
            try work.buildDeliveries.recordPermit(of: found.build.id, at: work.now)
        }
    }

    private static func release(
        of id: AppID, _ repositories: StoreRepositories
    ) throws -> AppRelease? {
        let states: [AppVersionState] = [.readyForSale, .developerRemovedFromSale]
        let versions = try repositories.appVersions.versions(of: id)
            .filter { states.contains($0.state) }
            .sorted { $0.platform == .linux && $1.platform != .linux }
        guard let app = try repositories.catalog.app(id), let version = versions.first,
            let build = try version.build.flatMap({ try repositories.appVersions.build($0) }),
            let delivery = try repositories.buildDeliveries.delivery(of: build.id),
            !delivery.isRetired
        else { return nil }
        return AppRelease(app: app, version: version, build: build, delivery: delivery)
    }
}
