import Foundation
import StoreCore
import StoreModel
import StoreWire

/// Types that the store keeps as they are given, with what their relationships lead to.
extension ResourceType {
    static func kept(_ kind: KeptKind) -> ResourceType {
        switch kind {
        case .subscriptionGroups: subscriptionGroups
        case .subscriptionGroupLocalizations: subscriptionGroupLocalizations
        case .subscriptionGracePeriods: subscriptionGracePeriods
        case .subscriptionIntroductoryOffers: subscriptionIntroductoryOffers
        case .subscriptionPromotionalOffers: subscriptionPromotionalOffers
        case .subscriptionPromotionalOfferPrices: subscriptionPromotionalOfferPrices
        case .subscriptionOfferCodes: subscriptionOfferCodes
        case .subscriptionOfferCodePrices: subscriptionOfferCodePrices
        case .subscriptionOfferCodeCustomCodes: subscriptionOfferCodeCustomCodes
        case .subscriptionOfferCodeOneTimeUseCodes: subscriptionOfferCodeOneTimeUseCodes
        case .inAppPurchaseOfferCodes: inAppPurchaseOfferCodes
        case .inAppPurchaseOfferPrices: inAppPurchaseOfferPrices
        case .inAppPurchaseOfferCodeCustomCodes: inAppPurchaseOfferCodeCustomCodes
        case .inAppPurchaseOfferCodeOneTimeUseCodes: inAppPurchaseOfferCodeOneTimeUseCodes
        }
    }

    static let subscriptionGroups = kept(
        .subscriptionGroups,
        [
            .many("subscriptions") { call, wanted in
                let order: SubscriptionFilter.Order? =
                    switch wanted.sort.first {
                    case "name"?: .name
                    case "-name"?: .nameDescending
                    default: nil
                    }
                let filter = SubscriptionFilter(
                    productIDs: wanted.filters["productId"], names: wanted.filters["name"],
                    states: wanted.filters["state"]?.compactMap(ProductState.init), order: order)
                return try await call.services.subscriptions.subscriptions(
                    ofGroup: wanted.id, filter, wanted.page, by: call.actor
                ).map { Resource(subscription: $0) }
            },
            .kept("subscriptionGroupLocalizations", .subscriptionGroupLocalizations),
        ])
    static let subscriptionGroupLocalizations = kept(
        .subscriptionGroupLocalizations, [.owner(of: .subscriptionGroupLocalizations)])
    static let subscriptionGracePeriods = ResourceType(
        KeptKind.subscriptionGracePeriods.rawValue, at: "/v1/subscriptionGracePeriods",
        find: { call, id in
            Resource(try await call.services.kept.gracePeriod(of: id, by: call.actor))
        })
    static let subscriptionIntroductoryOffers = kept(
        .subscriptionIntroductoryOffers,
        [
            .owner(of: .subscriptionIntroductoryOffers),
            .territory(of: .subscriptionIntroductoryOffers),
            .pricePoint("subscriptionPricePoint", of: .subscriptionIntroductoryOffers),
        ])
    static let subscriptionPromotionalOffers = kept(
        .subscriptionPromotionalOffers,
        [
            .owner(of: .subscriptionPromotionalOffers),
            .kept("prices", .subscriptionPromotionalOfferPrices),
        ])
    static let subscriptionPromotionalOfferPrices = price(
        .subscriptionPromotionalOfferPrices, point: "subscriptionPricePoint")
    static let subscriptionOfferCodes = kept(
        .subscriptionOfferCodes,
        [
            .owner(of: .subscriptionOfferCodes),
            .kept("oneTimeUseCodes", .subscriptionOfferCodeOneTimeUseCodes),
            .kept("customCodes", .subscriptionOfferCodeCustomCodes),
            .kept("prices", .subscriptionOfferCodePrices),
        ])
    static let subscriptionOfferCodePrices = price(
        .subscriptionOfferCodePrices, point: "subscriptionPricePoint")
    static let subscriptionOfferCodeCustomCodes = kept(
        .subscriptionOfferCodeCustomCodes, [.owner(of: .subscriptionOfferCodeCustomCodes)])
    static let subscriptionOfferCodeOneTimeUseCodes = kept(
        .subscriptionOfferCodeOneTimeUseCodes,
        [.owner(of: .subscriptionOfferCodeOneTimeUseCodes)])
    static let inAppPurchaseOfferCodes = kept(
        .inAppPurchaseOfferCodes,
        [
            .kept("oneTimeUseCodes", .inAppPurchaseOfferCodeOneTimeUseCodes),
            .kept("customCodes", .inAppPurchaseOfferCodeCustomCodes),
            .kept("prices", .inAppPurchaseOfferPrices),
        ])
    static let inAppPurchaseOfferPrices = price(.inAppPurchaseOfferPrices, point: "pricePoint")
    static let inAppPurchaseOfferCodeCustomCodes = kept(
        .inAppPurchaseOfferCodeCustomCodes, [])
    static let inAppPurchaseOfferCodeOneTimeUseCodes = kept(
        .inAppPurchaseOfferCodeOneTimeUseCodes, [])

