import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

extension ResourceType {
    static let promotedPurchases = ResourceType(
        "promotedPurchases", at: "/v1/promotedPurchases",
        find: { call, id in
            let (promotion, product) = try await call.services.promotions.promotion(
                promotion(id), by: call.actor)
            return Resource(promotion, product)
        },
        relationships: [
            .one("inAppPurchaseV2") { call, wanted in
                let (_, product) = try await call.services.promotions.promotion(
                    promotion(wanted.id), by: call.actor)
                return product.type.apiName == nil ? nil : Resource(product)
            },
            .one("subscription") { call, wanted in
                let (_, product) = try await call.services.promotions.promotion(
                    promotion(wanted.id), by: call.actor)
                guard product.type.apiName == nil else { return nil }
                return Resource(
                    subscription: try await call.subscription(product.number.description))
            },
        ])

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    fileprivate static func promotion(_ text: String) throws -> PromotionID {
        guard let id = PromotionID(text) else {
            throw ConnectRefusal.notFound(PromotionID.name, String(text.prefix(100)))
        }
        return id
    }
}

extension ResourceRelationship {
    /// What an app's page in the store shows.
    static let appPromotedPurchases: ResourceRelationship = .many("promotedPurchases") {
        call, wanted in
        let promotions = try await call.services.promotions.promotions(
            of: try ResourceType.app(wanted.id), by: call.actor)
        return try ListPage(of: promotions.map { Resource($0.0, $0.1) }, wanted.page)
    }
}

extension ConnectOperation {
    static let promotions: [ConnectOperation] =
        reading(.promotedPurchases) + [
            .create("/v1/promotedPurchases", .manageProducts) { call in
                let record = try await call.promoted()
                let promotion = try await call.services.promotions.create(
                    PromotionID(UUID()), of: record.number,
                    in: try ResourceType.app(try call.data.one("app")),
                    isVisible: call.data.flag("visibleForAllUsers") ?? false,
                    isEnabled: call.data.flag("enabled") ?? true, by: call.actor)
                return Resource(promotion, record.summary)
            },
            .update("/v1/promotedPurchases/{id}", .manageProducts) { call in
                let id = try ResourceType.promotion(call.id)
                _ = try await call.services.promotions.update(
                    id, isVisible: call.data.flag("visibleForAllUsers"),
                    isEnabled: call.data.flag("enabled"), by: call.actor)
                let (promotion, product) = try await call.services.promotions.promotion(
                    id, by: call.actor)
                return Resource(promotion, product)
            },
            .delete("/v1/promotedPurchases/{id}", .manageProducts) { call in
                try await call.services.promotions.delete(
                    ResourceType.promotion(call.id), by: call.actor)
            },
            .changeLinks(
                .patch, "/v1/apps/{id}/relationships/promotedPurchases", .manageProducts
            ) { call in
                let ids = try call.linkages.map { try ResourceType.promotion($0.id) }
                try await call.services.promotions.order(
                    ids, of: ResourceType.app(call.id), by: call.actor)
            },
        ]
}

extension ConnectCall {
    /// What a document names to be promoted.
    fileprivate func promoted() async throws -> ProductRecord {
        let purchase = data.optionalOne("inAppPurchaseV2")
        let subscription = data.optionalOne("subscription")
        switch (purchase, subscription) {
        case (let id?, nil): return try await product(id)
        case (nil, let id?): return try await self.subscription(id)
        default:
            throw ConnectRefusal(
                .invalid, rule: "required", field: "inAppPurchaseV2",
                "It takes one thing to be promoted.",
                help: "Name an in-app purchase or a subscription.")
        }
    }
}

extension Resource {
    init(_ promotion: Promotion, _ product: ProductSummary) {
        let state =
            switch product.state {
            case .approved, .developerRemovedFromSale, .removedFromSale: "APPROVED"
            case .waitingForReview, .inReview, .pendingBinaryApproval: "IN_REVIEW"
            case .rejected: "REJECTED"
            default: "PREPARE_FOR_SUBMISSION"
            }
        self.init(
            .promotedPurchases, id: promotion.id.text,
            [
                "visibleForAllUsers": .bool(promotion.isVisible),
                "enabled": .bool(promotion.isEnabled), "state": .string(state),
            ],
            links: [
                product.type.apiName == nil ? "subscription" : "inAppPurchaseV2": [
                    ResourceLink(
                        type: product.type.apiName == nil ? "subscriptions" : "inAppPurchases",
                        id: product.number.description)
                ]
            ])
    }
}
