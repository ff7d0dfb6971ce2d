import Foundation
import StoreDatabase
import StoreModel

/// Title and description in one language.
package struct ProductText: Sendable, Hashable {
    package var title: String
    package var description: String

    package init(title: String, description: String) {
        self.title = title
        self.description = description
    }
}

extension ProductText: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        title = try column("title", \.title)
        description = try column("description", \.description)
    }
}

/// A product's texts in one language.
struct LocalizedText: Sendable {
    let locale: String
    let text: ProductText
}

extension LocalizedText: RecordPart {
    init(_ column: borrowing RecordColumns<Self>) throws {
        locale = try column("locale", \.locale)
        text = try column.part(\.text)
    }
}

/// A product to be added or changed.
package struct ProductDraft: Sendable, Hashable {
    package var productID: ProductID
    package var type: ProductType
    package var referenceName: String
    package var isFamilyShareable: Bool
    package var state: ProductState
    /// The locale whose text is shown where a storefront's language has none.
    package var primaryLocale: String
    /// By locale, for example `en_US`.
    package var texts: [String: ProductText]
    /// A storefront without a price doesn't sell the product.
    package var prices: PriceSchedule
    package var subscription: SubscriptionTerms?

    package init(
        productID: ProductID, type: ProductType, referenceName: String, isFamilyShareable: Bool,
        state: ProductState, primaryLocale: String, texts: [String: ProductText],
        prices: PriceSchedule, subscription: SubscriptionTerms?
    ) {
        self.productID = productID
        self.type = type
        self.referenceName = referenceName
        self.isFamilyShareable = isFamilyShareable
        self.state = state
        self.primaryLocale = primaryLocale
        self.texts = texts
        self.prices = prices
        self.subscription = subscription
    }
}

/// A product as the store knows it.
package struct Product: Sendable, Hashable {
    /// Its "Apple ID"; nil for one that is not in the catalog yet.
    package var number: ProductNumber?
    /// With the texts as their publisher has them now: what testers see.
    package var details: ProductDraft
    /// Where it is sold.
    package var availability: Availability
    /// What customers read instead of the publisher's texts while those are not approved.
    package var approvedTexts: [String: ProductText]?
    /// Accepted versions of its hosted content, in any order.
    package var releases: [ContentRelease]
    /// Whether the store hosts its content: it is sold only with some.
    package var hostsContent: Bool
    /// Whether customers could ever buy it in production.
    package var wasOnSale: Bool
    /// Whether its publisher has deleted it: nobody buys it any longer, and its identifier
    /// stays taken. Who owns it goes on to have it.
    package var isDeleted: Bool
    /// Offers beside those of its `.storekit` file.
    package var scheduledOffers: [ScheduledOffer]

    package init(
        details: ProductDraft, releases: [ContentRelease], hostsContent: Bool = false,
        wasOnSale: Bool = false, availability: Availability = .everywhere,
        approvedTexts: [String: ProductText]? = nil, isDeleted: Bool = false,
        number: ProductNumber? = nil, scheduledOffers: [ScheduledOffer] = []
    ) {
        self.number = number
        self.scheduledOffers = scheduledOffers
        self.details = details
        self.releases = releases
        self.hostsContent = hostsContent
        self.wasOnSale = wasOnSale
        self.availability = availability
        self.approvedTexts = approvedTexts
        self.isDeleted = isDeleted
    }

    /// What one costs in a storefront at a date; nil where it is not sold there.
    package func price(in storefront: Storefront, at date: Date) -> Money? {
        guard availability.includes(storefront.code) else { return nil }
        return details.prices.price(in: storefront, at: date)
    }

    /// The texts that are read in an environment, by locale.
    package func texts(in environment: StoreEnvironment) -> [String: ProductText] {
        environment == .production ? approvedTexts ?? details.texts : details.texts
    }

    /// The text in a locale, else in its language (and script, as far as there is one in it), else
    /// in the primary one.
    ///
    /// - Parameter locale: `nil` for the storefront's.
    package func text(
        in storefront: Storefront, locale: String? = nil, environment: StoreEnvironment
    ) -> ProductText {
        let texts = texts(in: environment)
        let locale = locale ?? storefront.locale
        if let exact = texts[locale] { return exact }
        let wanted = locale.split(scalar: "_")
        let near = texts.keys
            .map { (key: $0, shared: Self.shared($0.split(scalar: "_"), wanted)) }
            .filter { $0.shared > 0 }
            .min { ($1.shared, $0.key) < ($0.shared, $1.key) }
        if let near, let text = texts[near.key] { return text }
        return texts[details.primaryLocale]
            ?? texts.min { $0.key < $1.key }?.value
            ?? ProductText(title: details.referenceName, description: "")
    }

    /// How many components two locales begin with in common.
    private static func shared(_ left: [Substring], _ right: [Substring]) -> Int {
        zip(left, right).prefix { $0 == $1 || sameLanguages[String($0)] == String($1) }.count
    }

    /// Norwegian goes by `no` in App Store Connect, and by `nb` in the storefront's locale.
    private static let sameLanguages = ["no": "nb"]

    /// The version that a new buyer gets: in the sandbox the newest, in production the
    /// newest approved one; none where the store hosts none.
    package func currentRelease(in environment: StoreEnvironment) -> ContentRelease? {
        guard hostsContent else { return nil }
        return releases.filter { !$0.isRetired && (environment == .sandbox || $0.isApproved) }
            .max { $0.version < $1.version }
    }
}
