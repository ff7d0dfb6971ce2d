import Foundation
import StoreModel

/// Puts products onto the app's page in the store, in an order.
package struct PromotionService: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock

    package init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// All of an app, in their order, with their products.
    package func promotions(
        of app: AppID, by actor: ConnectActor
    ) async throws -> [(Promotion, ProductSummary)] {
        try actor.require(.viewApps)
        return try await database.read { repositories in
            _ = try ProductService.app(app, actor, repositories)
            return try repositories.promotions.promotions(of: app).compactMap { promotion in
                try repositories.products.summary(promotion.product).map { (promotion, $0) }
            }
        }
    }

    package func promotion(
        _ id: PromotionID, by actor: ConnectActor
    ) async throws -> (Promotion, ProductSummary) {
        try actor.require(.viewApps)
        return try await database.read { repositories in
            let (promotion, _) = try Self.open(id, actor, repositories)
            guard let product = try repositories.products.summary(promotion.product) else {
                throw ConnectRefusal.notFound(PromotionID.name, id.text)
            }
            return (promotion, product)
        }
    }

    /// The promotion of a product; nil where it has none.
    package func promotion(
        of product: ProductNumber, by actor: ConnectActor
    ) async throws -> Promotion? {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            let work = try ProductWork(product, by: actor, repositories, at: now)
            return try repositories.promotions.promotion(of: work.number)
        }
    }

    /// Promotes a product, behind those that there are.
    ///
    /// - Parameter id: the new identifier.
    package func create(
        _ id: PromotionID, of product: ProductNumber, in app: AppID, isVisible: Bool,
        isEnabled: Bool, by actor: ConnectActor
    ) async throws -> Promotion {
        try actor.require(.manageProducts)
        let now = clock.now()
        return try await database.write { repositories in
            let work = try ProductWork(product, by: actor, repositories, at: now)
            guard work.app.id == app else {
                throw ConnectRefusal(
                    .invalid, rule: "productOfOtherApp", field: "inAppPurchaseV2",
                    "\(work.record.id) is not a product of this app.",
                    help: "Choose one of the app's own.")
            }
            guard try repositories.promotions.promotion(of: product) == nil else {
                throw ConnectRefusal(
                    .taken, rule: "promotedTwice", field: "inAppPurchaseV2",
                    "\(work.record.id) is promoted already.",
                    help: "Change the promotion that there is.")
            }
            let known = try repositories.promotions.promotions(of: app)
            guard known.count < Promotion.limit else {
                throw ConnectRefusal(
                    .tooMany, rule: "tooManyPromotions", field: "inAppPurchaseV2",
                    "An app promotes at most \(Promotion.limit) products.",
                    help: "Take another one off the page first.")
            }
            let promotion = Promotion(
                id: id, app: app, product: product,
                position: (known.last?.position ?? -1) + 1, isVisible: isVisible,
                isEnabled: isEnabled)
            try repositories.promotions.insert(promotion)
            try work.note("promotion.create", after: Self.words(promotion))
            return promotion
        }
    }

    /// Changes a promotion; what is nil stays.
    package func update(
        _ id: PromotionID, isVisible: Bool? = nil, isEnabled: Bool? = nil,
        by actor: ConnectActor
    ) async throws -> Promotion {
        try actor.require(.manageProducts)
        let now = clock.now()
        return try await database.write { repositories in
            var (promotion, app) = try Self.open(id, actor, repositories)
            let before = promotion
            promotion.isVisible = isVisible ?? promotion.isVisible
            promotion.isEnabled = isEnabled ?? promotion.isEnabled
            guard promotion != before else { return promotion }
            try repositories.promotions.update(promotion)
            try repositories.audit.append(
                AuditEntry(
                    team: app.teamID, actor: actor, action: "promotion.update",
                    subject: try Self.name(promotion, repositories), before: Self.words(before),
                    after: Self.words(promotion)), at: now)
            return promotion
        }
    }

    package func delete(_ id: PromotionID, by actor: ConnectActor) async throws {
        try actor.require(.manageProducts)
        let now = clock.now()
        try await database.write { repositories in
            let (promotion, app) = try Self.open(id, actor, repositories)
            try repositories.promotions.delete(id)
            try repositories.audit.append(
                AuditEntry(
                    team: app.teamID, actor: actor, action: "promotion.delete",
                    subject: try Self.name(promotion, repositories)), at: now)
        }
    }

    /// Puts the promotions of an app into an order, which names each of them once.
    package func order(
        _ ids: [PromotionID], of app: AppID, by actor: ConnectActor
    ) async throws {
        try actor.require(.manageProducts)
        let now = clock.now()
        try await database.write { repositories in
            let app = try ProductService.app(app, actor, repositories)
            let known = try repositories.promotions.promotions(of: app.id)
            guard Set(ids) == Set(known.map(\.id)), ids.count == known.count else {
                throw ConnectRefusal(
                    .invalid, rule: "promotionOrder", field: "promotedPurchases",
                    "The order does not name each promoted purchase of the app once.",
                    help: "List all \(known.count) of them.")
            }
            guard ids != known.map(\.id) else { return }
            for (position, id) in ids.enumerated() {
                guard var promotion = known.first(where: { $0.id == id }) else { continue }
                promotion.position = position
                try repositories.promotions.update(promotion)
            }
            try repositories.audit.append(
                AuditEntry(
                    team: app.teamID, actor: actor, action: "promotion.order",
                    subject: app.bundleID.text), at: now)
        }
    }

    private static func words(_ promotion: Promotion) -> String {
        (promotion.isVisible ? "visible to all" : "hidden")
            + (promotion.isEnabled ? ", enabled" : ", disabled")
    }

    private static func name(
        _ promotion: Promotion, _ repositories: StoreRepositories
    ) throws -> String {
        try repositories.products.summary(promotion.product)?.productID.text
            ?? promotion.product.description
    }

    private static func open(
        _ id: PromotionID, _ actor: ConnectActor, _ repositories: StoreRepositories
    ) throws -> (Promotion, App) {
        guard let promotion = try repositories.promotions.promotion(id),
            let app = try repositories.catalog.app(promotion.app), actor.sees(team: app.teamID)
        else { throw ConnectRefusal.notFound(PromotionID.name, id.text) }
        return (promotion, app)
    }
}
