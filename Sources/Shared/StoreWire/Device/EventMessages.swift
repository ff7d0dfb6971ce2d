import StoreModel

/// Answer of `GET /device/v1/events?after=CURSOR&wait=SECONDS`: what the account's devices
/// should know, as soon as there is something, else after the wait.
package struct EventsAnswer: Codable, Sendable, Hashable {
    /// The number of the last event; the next request asks for later ones.
    package var cursor: Int64
    package var events: [WireEvent]
    /// Questions about prices that the account has not answered.
    package var consents: [WireConsent]
    /// Where the account's history in the app stands: another number than in the answer before says
    /// that it has changed, also by a purchase on another device, which is no event. `nil` if nothing
    /// was bought yet.
    package var history: Int64?

    package init(
        cursor: Int64, events: [WireEvent], consents: [WireConsent], history: Int64? = nil
    ) {
        self.cursor = cursor
        self.events = events
        self.consents = consents
        self.history = history
    }
}

/// One thing to know. Unknown kinds are passed over.
package struct WireEvent: Codable, Sendable, Hashable {
    package struct Kind: RawRepresentable, Codable, Sendable, Hashable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There are transactions to be fetched, or decisions on deferred ones.
        package static let transactions = Kind(rawValue: "transactions")
        /// The product may not be used any longer.
        package static let revocation = Kind(rawValue: "revocation")
        /// The customer wants to buy the product, which they found in the store.
        package static let storePayment = Kind(rawValue: "storePayment")
        /// There is a question about a price.
        package static let priceConsent = Kind(rawValue: "priceConsent")
        /// There is a newer version of the product's hosted content.
        package static let contentVersion = Kind(rawValue: "contentVersion")
        /// The state of a subscription, or what its next renewal will be, has changed.
        package static let subscription = Kind(rawValue: "subscription")
    }

    package var id: Int64
    package var kind: Kind
    package var productId: String?

    package init(id: Int64, kind: Kind, productId: String?) {
        self.id = id
        self.kind = kind
        self.productId = productId
    }
}

/// A question whether the customer agrees to a higher price.
package struct WireConsent: Codable, Sendable, Hashable {
    package var id: Int64
    package var productId: String
    package var title: String
    package var currentPrice: Money
    package var newPrice: Money
    package var locale: String

    package init(
        id: Int64, productId: String, title: String, currentPrice: Money, newPrice: Money,
        locale: String
    ) {
        self.id = id
        self.productId = productId
        self.title = title
        self.currentPrice = currentPrice
        self.newPrice = newPrice
        self.locale = locale
    }

    /// - Throws: `DecodingError`, also for a locale that has not the form of one.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        productId = try container.decode(String.self, forKey: .productId)
        title = try container.decode(String.self, forKey: .title)
        currentPrice = try container.decode(Money.self, forKey: .currentPrice)
        newPrice = try container.decode(Money.self, forKey: .newPrice)
        locale = try container.decodePriceLocale(forKey: .locale)
    }
}

/// Body of `POST /device/v1/consents/{id}`.
package struct ConsentRequest: Codable, Sendable, Hashable {
    package var agreed: Bool

    package init(agreed: Bool) {
        self.agreed = agreed
    }
}

/// Body of `POST /device/v1/redemptions`.
package struct RedemptionRequest: Codable, Sendable, Hashable {
    package var purchaseKey: PurchaseKey
    /// As the customer typed it.
    package var code: String
    /// The offer that the customer was told of.
    package var agreedOffer: SubscriptionOffer?

    package init(purchaseKey: PurchaseKey, code: String, agreedOffer: SubscriptionOffer? = nil) {
        self.agreedOffer = agreedOffer
        self.purchaseKey = purchaseKey
        self.code = code
    }
}
