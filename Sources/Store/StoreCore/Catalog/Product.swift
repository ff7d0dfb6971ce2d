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
    /// Thousandths of the storefront's currency, by alpha-3 code. A storefront without a
    /// price doesn't sell the product.
    package var prices: [String: Int64]
    package var subscription: SubscriptionTerms?

    package init(
        productID: ProductID, type: ProductType, referenceName: String, isFamilyShareable: Bool,
        state: ProductState, primaryLocale: String, texts: [String: ProductText],
        prices: [String: Int64], subscription: SubscriptionTerms?
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
    package var details: ProductDraft
    /// Accepted versions of its hosted content, in any order.
    package var releases: [ContentRelease]
    /// Whether the store hosts its content: it is sold only with some.
    package var hostsContent: Bool
    /// Whether customers could ever buy it in production.
    package var wasOnSale: Bool

    package init(
        details: ProductDraft, releases: [ContentRelease], hostsContent: Bool = false,
        wasOnSale: Bool = false
    ) {
        self.details = details
        self.releases = releases
        self.hostsContent = hostsContent
        self.wasOnSale = wasOnSale
    }

    /// What one costs in a storefront; nil where it is not sold there.
    package func price(in storefront: Storefront) -> Money? {
        details.prices[storefront.code].map {
            Money(thousandths: $0, currency: storefront.currency)
        }
    }

    /// The text for a storefront: in its locale, else in its language, else in the
    /// primary one.
    package func text(in storefront: Storefront) -> ProductText {
        let texts = details.texts
        if let exact = texts[storefront.locale] { return exact }
        let language = storefront.locale.prefix { $0 != "_" }
        let sameLanguage = texts.keys.filter { $0.prefix { $0 != "_" } == language }.min()
        if let sameLanguage, let text = texts[sameLanguage] { return text }
        return texts[details.primaryLocale]
            ?? texts.min { $0.key < $1.key }?.value
            ?? ProductText(title: details.referenceName, description: "")
    }

    /// The version that a new buyer gets: in the sandbox the newest, in production the
    /// newest approved one; none where the store hosts none.
    package func currentRelease(in environment: StoreEnvironment) -> ContentRelease? {
        guard hostsContent else { return nil }
        return releases.filter { !$0.isRetired && (environment == .sandbox || $0.isApproved) }
            .max { $0.version < $1.version }
    }
}
