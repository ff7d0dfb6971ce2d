import StoreWire

/// The options of a purchase, checked and combined.
struct PurchaseOptions {
    private(set) var quantity: Int?
    private(set) var accountToken: UUID?
    private(set) var asksToBuy: Bool?
    private var signedOffer: Product.PurchaseOption.SignedOffer?
    /// An offer that is sent by its identifier.
    private var offerID: String?
    /// What the developer's server says of it, or of the right to an introductory offer: JWS.
    private var permission: String?
    private var introductoryEligibility: String?
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
            case .promotionalOffer(let signed): try Self.set(&signedOffer, signed, option)
            case .winBackOffer(let chosen): try Self.set(&offerID, chosen.id ?? "", option)
            case .custom(Product.PurchaseOption.Key.offerID, .text(let id)):
                try Self.set(&offerID, id, option)
            case .custom(Product.PurchaseOption.Key.offerSignature, .text(let text)):
                try Self.set(&permission, Self.statement(text), option)
            case .custom(Product.PurchaseOption.Key.introductoryEligibility, .text(let jws)):
                try Self.set(&introductoryEligibility, jws, option)
            case .billingPlanType(let type): try Self.set(&plan, type, option)
            // The store knows no other custom options: they are ignored.
            case .custom: break
            }
        }
        guard
            [signedOffer != nil, offerID != nil, introductoryEligibility != nil]
                .filter({ $0 }).count <= 1
        else { throw Self.conflict("two offers") }
    }

    /// The JWS of an option that has it in Base64; what is none is left to the store.
    private static func statement(_ text: String) -> String {
        Data(base64Encoded: text).flatMap { String(data: $0, encoding: .utf8) } ?? text
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

    /// The name of the offer that the purchase is to be made by.
    var offerName: String? { signedOffer?.offerID ?? offerID }

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
        details.paymentDiscount = signedOffer.map {
            SKPaymentDiscount(
                identifier: $0.offerID, keyIdentifier: $0.keyID, nonce: $0.nonce,
                signature: $0.signature.base64EncodedString(),
                timestamp: NSNumber(value: $0.timestamp))
        }
        details.offer = wish
        details.isFromProduct = true
        return SKPayment(details)
    }

    /// What the order says of offers that the original API has no words for.
    private var wish: OfferWish? {
        if let offerID {
            return OfferWish(
                identifier: offerID, permission: permission.map { OfferPermission(jws: $0) })
        }
        return introductoryEligibility.map { OfferWish(introductoryEligibility: $0) }
    }
}

/// A purchase that a test makes outside of the app, as its options say.
package struct OutsideOrder: Sendable {
    /// Custom options with the name of an offer that is had without a signature, or without a code.
    package static let offerKey = "openstore.test.promotionalOffer"
    package static let codeOfferKey = "openstore.test.codeOffer"
    /// Custom options with the date of a purchase in the past, in seconds since 1970: of one that
    /// has renewed since then, and of one that was cancelled at once.
    package static let dateKey = "openstore.test.purchaseDate"
    package static let cancelledDateKey = "openstore.test.cancelledPurchaseDate"

    package let quantity: Int
    package let accountToken: UUID?
    package let asksToBuy: Bool
    /// The name of the offer that it is made by.
    package private(set) var offer: String?
    /// Whether that is one of a code.
    package private(set) var isCodeOffer = false
    /// When it was made, in the past; `nil` for what the session's clock shows.
    package private(set) var date: Date?
    /// Whether a subscription was cancelled at once.
    package private(set) var isCancelled = false

    /// - Throws: `StoreKitError.systemError` for two options of a kind.
    package init(_ options: Set<Product.PurchaseOption>) throws {
        let checked = try PurchaseOptions(options)
        offer = checked.offerName
        quantity = checked.quantity ?? 1
        accountToken = checked.accountToken
        asksToBuy = checked.asksToBuy ?? false
        for option in options {
            if case .custom(let key, .text(let name)) = option.kind,
                [Self.offerKey, Self.codeOfferKey].contains(key)
            {
                guard offer == nil else { throw PurchaseOptions.conflict("two offers") }
                offer = name
                isCodeOffer = key == Self.codeOfferKey
            }
            guard case .custom(let key, .number(let seconds)) = option.kind,
                [Self.dateKey, Self.cancelledDateKey].contains(key)
            else { continue }
            guard date == nil else { throw PurchaseOptions.conflict("two dates") }
            date = Date(timeIntervalSince1970: seconds)
            isCancelled = key == Self.cancelledDateKey
        }
    }
}
