/// The options of a purchase, checked and combined.
struct PurchaseOptions {
    private(set) var quantity: Int?
    private(set) var accountToken: UUID?
    private(set) var asksToBuy: Bool?
    private var offer: Product.PurchaseOption.SignedOffer?
    /// An offer that is sent by its identifier.
    private var offerID: String?
    private var plan: Product.SubscriptionInfo.BillingPlanType?
    private var questions: [@Sendable (Storefront) -> Bool] = []

    /// - Throws: `StoreKitError.systemError` for two options of a kind.
    init(_ options: Set<Product.PurchaseOption>) throws {
        for option in options {
            switch option.kind {
            case .quantity(let number): try Self.set(&quantity, number, option)
            case .appAccountToken(let token): try Self.set(&accountToken, token, option)
            case .simulatesAskToBuyInSandbox(let flag): try Self.set(&asksToBuy, flag, option)
            case .onStorefrontChange(let question): questions.append(question.shouldContinue)
            case .promotionalOffer(let signed): try Self.set(&offer, signed, option)
            case .winBackOffer(let chosen): try Self.set(&offerID, chosen.id ?? "", option)
            case .custom(Product.PurchaseOption.Key.offerID, .text(let id)):
                try Self.set(&offerID, id, option)
            case .billingPlanType(let type): try Self.set(&plan, type, option)
            // The store knows no other custom options: they are ignored.
            case .custom: break
            }
        }
        guard offer == nil || offerID == nil else {
            throw Self.conflict("two offers")
        }
    }

    private static func set<Value: Equatable>(
        _ place: inout Value?, _ value: Value, _ option: Product.PurchaseOption
    ) throws {
        guard place == nil || place == value else {
            throw conflict("\(option.debugDescription) beside another of its kind")
        }
        place = value
    }

    fileprivate static func conflict(_ what: String) -> StoreKitError {
        .systemError(
            SKError(.paymentInvalid, "The purchase has \(what); it can have one."))
    }

    /// Whether the purchase is to be made by an offer.
    var namesOffer: Bool { offer != nil || offerID != nil }

    /// Whether the purchase continues in another storefront; `nil` if no option says so.
    var mayContinue: (@Sendable (Storefront) -> Bool)? {
        guard !questions.isEmpty else { return nil }
        return { [questions] storefront in questions.allSatisfy { $0(storefront) } }
    }

    /// Whether a product is sold by the plan that the options name. Whatever is sold can be paid up
    /// front.
    func namesPlan(of product: Product) -> Bool {
        guard let plan, plan != .upFront else { return true }
        return product.subscription?.pricingTerms.contains { $0.billingPlanType == plan } ?? false
    }

    func payment(for product: Product) -> SKPayment {
        var details = SKPayment.Details()
        details.productIdentifier = product.id
        details.quantity = quantity ?? 1
        details.applicationUsername = accountToken?.uuidString.lowercased()
        details.simulatesAskToBuyInSandbox = asksToBuy ?? false
        details.paymentDiscount = discount
        details.isFromProduct = true
        return SKPayment(details)
    }

    private var discount: SKPaymentDiscount? {
        if let offer {
            return SKPaymentDiscount(
                identifier: offer.offerID, keyIdentifier: offer.keyID, nonce: offer.nonce,
                signature: offer.signature.base64EncodedString(),
                timestamp: NSNumber(value: offer.timestamp))
        }
        return offerID.map {
            SKPaymentDiscount(
                identifier: $0, keyIdentifier: "", nonce: UUID(), signature: "",
                timestamp: NSNumber(value: 0))
        }
    }
}

/// A purchase that a test makes outside of the app, as its options say.
package struct OutsideOrder: Sendable {
    /// Custom options with the date of a purchase in the past, in seconds since 1970: of one that
    /// has renewed since then, and of one that was cancelled at once.
    package static let dateKey = "openstore.test.purchaseDate"
    package static let cancelledDateKey = "openstore.test.cancelledPurchaseDate"

    package let quantity: Int
    package let accountToken: UUID?
    package let asksToBuy: Bool
    /// When it was made, in the past; `nil` for what the session's clock shows.
    package private(set) var date: Date?
    /// Whether a subscription was cancelled at once.
    package private(set) var isCancelled = false

    /// - Throws: `StoreKitError.systemError` for two options of a kind, `StoreKitError.unsupported`
    ///   for an offer.
    package init(_ options: Set<Product.PurchaseOption>) throws {
        let checked = try PurchaseOptions(options)
        guard !checked.namesOffer else { throw StoreKitError.unsupported }
        quantity = checked.quantity ?? 1
        accountToken = checked.accountToken
        asksToBuy = checked.asksToBuy ?? false
        for option in options {
            guard case .custom(let key, .number(let seconds)) = option.kind,
                [Self.dateKey, Self.cancelledDateKey].contains(key)
            else { continue }
            guard date == nil else { throw PurchaseOptions.conflict("two dates") }
            date = Date(timeIntervalSince1970: seconds)
            isCancelled = key == Self.cancelledDateKey
        }
    }
}
