import StoreModel

/// Body of `POST /device/v1/prompts`: what the customer is to be asked on a page of the
/// store. It holds no text, because the page shows the store's own.
package enum PromptRequest: Codable, Sendable, Hashable {
    /// - Parameter email: the account that it has to be; nil for any.
    case signIn(email: String?)
    /// - Parameters:
    ///   - price: of one.
    ///   - wish: what the order will say of offers.
    case confirm(productId: String, quantity: Int, price: Money, wish: PromptOfferWish? = nil)
    case redeem
    case consent(productId: String, currentPrice: Money, newPrice: Money)
    /// An item of the storefront to look at and to buy, and who sent the customer there.
    case item(itemId: Int64, at: String?, ct: String?, pt: String?)

    private enum Key: String, CodingKey {
        case kind, email, productId, quantity, price, currentPrice, newPrice
        case itemId, at, ct, pt, wish
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let kind = try container.decode(String.self, forKey: .kind)
        switch kind {
        case "signIn":
            self = .signIn(email: try container.decodeIfPresent(String.self, forKey: .email))
        case "confirm":
            self = .confirm(
                productId: try container.decode(String.self, forKey: .productId),
                quantity: try container.decode(Int.self, forKey: .quantity),
                price: try container.decode(Money.self, forKey: .price),
                wish: try container.decodeIfPresent(PromptOfferWish.self, forKey: .wish))
        case "redeem":
            self = .redeem
        case "consent":
            self = .consent(
                productId: try container.decode(String.self, forKey: .productId),
                currentPrice: try container.decode(Money.self, forKey: .currentPrice),
                newPrice: try container.decode(Money.self, forKey: .newPrice))
        case "item":
            self = .item(
                itemId: try container.decode(Int64.self, forKey: .itemId),
                at: try container.decodeIfPresent(String.self, forKey: .at),
                ct: try container.decodeIfPresent(String.self, forKey: .ct),
                pt: try container.decodeIfPresent(String.self, forKey: .pt))
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: container, debugDescription: "no prompt is of this kind")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .signIn(let email):
            try container.encode("signIn", forKey: .kind)
            try container.encodeIfPresent(email, forKey: .email)
        case .confirm(let productId, let quantity, let price, let wish):
            try container.encode("confirm", forKey: .kind)
            try container.encode(productId, forKey: .productId)
            try container.encode(quantity, forKey: .quantity)
            try container.encode(price, forKey: .price)
            try container.encodeIfPresent(wish, forKey: .wish)
        case .redeem:
            try container.encode("redeem", forKey: .kind)
        case .consent(let productId, let currentPrice, let newPrice):
            try container.encode("consent", forKey: .kind)
            try container.encode(productId, forKey: .productId)
            try container.encode(currentPrice, forKey: .currentPrice)
            try container.encode(newPrice, forKey: .newPrice)
        case .item(let itemId, let at, let ct, let pt):
            try container.encode("item", forKey: .kind)
            try container.encode(itemId, forKey: .itemId)
            try container.encodeIfPresent(at, forKey: .at)
            try container.encodeIfPresent(ct, forKey: .ct)
            try container.encodeIfPresent(pt, forKey: .pt)
        }
    }
}

/// Answer of `POST /device/v1/prompts`.
package struct PromptAnswer: Codable, Sendable, Hashable {
    package var id: String
    /// The page for the customer.
    package var url: String
    /// What the device sends in the header `OpenStore-Prompt` to hear the answer.
    package var secret: String
    /// Until when it can be answered, milliseconds since 1970.
    package var expiresDate: Int64

    package init(id: String, url: String, secret: String, expiresDate: Int64) {
        self.id = id
        self.url = url
        self.secret = secret
        self.expiresDate = expiresDate
    }
}

/// How a prompt stands. Unknown names survive a round trip.
package struct PromptStateCode: RawRepresentable, Hashable, Sendable, Codable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Nobody has answered yet: ask again.
    package static let pending = Self("pending")
    package static let yes = Self("yes")
    package static let no = Self("no")
    package static let later = Self("later")
    /// The customer is done with what was shown.
    package static let done = Self("done")
    /// The customer has closed the page of an item.
    package static let left = Self("left")
    /// Answered with `code`.
    package static let code = Self("code")
    /// Answered with `session`; given out once.
    package static let signedIn = Self("signedIn")
    /// The session was given out before.
    package static let collected = Self("collected")
    package static let expired = Self("expired")
    package static let abandoned = Self("abandoned")
    /// Ended by too many wrong passwords.
    package static let exhausted = Self("exhausted")
}

/// Answer of `GET /device/v1/prompts/{id}`.
package struct PromptStateAnswer: Codable, Sendable, Hashable {
    package var state: PromptStateCode
    package var code: String?
    package var session: SessionAnswer?

    package init(state: PromptStateCode, code: String? = nil, session: SessionAnswer? = nil) {
        self.state = state
        self.code = code
        self.session = session
    }
}

/// What an order that a page asks about will say of offers.
package struct PromptOfferWish: Codable, Sendable, Hashable {
    package var offer: OfferWish
    /// Of the payment: a promotional offer is signed for it.
    package var applicationUsername: String?
    /// Whether the offer is one of a code, which the store has looked at before.
    package var isOfCode: Bool?

    package init(offer: OfferWish, applicationUsername: String?, isOfCode: Bool?) {
        self.offer = offer
        self.applicationUsername = applicationUsername
        self.isOfCode = isOfCode
    }
}
