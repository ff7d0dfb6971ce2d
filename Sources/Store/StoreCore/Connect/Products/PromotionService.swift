import Foundation
import StoreModel

/// Puts products onto the app's page in the store, in an order.
package struct PromotionService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// All of an app, in their order, with their products.
    package func promotions(
        of app: AppID, by actor: ConnectActor
    ) async throws -> [(Promotion, ProductSummary)] {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            _ = try work.app(app)
            return try work.promotions.promotions(of: app).compactMap { promotion in
                try work.products.summary(promotion.product).map { (promotion, $0) }
            }
        }
    }

    package func promotion(
        _ id: PromotionID, by actor: ConnectActor
    ) async throws -> (Promotion, ProductSummary) {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let (promotion, _) = try Self.open(id, work)
            let product = try work.products.summary(promotion.product).orNotFound(
                PromotionID.name, id.text)
            return (promotion, product)
        }
    }

    /// The promotion of a product; nil where it has none.
    package func promotion(
        of product: ProductNumber, by actor: ConnectActor
    ) async throws -> Promotion? {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            try work.promotions.promotion(of: work.product(product).number)
        }
    }

    /// Promotes a product, behind those that there are.
    ///
    /// - Parameter id: the new identifier.
    package func create(
        _ id: PromotionID, of product: ProductNumber, in app: AppID, isVisible: Bool,
        isEnabled: Bool, by actor: ConnectActor
    ) async throws -> Promotion {
        try await shop.write(as: actor, requiring: .manageProducts) { work in
            let found = try work.product(product)
            guard found.app.id == app else {
                throw ConnectRefusal(
                    .invalid, rule: "productOfOtherApp", field: "inAppPurchaseV2",
                    "\(found.record.id) is not a product of this app.",
                    help: "Choose one of the app's own.")
            }
            guard try work.promotions.promotion(of: product) == nil else {
                throw ConnectRefusal(
                    .taken, rule: "promotedTwice", field: "inAppPurchaseV2",
                    "\(found.record.id) is promoted already.",
                    help: "Change the promotion that there is.")
            }
            let known = try work.promotions.promotions(of: app)
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
            try work.promotions.insert(promotion)
            try found.note("promotion.create", after: Self.words(promotion))
            return promotion
        }
    }

    /// Changes a promotion; what is nil stays.
    package func update(
        _ id: PromotionID, isVisible: Bool? = nil, isEnabled: Bool? = nil,
        by actor: ConnectActor
    ) async throws -> Promotion {
        try await shop.write(as: actor, requiring: .manageProducts) { work in
            var (promotion, app) = try Self.open(id, work)
            let before = promotion
            promotion.isVisible = isVisible ?? promotion.isVisible
            promotion.isEnabled = isEnabled ?? promotion.isEnabled
            guard promotion != before else { return promotion }
            try work.promotions.update(promotion)
            try work.note(
                "promotion.update", on: try Self.name(promotion, work), of: app.teamID,
                before: Self.words(before), after: Self.words(promotion))
            return promotion
        }
    }

    package func delete(_ id: PromotionID, by actor: ConnectActor) async throws {
        try await shop.write(as: actor, requiring: .manageProducts) { work in
            let (promotion, app) = try Self.open(id, work)
            try work.promotions.delete(id)
            try work.note("promotion.delete", on: try Self.name(promotion, work), of: app.teamID)
        }
    }

    /// Puts the promotions of an app into an order, which names each of them once.
    package func order(_ ids: [PromotionID], of app: AppID, by actor: ConnectActor) async throws {
        try await shop.write(as: actor, requiring: .manageProducts) { work in
            let app = try work.app(app)
            let known = try work.promotions.promotions(of: app.id)
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
                try work.promotions.update(promotion)
            }
            try work.note("promotion.order", on: app.bundleID.text, of: app.teamID)
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

    private static func open(_ id: PromotionID, _ work: UnitOfWork) throws -> (Promotion, App) {
        guard let promotion = try work.promotions.find(id),
            let app = try work.catalog.app(promotion.app), work.actor.sees(team: app.teamID)
        else { throw ConnectRefusal.notFound(PromotionID.name, id.text) }
        return (promotion, app)
    }
}
