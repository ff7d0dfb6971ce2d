import Foundation
import StoreModel

/// Which products have hosted content, and the versions of it. `ReviewService` leads a version to its
/// sale.
package struct ContentService: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock

    package init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// Switches hosting on or off for somebody of the product's team.
    ///
    /// - Throws: `ConnectRefusal`.
    package func setHosting(
        _ isHosted: Bool, of product: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try actor.require(.manageProducts)
        let now = clock.now()
        return try await database.write { repositories in
            let desk = ReviewDesk(actor: actor, repositories: repositories, date: now)
            let (app, record) = try desk.product(product)
            var hosted = HostedProduct(record.product, of: app, repositories, at: now)
            do {
                if isHosted { try hosted.host() } else { try hosted.unhost() }
            } catch let refusal as ContentRefusal {
                throw ConnectRefusal(refusal)
            }
            guard hosted.product != record.product else { return record }
            try repositories.audit.append(
                AuditEntry(
                    team: app.teamID, actor: actor,
                    action: isHosted ? "product.host" : "product.unhost",
                    subject: record.id.text, before: record.state.rawValue,
                    after: hosted.product.details.state.rawValue), at: now)
            return try desk.product(product).record
        }
    }

    /// The versions of a product's content with what happened to them, the newest first.
    package func versions(
        of product: ProductNumber, by actor: ConnectActor
    ) async throws -> [ReleaseRecord] {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            let desk = ReviewDesk(actor: actor, repositories: repositories, date: now)
            let (app, record) = try desk.product(product)
            return try repositories.content.records(of: record.id, in: app.id)
                .sorted { $0.release.version > $1.release.version }
        }
    }
}
