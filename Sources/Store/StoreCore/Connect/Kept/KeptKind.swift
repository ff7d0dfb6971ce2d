/// A kind of resource that publishers maintain and the store keeps as the API gives it: groups
/// of subscriptions, offers and their codes. Named as in App Store Connect.
package enum KeptKind: String, Sendable, Hashable, CaseIterable {
    case subscriptionGroups
    case subscriptionGroupLocalizations
    case subscriptionGracePeriods
    case subscriptionIntroductoryOffers
    case subscriptionPromotionalOffers
    case subscriptionPromotionalOfferPrices
    case subscriptionOfferCodes
    case subscriptionOfferCodePrices
    case subscriptionOfferCodeCustomCodes
    case subscriptionOfferCodeOneTimeUseCodes
    case inAppPurchaseOfferCodes
    case inAppPurchaseOfferPrices
    case inAppPurchaseOfferCodeCustomCodes
    case inAppPurchaseOfferCodeOneTimeUseCodes

    /// What a resource belongs to, and goes with.
    package enum Owner: Sendable, Hashable {
        case app
        /// An auto-renewable subscription.
        case subscription
        /// A product of another type.
        case inAppPurchase
        case kept(KeptKind)
    }

    package var owner: Owner { traits.owner }
    /// The relationship that names the owner.
    package var ownerField: String { traits.ownerField }
    /// Attributes and relationships whose values together are there once only; none where any
    /// number may be alike.
    package var key: [String] { traits.key }
    /// Whether the key counts in the whole app, instead of within the owner.
    package var isKeyOfApp: Bool { self == .subscriptionGroups || isCustomCode }
    /// As many as one owner may have.
    package var limit: Int { traits.limit }
    /// What is made along with one.
    package var prices: KeptKind? {
        switch self {
        case .subscriptionPromotionalOffers: .subscriptionPromotionalOfferPrices
        case .subscriptionOfferCodes: .subscriptionOfferCodePrices
        case .inAppPurchaseOfferCodes: .inAppPurchaseOfferPrices
        default: nil
        }
    }

    /// The permission to create, change and delete one. Offers have prices of their own, so they need
    /// the permission for prices, and so do their codes.
    package var permission: ConnectPermission {
        switch self {
        case .subscriptionGroups, .subscriptionGroupLocalizations: .manageProducts
        case .subscriptionGracePeriods: .manageApps
        case .subscriptionIntroductoryOffers, .subscriptionPromotionalOffers,
            .subscriptionPromotionalOfferPrices, .subscriptionOfferCodes,
            .subscriptionOfferCodePrices, .subscriptionOfferCodeCustomCodes,
            .subscriptionOfferCodeOneTimeUseCodes, .inAppPurchaseOfferCodes,
            .inAppPurchaseOfferPrices, .inAppPurchaseOfferCodeCustomCodes,
            .inAppPurchaseOfferCodeOneTimeUseCodes:
            .managePrices
        }
    }

    package var isCustomCode: Bool {
        self == .subscriptionOfferCodeCustomCodes || self == .inAppPurchaseOfferCodeCustomCodes
    }

    package var isOneTimeUseCode: Bool {
        self == .subscriptionOfferCodeOneTimeUseCodes
            || self == .inAppPurchaseOfferCodeOneTimeUseCodes
    }

    private struct Traits {
        let owner: Owner
        let ownerField: String
        var key: [String] = []
        var limit = 200
    }

    private var traits: Traits {
        switch self {
        case .subscriptionGroups:
            Traits(owner: .app, ownerField: "app", key: ["referenceName"], limit: 1000)
        case .subscriptionGracePeriods: Traits(owner: .app, ownerField: "app", limit: 1)
        case .subscriptionGroupLocalizations:
            Traits(
                owner: .kept(.subscriptionGroups), ownerField: "subscriptionGroup",
                key: ["locale"])
        case .subscriptionIntroductoryOffers:
            Traits(
                owner: .subscription, ownerField: "subscription",
                key: ["territory", "startDate"], limit: 2000)
        case .subscriptionPromotionalOffers:
            Traits(owner: .subscription, ownerField: "subscription", key: ["offerCode"])
        case .subscriptionPromotionalOfferPrices:
            Traits(
                owner: .kept(.subscriptionPromotionalOffers), ownerField: "offer",
                key: ["territory"])
        case .subscriptionOfferCodes:
            Traits(owner: .subscription, ownerField: "subscription", key: ["name"])
        case .inAppPurchaseOfferCodes:
            Traits(owner: .inAppPurchase, ownerField: "inAppPurchase", key: ["name"])
        case .subscriptionOfferCodePrices:
            Traits(
                owner: .kept(.subscriptionOfferCodes), ownerField: "offer", key: ["territory"])
        case .inAppPurchaseOfferPrices:
            Traits(
                owner: .kept(.inAppPurchaseOfferCodes), ownerField: "offer",
                key: ["territory"])
        case .subscriptionOfferCodeCustomCodes:
            Traits(
                owner: .kept(.subscriptionOfferCodes), ownerField: "offerCode",
                key: ["customCode"])
        case .subscriptionOfferCodeOneTimeUseCodes:
            Traits(owner: .kept(.subscriptionOfferCodes), ownerField: "offerCode")
        case .inAppPurchaseOfferCodeCustomCodes:
            Traits(
                owner: .kept(.inAppPurchaseOfferCodes), ownerField: "offerCode",
                key: ["customCode"])
        case .inAppPurchaseOfferCodeOneTimeUseCodes:
            Traits(owner: .kept(.inAppPurchaseOfferCodes), ownerField: "offerCode")
        }
    }
}
