import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ConnectOperation {
    /// Auto-renewable subscriptions: products like others, with groups, prices by territory and
    /// offers.
    static let subscriptions: [ConnectOperation] =
        [
            .subscriptions, .subscriptionLocalizations, .subscriptionAvailabilities,
            .subscriptionPrices, .subscriptionPricePoints,
        ].flatMap { (kind: ResourceType) in reading(kind) }
        + subscriptionChanges + subscriptionTexts + subscriptionPrices

    private static let subscriptionChanges: [ConnectOperation] = [
        .create("/v1/subscriptions", .manageProducts) { call in
            let new = NewSubscription(
                productID: try call.data.text("productId"),
                referenceName: try call.data.text("name"),
                reviewNote: call.data.optionalText("reviewNote") ?? "",
                isFamilyShareable: call.data.flag("familySharable") ?? false,
                period: try call.data.period() ?? SubscriptionPeriod(unit: .month, count: 1),
                level: call.data.integer("groupLevel") ?? 1)
            return Resource(
                subscription: try await call.services.subscriptions.create(
                    new, inGroup: call.data.one("group"), by: call.actor))
        },
        .update("/v1/subscriptions/{id}", .manageProducts) { call in
            let offers = call.data.relationships.keys.filter { $0 != "prices" }
            if let name = offers.sorted().first {
                throw ConnectRefusal(
                    .invalid, rule: "changedElsewhere", field: name,
                    "The \(name) of a subscription are not changed along with it.",
                    help: "Make and delete them one by one.")
            }
            let record = try await call.subscription(call.id)
            let prices = try call.data.many("prices").map { link in
                guard let price = call.document.included(link) else {
                    throw ConnectRefusal(
                        .invalid, rule: "priceNotIncluded", field: "prices",
                        "The price \(link.id.prefix(100)) is not in the document.",
                        help: "Put it into included, under a name in ${}; prices that there "
                            + "are stay without being named.")
                }
                return try price.subscriptionPrice(of: record.number)
            }
            let note = call.data.change("reviewNote").map { $0 ?? "" }
            let change = ProductChange(
                referenceName: call.data.optionalText("name"), reviewNote: note,
                isFamilyShareable: call.data.flag("familySharable"))
            return Resource(
                subscription: try await call.services.subscriptions.update(
                    record.number, change, period: try call.data.period(),
                    level: call.data.integer("groupLevel"), prices: prices, by: call.actor))
        },
        .delete("/v1/subscriptions/{id}", .manageProducts) { call in
            let record = try await call.subscription(call.id)
            try await call.services.products.delete(record.number, by: call.actor)
        },
        .create("/v1/subscriptionAvailabilities", .manageProducts) { call in
            let record = try await call.subscription(try call.data.one("subscription"))
            let territories = Set(call.data.many("availableTerritories").map(\.id))
            try Availability.check(territories)
            let includesNew = call.data.flag("availableInNewTerritories") ?? false
            return Resource(
                subscriptionAvailabilityOf: try await call.services.products.setAvailability(
                    Availability(territories: territories, includesNew: includesNew),
                    of: record.number, by: call.actor))
        },
    ]

    private static let subscriptionTexts: [ConnectOperation] = [
        .create("/v1/subscriptionLocalizations", .manageProducts) { call in
            let record = try await call.subscription(try call.data.one("subscription"))
            let code = try call.data.text("locale")
            let text = ProductText(
                title: try call.data.text("name"),
                description: call.data.optionalText("description") ?? "")
            let changed = try await call.services.products.addText(
                text, locale: code, to: record.number, by: call.actor)
            return Resource(subscriptionText: ProductLocale.stored(code) ?? code, of: changed)
        },
        .update("/v1/subscriptionLocalizations/{id}", .manageProducts) { call in
            let (record, locale) = try await call.subscriptionText(call.id)
            let changed = try await call.services.products.updateText(
                title: call.data.optionalText("name"),
                description: call.data.change("description").map { $0 ?? "" },
                locale: locale, of: record.number, by: call.actor)
            return Resource(subscriptionText: locale, of: changed)
        },
        .delete("/v1/subscriptionLocalizations/{id}", .manageProducts) { call in
            let (record, locale) = try await call.subscriptionText(call.id)
            _ = try await call.services.products.deleteText(
                locale: locale, of: record.number, by: call.actor)
        },
    ]

    private static let subscriptionPrices: [ConnectOperation] = [
        .create("/v1/subscriptionPrices", .managePrices) { call in
            let record = try await call.subscription(try call.data.one("subscription"))
            return Resource(
                try await call.services.subscriptions.setPrice(
                    call.data.subscriptionPrice(of: record.number), by: call.actor))
        },
        .delete("/v1/subscriptionPrices/{id}", .managePrices) { call in
            guard let price = SubscriptionPrice(call.id) else {
                throw ConnectRefusal.notFound("price", call.id)
            }
            try await call.services.subscriptions.deletePrices(
                [price], of: price.product, by: call.actor)
        },
        .changeLinks(.delete, "/v1/subscriptions/{id}/relationships/prices", .managePrices) {
            call in
            let record = try await call.subscription(call.id)
            let prices = try call.linkages.map { link in
                guard let price = SubscriptionPrice(link.id) else {
                    throw ConnectRefusal.notFound("price", link.id)
                }
                return price
            }
            try await call.services.subscriptions.deletePrices(
                prices, of: record.number, by: call.actor)
        },
        .changeLinks(
            .delete, "/v1/subscriptions/{id}/relationships/introductoryOffers",
            KeptKind.subscriptionIntroductoryOffers.permission
        ) { call in
            try await call.services.kept.delete(
                .subscriptionIntroductoryOffers, call.linkages.map(\.id), of: call.id,
                by: call.actor)
        },
    ]
}

extension RequestResource {
    /// The price that is sent.
    ///
    /// - Throws: `ConnectRefusal` where its price point is none of the subscription.
    fileprivate func subscriptionPrice(of product: ProductNumber) throws -> SubscriptionPrice {
        guard let point = PricePoint(try one("subscriptionPricePoint")),
            point.product == product,
            optionalOne("territory").map({ $0 == point.territory.code }) ?? true
        else {
            throw ConnectRefusal(
                .invalid, rule: "pricePointUnknown", field: "subscriptionPricePoint",
                "The price point is none of this subscription in this territory.",
                help: "Choose one from the subscription's pricePoints.")
        }
        guard optionalText("planType") != "MONTHLY" else {
            throw ConnectRefusal(
                .invalid, rule: "planUnknown", field: "planType",
                "The store has no monthly payments for longer periods.",
                help: "Leave planType out: the price is that of the whole period.")
        }
        guard flag("preserveCurrentPrice") != true else {
            throw ConnectRefusal(
                .invalid, rule: "pricePreserved", field: "preserveCurrentPrice",
                "The store can't keep earlier subscribers at their price when the price changes.",
                help: "Leave preserveCurrentPrice out, or false; or sell the new price as another "
                    + "subscription of the group.")
        }
        return SubscriptionPrice(
            product: product, territory: point.territory.code, tier: point.tier.identifier,
            start: day("startDate"))
    }

    /// The period that is sent; nil where there is none.
    fileprivate func period() throws -> SubscriptionPeriod? {
        try optionalText("subscriptionPeriod").map { text in
            try value("subscriptionPeriod", "a period such as ONE_MONTH") { _ in
                SubscriptionPeriod(connectName: text)
            }
        }
    }
}
