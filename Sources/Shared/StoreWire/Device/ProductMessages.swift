import StoreModel

/// Body of `POST /device/v1/products`: the identifiers as the app wrote them.
package struct ProductsRequest: Codable, Sendable {
    package var productIds: [String]

    package init(productIds: [String]) {
        self.productIds = productIds
    }
}

/// What the store sells of the wanted products, and why not the rest.
package struct ProductsAnswer: Codable, Sendable, Hashable {
    /// Alpha-3 code of the storefront that texts and prices are for.
    package var storefront: String
    package var storefrontId: String
    package var products: [WireProduct]
    package var invalid: [InvalidProduct]

    package init(
        storefront: String, storefrontId: String, products: [WireProduct],
        invalid: [InvalidProduct]
    ) {
        self.storefront = storefront
        self.storefrontId = storefrontId
        self.products = products
        self.invalid = invalid
    }
}

/// A product that the store does not sell to this app.
package struct InvalidProduct: Codable, Sendable, Hashable {
    package var productId: String
    package var reason: InvalidReasonCode
    /// One sentence for the developer.
    package var message: String

    package init(productId: String, reason: InvalidReasonCode, message: String) {
        self.productId = productId
        self.reason = reason
        self.message = message
    }
}

/// A product in the language and currency of a storefront.
package struct WireProduct: Codable, Sendable, Hashable {
    /// The store's number for it, Apple's "Apple ID"; 0 from a store that gives none.
    package var number: Int64
    package var productId: String
    package var type: String
    package var title: String
    package var description: String
    package var price: Money
    /// The locale that the price is formatted with, for example `ja_JP`.
    package var locale: String
    package var familyShareable: Bool
    /// Hosted content that comes with it; nil where there is none.
    package var content: WireContentOffer?
    /// For subscriptions.
    package var subscription: SubscriptionTerms?

    package init(
        productId: String, type: String, title: String, description: String, price: Money,
        locale: String, familyShareable: Bool, content: WireContentOffer?,
        subscription: SubscriptionTerms?, number: Int64 = 0
    ) {
        self.number = number
        self.productId = productId
        self.type = type
        self.title = title
        self.description = description
        self.price = price
        self.locale = locale
        self.familyShareable = familyShareable
        self.content = content
        self.subscription = subscription
    }

    /// - Throws: `DecodingError`, also for a locale that has not the form of one.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        number = try container.decodeIfPresent(Int64.self, forKey: .number) ?? 0
        productId = try container.decode(String.self, forKey: .productId)
        type = try container.decode(String.self, forKey: .type)
        title = try container.decode(String.self, forKey: .title)
        description = try container.decode(String.self, forKey: .description)
        price = try container.decode(Money.self, forKey: .price)
        locale = try container.decodePriceLocale(forKey: .locale)
        familyShareable = try container.decode(Bool.self, forKey: .familyShareable)
        content = try container.decodeIfPresent(WireContentOffer.self, forKey: .content)
        subscription = try container.decodeIfPresent(SubscriptionTerms.self, forKey: .subscription)
    }
}

/// What a buyer of hosted content will download.
package struct WireContentOffer: Codable, Sendable, Hashable {
    package var version: ContentVersion
    /// Bytes to download, one figure for each file.
    package var lengths: [Int64]

    package init(version: ContentVersion, lengths: [Int64]) {
        self.version = version
        self.lengths = lengths
    }

    /// - Throws: `DecodingError`, also for lengths that no content has; they can be added up.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(ContentVersion.self, forKey: .version)
        lengths = try container.decode([Int64].self, forKey: .lengths)
        var left = WireContent.longest
        for length in lengths {
            guard (0...left).contains(length) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .lengths, in: container, debugDescription: "no content is so long")
            }
            left -= length
        }
    }
}
