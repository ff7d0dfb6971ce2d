import Foundation
import StoreModel

/// Which products have hosted content, and the versions of it. `ReviewService` leads a version to its
/// sale.
package struct ContentService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// Switches hosting on or off for somebody of the product's team.
    ///
    /// - Throws: `ConnectRefusal`.
    package func setHosting(
        _ isHosted: Bool, of product: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try await shop.write(as: actor, requiring: .manageProducts) { work in
            let found = try work.product(product)
            let (app, record) = (found.app, found.record)
            var hosted = HostedProduct(record.product, of: app, work)
            do {
                if isHosted { try hosted.host() } else { try hosted.unhost() }
            } catch let refusal as ContentRefusal {
                throw ConnectRefusal(refusal)
            }
            guard hosted.product != record.product else { return record }
            try work.note(
                isHosted ? "product.host" : "product.unhost", on: record.id.text, of: app.teamID,
                before: record.state.rawValue, after: hosted.product.details.state.rawValue)
            return try work.product(product).record
        }
    }

    /// The versions of a product's content with what happened to them, the newest first.
    package func versions(
        of product: ProductNumber, by actor: ConnectActor
    ) async throws -> [ReleaseRecord] {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let product = try work.product(product)
            return try work.content.records(of: product.record.id, in: product.app.id)
                .sorted { $0.release.version > $1.release.version }
        }
    }
}
