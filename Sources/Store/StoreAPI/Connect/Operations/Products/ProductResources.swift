import StoreCore
import StoreModel
import StoreWire

extension ProductType {
    /// As the API names it; nil for subscriptions, which have resources of their own.
    var apiName: String? {
        switch self {
        case .consumable: "CONSUMABLE"
        case .nonConsumable: "NON_CONSUMABLE"
        case .nonRenewingSubscription: "NON_RENEWING_SUBSCRIPTION"
        case .autoRenewableSubscription: nil
        }
    }

    /// As the API's first version names it.
    var legacyName: String { apiName ?? "AUTOMATICALLY_RENEWABLE_SUBSCRIPTION" }

    init?(apiName: String) {
        guard let type = Self.allCases.first(where: { $0.legacyName == apiName }) else {
            return nil
        }
        self = type
    }

    /// Those that `inAppPurchases` of the second version are.
    static let purchases = allCases.filter { $0.apiName != nil }
}

extension ResourceType {
    static let inAppPurchases = ResourceType(
        "inAppPurchases", at: "/v2/inAppPurchases",
        find: { call, id in Resource(try await call.product(id).summary) },
        relationships: [
            .many("inAppPurchaseLocalizations") { call, wanted in
                let record = try await call.product(wanted.id)
                return try ListPage(of: Resource.texts(of: record), wanted.page)
            },
            .one("iapPriceSchedule") { call, wanted in
                let record = try await call.product(wanted.id)
                guard !record.product.details.prices.isEmpty else { return nil }
                return Resource(scheduleOf: record)
            },
            .many("pricePoints") { call, wanted in
                let number = try await call.product(wanted.id).number
                return try PricePointList(
                    number, territories: wanted.filters["territory"], tiers: PriceTier.all
                ).page(wanted.page)
            },
            .one("inAppPurchaseAvailability") { call, wanted in
                Resource(availabilityOf: try await call.product(wanted.id))
            },
            .one("content") { call, wanted in
                try await Resource.content(of: call.product(wanted.id), call)
            },
            .one("appStoreReviewScreenshot") { call, wanted in
                let record = try await call.product(wanted.id)
                return try record.reviewScreenshot.map { try Resource($0, of: record, call) }
            },
            .many("images") { call, wanted in
                let record = try await call.product(wanted.id)
                let image = try record.image.map { try Resource($0, of: record, call) }
                return try ListPage(of: image.map { [$0] } ?? [], wanted.page)
            },
            .one("promotedPurchase") { call, wanted in
                let record = try await call.product(wanted.id)
                let promotion = try await call.services.promotions.promotion(
                    of: record.number, by: call.actor)
                return promotion.map { Resource($0, record.summary) }
            },
            .kept("offerCodes", .inAppPurchaseOfferCodes),
            .many("versions") { call, wanted in
                let record = try await call.product(wanted.id)
                let states = wanted.filters["state"]
                let revisions = try await call.services.products.revisions(
                    of: record.number, by: call.actor
                ).filter { states?.contains($0.state.rawValue) ?? true }
                return try ListPage(of: revisions.map { Resource($0) }, wanted.page)
            },
        ])

    /// The same as the API's first version shows them.
    static let legacyInAppPurchases = ResourceType(
        "inAppPurchases", at: "/v1/inAppPurchases",
        find: { call, id in Resource(legacy: try await call.anyProduct(id).summary) },
        relationships: [
            .many("apps") { call, wanted in
                let record = try await call.anyProduct(wanted.id)
                guard let find = ResourceType.apps.find else {
                    return try ListPage(of: [], wanted.page)
                }
                let app = try await find(call, String(record.summary.app.number))
                return try ListPage(of: [app], wanted.page)
            }
        ])
}

extension Resource {
    init(_ product: ProductSummary) {
        self.init(
            .inAppPurchases, id: product.number.description,
            [
                "name": .string(product.referenceName),
                "productId": .string(product.productID.text),
                "inAppPurchaseType": .text(product.type.apiName),
                "state": .string(product.state.rawValue),
                "reviewNote": product.reviewNote.isEmpty ? .null : .string(product.reviewNote),
                "familySharable": .bool(product.isFamilyShareable),
                "contentHosting": .bool(product.hostsContent),
            ])
    }

    init(legacy product: ProductSummary) {
        let state =
            product.state == .pendingBinaryApproval
            ? "PENDING_DEVELOPER_RELEASE" : product.state.rawValue
        self.init(
            .legacyInAppPurchases, id: product.number.description,
            [
                "referenceName": .string(product.referenceName),
                "productId": .string(product.productID.text),
                "inAppPurchaseType": .string(product.type.legacyName),
                "state": .string(state),
            ],
            links: ["apps": [ResourceLink(type: "apps", id: String(product.app.number))]])
    }
}

extension ConnectCall {
    /// The product with an identifier of the second version's.
    func product(_ id: String) async throws -> ProductRecord {
        let record = try await anyProduct(id)
        guard record.summary.type.apiName != nil else {
            throw ConnectRefusal(
                .notFound, rule: "notFound",
                "\(id) is the auto-renewable subscription \(record.id), and no in-app purchase.",
                help: "Use /v1/subscriptions/\(id), or its page in the portal.")
        }
        return record
    }

    /// The product with an identifier, also a subscription.
    func anyProduct(_ id: String) async throws -> ProductRecord {
        try await services.products.product(try productNumber(id), by: actor)
    }

    /// - Throws: `ConnectRefusal` for text that is no identifier.
    func productNumber(_ id: String) throws -> ProductNumber {
        guard let number = ProductNumber(id) else {
            throw ConnectRefusal.notFound("in-app purchase", String(id.prefix(100)))
        }
        return number
    }
}