    private static func kept(
        _ kind: KeptKind, _ relationships: [ResourceRelationship]
    ) -> ResourceType {
        ResourceType(
            kind.rawValue, at: "/v1/\(kind.rawValue)",
            find: { call, id in
                Resource(try await call.services.kept.resource(kind, id, by: call.actor))
            }, relationships: relationships)
    }

    /// Prices have no path of their own.
    private static func price(_ kind: KeptKind, point: String) -> ResourceType {
        ResourceType(
            kind.rawValue, relationships: [.territory(of: kind), .pricePoint(point, of: kind)])
    }
}

extension ResourceRelationship {
    /// The groups of an app's subscriptions.
    static let subscriptionGroups = many("subscriptionGroups") { call, wanted in
        let isDescending: Bool? =
            switch wanted.sort.first {
            case "referenceName"?: false
            case "-referenceName"?: true
            default: nil
            }
        return try await call.services.subscriptions.groups(
            of: ResourceType.app(wanted.id), names: wanted.filters["referenceName"],
            states: wanted.filters["subscriptions.state"]?.compactMap(ProductState.init),
            byNameDescending: isDescending, wanted.page, by: call.actor
        ).map { Resource($0) }
    }

    /// The grace period of an app's subscriptions.
    static let subscriptionGracePeriod = one("subscriptionGracePeriod") { call, wanted in
        Resource(try await call.services.kept.gracePeriod(of: wanted.id, by: call.actor))
    }

    /// What an owner has of a kind.
    static func kept(_ name: String, _ kind: KeptKind) -> ResourceRelationship {
        .many(name) { call, wanted in
            try await call.services.kept.resources(
                kind, of: wanted.id, territories: wanted.filters["territory"], wanted.page,
                by: call.actor
            ).map { Resource($0) }
        }
    }

    /// What a resource belongs to.
    fileprivate static func owner(of kind: KeptKind) -> ResourceRelationship {
        .one(kind.ownerField) { call, wanted in
            let resource = try await call.services.kept.resource(
                kind, wanted.id, by: call.actor)
            switch resource.owner {
            case .app: return nil
            case .product(let number):
                return Resource(
                    subscription: try await call.services.subscriptions.subscription(
                        number, by: call.actor))
            case .kept(let id):
                guard case .kept(let ownerKind) = kind.owner else { return nil }
                return Resource(
                    try await call.services.kept.resource(ownerKind, id, by: call.actor))
            }
        }
    }

    fileprivate static func territory(of kind: KeptKind) -> ResourceRelationship {
        .one("territory") { call, wanted in
            try await call.services.kept.resource(kind, wanted.id, by: call.actor).territory
                .flatMap { Storefront.named($0) }.map { Resource($0) }
        }
    }

    fileprivate static func pricePoint(
        _ name: String, of kind: KeptKind
    ) -> ResourceRelationship {
        .one(name) { call, wanted in
            try await call.services.kept.resource(kind, wanted.id, by: call.actor)
                .links[name]?.first.flatMap { PricePoint($0) }.map { point in
                    // A promotion's price may be that of an in-app purchase or a subscription.
                    name == "pricePoint"
                        ? Resource(point.tier, in: point.territory, of: point.product)
                        : Resource(point)
                }
        }
    }
}

extension Resource {
    init(_ kept: KeptResource) {
        var attributes = kept.attributes.mapValues { JSONValue($0) }
        switch kept.kind {
        case .subscriptionGroupLocalizations: attributes["state"] = "PREPARE_FOR_SUBMISSION"
        case .subscriptionOfferCodes, .inAppPurchaseOfferCodes:
            attributes["active"] = attributes["active"] ?? true
        case .subscriptionOfferCodeCustomCodes, .inAppPurchaseOfferCodeCustomCodes,
            .subscriptionOfferCodeOneTimeUseCodes, .inAppPurchaseOfferCodeOneTimeUseCodes:
            attributes["active"] = attributes["active"] ?? true
            attributes["createdDate"] = .time(kept.created)
        default: break
        }
        var links: [String: [ResourceLink]] = [:]
        if let territory = kept.territory {
            links["territory"] = [ResourceLink(type: "territories", id: territory)]
        }
        for (name, type) in [
            ("subscriptionPricePoint", "subscriptionPricePoints"),
            ("pricePoint", "inAppPurchasePricePoints"),
        ] {
            if let id = kept.links[name]?.first {
                links[name] = [ResourceLink(type: type, id: id)]
            }
        }
        switch kept.owner {
        case .app: break
        case .product(let number):
            links[kept.kind.ownerField] = [
                ResourceLink(type: "subscriptions", id: number.description)
            ]
        case .kept(let id):
            if case .kept(let ownerKind) = kept.kind.owner {
                links[kept.kind.ownerField] = [
                    ResourceLink(type: ownerKind.rawValue, id: id)
                ]
            }
        }
        self.init(.kept(kept.kind), id: kept.id, attributes, links: links)
    }
}

extension JSONValue {
    fileprivate init(_ value: KeptValue) {
        switch value {
        case .text(let text): self = .string(text)
        case .number(let number): self = .integer(number)
        case .flag(let flag): self = .bool(flag)
        case .texts(let texts): self = .texts(texts)
        }
    }
}
