import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    static let subscriptions = ResourceType(
        "subscriptions", at: "/v1/subscriptions",
        find: { call, id in Resource(subscription: try await call.subscription(id)) },
        relationships: [
            .many("subscriptionLocalizations") { call, wanted in
                let record = try await call.subscription(wanted.id)
                return try ListPage(
                    of: record.product.details.texts.keys.sorted(), wanted.page
                ).map { Resource(subscriptionText: $0, of: record) }
            },
            .one("group") { call, wanted in
                let record = try await call.subscription(wanted.id)
                guard let group = record.product.details.subscription?.groupID else {
                    return nil
                }
                return Resource(
                    try await call.services.kept.resource(
                        .subscriptionGroups, group, by: call.actor))
            },
            .kept("introductoryOffers", .subscriptionIntroductoryOffers),
            .kept("promotionalOffers", .subscriptionPromotionalOffers),
            .kept("offerCodes", .subscriptionOfferCodes),
            .many("prices") { call, wanted in
                let record = try await call.subscription(wanted.id)
                let codes = Set(try call.territories(wanted.filters).map(\.code))
                let points = wanted.filters["subscriptionPricePoint"].map { Set($0) }
                let prices = record.subscriptionPrices.filter { price in
                    codes.contains(price.territory)
                        && points.map { $0.contains(price.point?.id ?? "") } ?? true
                }
                return try ListPage(of: prices, wanted.page).map { Resource($0) }
            },
            .many("pricePoints") { call, wanted in
                let record = try await call.subscription(wanted.id)
                let points = PricePoint.all(
                    of: record.number, in: try call.territories(wanted.filters))
                return try ListPage(of: points, wanted.page).map { Resource($0) }
            },
            .one("appStoreReviewScreenshot") { call, wanted in
                try await call.subscription(wanted.id).reviewScreenshot.map {
                    try Resource(subscriptionScreenshot: $0, call)
                }
            },
            .one("promotedPurchase") { call, wanted in
                let record = try await call.subscription(wanted.id)
                return try await call.services.promotions.promotion(
                    of: record.number, by: call.actor
                ).map { Resource($0, record.summary) }
            },
            .one("subscriptionAvailability") { call, wanted in
                Resource(subscriptionAvailabilityOf: try await call.subscription(wanted.id))
            },
        ])

    static let subscriptionLocalizations = ResourceType(
        "subscriptionLocalizations", at: "/v1/subscriptionLocalizations",
        find: { call, id in
            let (record, locale) = try await call.subscriptionText(id)
            return Resource(subscriptionText: locale, of: record)
        },
        relationships: [
            .one("subscription") { call, wanted in
                Resource(subscription: try await call.subscriptionText(wanted.id).record)
            }
        ])

    static let subscriptionAvailabilities = ResourceType(
        "subscriptionAvailabilities", at: "/v1/subscriptionAvailabilities",
        find: { call, id in Resource(subscriptionAvailabilityOf: try await call.subscription(id)) },
        relationships: [
            .many("availableTerritories") { call, wanted in
                let record = try await call.subscription(wanted.id)
                return try ListPage(
                    of: record.product.availability.territories, wanted.page
                ).map { Resource($0) }
            }
        ])

    static let subscriptionPrices = ResourceType(
        "subscriptionPrices",
        relationships: [
            .one("territory") { call, wanted in
                SubscriptionPrice(wanted.id).flatMap { Storefront.named($0.territory) }
                    .map { Resource($0) }
            },
            .one("subscriptionPricePoint") { call, wanted in
                SubscriptionPrice(wanted.id)?.point.map { Resource($0) }
            },
        ])
}

extension ConnectCall {
    /// The subscription with a numeric identifier.
    func subscription(_ id: String) async throws -> ProductRecord {
        guard let number = ProductNumber(id) else {
            throw ConnectRefusal.notFound("subscription", id)
        }
        return try await services.subscriptions.subscription(number, by: actor)
    }

    /// The subscription and the language, as the store keeps it, of a localization.
    func subscriptionText(
        _ id: String
    ) async throws -> (record: ProductRecord, locale: String) {
        let missing = ConnectRefusal.notFound("localization", id)
        guard let key = CompoundIdentifier(id), let locale = key.l, let number = key.product
        else { throw missing }
        let record = try await services.subscriptions.subscription(number, by: actor)
        guard record.product.details.texts[locale] != nil else { throw missing }
        return (record, locale)
    }
}

extension Resource {
    init(subscription record: ProductRecord) {
        let summary = record.summary
        let terms = record.product.details.subscription
        self.init(
            .subscriptions, id: record.number.description,
            [
                "name": .text(summary.referenceName), "productId": .text(record.id.text),
                "familySharable": .flag(summary.isFamilyShareable),
                "state": .text(summary.state.subscriptionName),
                "reviewNote": .text(summary.reviewNote.isEmpty ? nil : summary.reviewNote),
                "groupLevel": .integer(terms?.level),
                "subscriptionPeriod": .text(terms.flatMap { $0.period.connectName }),
            ],
            links: [
                "group": (terms?.groupID).map {
                    [ResourceLink(type: KeptKind.subscriptionGroups.rawValue, id: $0)]
                } ?? []
            ])
    }

    /// - Parameter locale: as the store keeps it.
    init(subscriptionText locale: String, of record: ProductRecord) {
        let text = record.product.details.texts[locale]
        var key = CompoundIdentifier(record.number)
        key.l = locale
        self.init(
            .subscriptionLocalizations, id: key.text,
            [
                "name": .text(text?.title), "locale": .text(ProductLocale.code(of: locale)),
                "description": .text(text?.description),
                "state": .text(record.textState(locale).localizationName),
            ],
            links: [
                "subscription": [
                    ResourceLink(type: "subscriptions", id: record.number.description)
                ]
            ])
    }

    init(subscriptionAvailabilityOf record: ProductRecord) {
        self.init(
            .subscriptionAvailabilities, id: record.number.description,
            ["availableInNewTerritories": .flag(record.product.availability.includesNew)])
    }

    init(_ price: SubscriptionPrice) {
        var links = ["territory": [ResourceLink(type: "territories", id: price.territory)]]
        if let point = price.point {
            links["subscriptionPricePoint"] = [
                ResourceLink(type: "subscriptionPricePoints", id: point.id)
            ]
        }
        self.init(
            .subscriptionPrices, id: price.id,
            ["startDate": .day(price.start), "preserved": false], links: links)
    }
}

extension SubscriptionPrice {
    /// What it is the price of, and from when on.
    var id: String {
        var key = CompoundIdentifier(product)
        key.t = territory
        key.p = tier
        key.d = start.map { Int64(clamping: $0.timeIntervalSince1970) }
        return key.text
    }

    /// Nil for text that is no identifier of a price.
    init?(_ id: String) {
        guard let key = CompoundIdentifier(id), let product = key.product,
            let territory = key.t, let tier = key.p
        else { return nil }
        self.init(
            product: product, territory: territory, tier: tier,
            start: key.d.map { Date(timeIntervalSince1970: TimeInterval($0)) })
    }

    /// The price point that was chosen.
    var point: PricePoint? {
        guard let storefront = Storefront.named(territory),
            let tier = PriceTier.named(tier)
        else { return nil }
        return PricePoint(product: product, territory: storefront, tier: tier)
    }
}
