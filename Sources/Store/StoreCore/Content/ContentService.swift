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

    /// Submits the newest version that is ready, and with it whatever else is new of the
    /// product.
    ///
    /// - Throws: `ContentRefusal`, or `ConnectRefusal` where something else is missing.
    @discardableResult
    package func submit(_ product: ProductID, of app: BundleID) async throws -> Product {
        try await review(product, of: app) { hosted, desk in
            try hosted.checkSubmitting()
            _ = try desk.submit([product], version: nil, of: hosted.app)
        }
    }

    /// Begins the review of the submission that the content is in.
    @discardableResult
    package func beginReview(_ product: ProductID, of app: BundleID) async throws -> Product {
        try await review(product, of: app) { hosted, desk in
            let item = try Self.item(of: hosted, .waitingForReview, .beginReview, desk)
            _ = try desk.claim(item.submission)
        }
    }

    /// Approves the version in review, with its product: customers get it from now on.
    @discardableResult
    package func approve(_ product: ProductID, of app: BundleID) async throws -> Product {
        try await review(product, of: app) { hosted, desk in
            let item = try Self.item(of: hosted, .inReview, .approve, desk)
            _ = try desk.decide(.approve, on: item.id)
        }
    }

    /// Rejects the version in review, with its product; a higher version can be uploaded in
    /// its place.
    ///
    /// - Parameter message: what the publisher is to know.
    @discardableResult
    package func reject(
        _ product: ProductID, of app: BundleID, message: String
    ) async throws -> Product {
        try await review(product, of: app) { hosted, desk in
            let item = try Self.item(of: hosted, .inReview, .reject, desk)
            _ = try desk.decide(.reject(message), on: item.id)
        }
    }

    /// What was submitted of a product, with content.
    private static func item(
        of hosted: HostedProduct, _ state: SubmissionItemState, _ step: ProductStep,
        _ desk: ReviewDesk
    ) throws -> SubmissionItem {
        let id = hosted.product.details.productID
        guard let item = try desk.repositories.submissions.openItem(of: id, in: hosted.app.id),
            item.content != nil, item.state == state
        else { throw ContentRefusal.noVersion(id, step) }
        return item
    }

    /// Whoever owns the store's machine may review too.
    private func review(
        _ product: ProductID, of app: BundleID,
        _ step: @escaping @Sendable (HostedProduct, ReviewDesk) throws -> Void
    ) async throws -> Product {
        let now = clock.now()
        return try await database.write { repositories in
            let hosted = try HostedProduct(product, of: app, repositories, at: now)
            try step(
                hosted, ReviewDesk(actor: .machine, repositories: repositories, date: now))
            return try HostedProduct(product, of: app, repositories, at: now).product
        }
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
