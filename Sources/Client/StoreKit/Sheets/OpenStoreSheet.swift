import StoreModel
import StoreTexts
import StoreWire

/// An addition of OpenStoreKit: asks the customer, on the framework's behalf.
///
/// Apps never see prices confirmed or passwords typed; what a sheet decides goes to the
/// store.
public protocol OpenStoreSheet: Sendable {
    /// Whether the customer wants to buy.
    ///
    /// - Throws: ``SKError`` where nobody can be asked.
    func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool

    /// Who the customer is; nil where they give up.
    ///
    /// - Throws: ``SKError`` where nobody can be asked.
    func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials?

    /// The offer code that the customer wants to redeem; nil where they give up.
    ///
    /// - Throws: ``SKError`` where nobody can be asked.
    func redeem(_ question: OpenStoreRedemptionQuestion) async throws -> String?

    /// Whether the customer agrees to a higher price; nil where they decide later.
    ///
    /// - Throws: ``SKError`` where nobody can be asked.
    func consent(_ question: OpenStorePriceConsentQuestion) async throws -> Bool?

    /// Shows a page of the store, such as a product's, and returns when the customer is done
    /// with it.
    ///
    /// - Throws: ``SKError`` where there is nowhere to show it.
    func show(_ page: OpenStorePage) async throws

    /// Shows an item of the store to look at and to buy, and returns when the customer is done
    /// with it.
    ///
    /// - Throws: ``SKError`` where there is nowhere to show it.
    func present(_ item: OpenStoreItem) async throws

    /// What the customer thinks of the app; nil where they give up, and where the sheet has
    /// written it itself.
    ///
    /// The stars are asked for first, and the app is not left.
    ///
    /// - Throws: ``SKError`` where nobody can be asked.
    func review(_ question: OpenStoreReviewQuestion) async throws -> OpenStoreReview?
}

// Sheets written for buying and signing in only.
extension OpenStoreSheet {
    /// Gives up: the sheet can't ask for codes.
    public func redeem(_ question: OpenStoreRedemptionQuestion) async throws -> String? { nil }
    /// Decides later: the sheet can't ask about prices.
    public func consent(_ question: OpenStorePriceConsentQuestion) async throws -> Bool? { nil }
    /// Throws ``SKError/unsupportedPlatform``: the sheet can't show pages.
    public func show(_ page: OpenStorePage) async throws {
        throw SKError(.unsupportedPlatform, "The sheet \(type(of: self)) can't show pages.")
    }
    /// Shows the item's page.
    public func present(_ item: OpenStoreItem) async throws { try await show(item.page) }
    /// Shows the app's page where reviews are written.
    public func review(_ question: OpenStoreReviewQuestion) async throws -> OpenStoreReview? {
        try await show(question.page)
        return nil
    }
}

/// An addition of OpenStoreKit: what a customer is asked before a purchase.
public struct OpenStorePurchaseQuestion: Sendable, Hashable {
    /// Whether no money changes hands.
    public let isSandbox: Bool
    /// The product's identifier.
    public let productIdentifier: String
    /// The product's name in the storefront's language.
    public let title: String
    /// How many of it.
    public let quantity: Int
    /// What all of it costs, in the storefront's currency, as the device's language writes it.
    ///
    /// To be shown on a line of its own: the title is the publisher's, and may look like anything.
    public let price: String
    /// The account that is charged.
    public let account: String
    /// Whether somebody else has to approve what the account buys (Ask to Buy).
    public let needsApproval: Bool
    /// What one costs.
    let unitPrice: Money
    /// How often it renews by itself; nil for what does not.
    let renewal: StoreModel.SubscriptionPeriod?
    /// When it charges the account.
    var charge = ChargeNotice.now
    /// The storefront's locale.
    var locale = ""
    /// What the order will say of offers.
    var wish: PromptOfferWish?

    /// The question in the language of the device.
    public var text: String { text(in: .device) }

    func text(in texts: Texts) -> String {
        var sentences: [String] = [
            texts.question(
                quantity: quantity, product: title, price: texts.price(price, every: renewal),
                isSubscription: renewal != nil, asks: needsApproval)
        ]
        if let renewal {
            let terms = texts.terms(of: renewal, price: price).dropFirst()
            sentences += (terms + [(texts.cancellation, texts.howToCancel)]).map {
                texts.labelled(label: $0.label, value: $0.value)
            }
        }
        if let notice = notice(in: texts) { sentences.append(notice) }
        return sentences.joined(separator: " ")
    }
}

extension OpenStorePurchaseQuestion {
    /// - Parameter total: what all of it costs.
    init(
        _ product: WireProduct, quantity: Int, total: Money, _ charge: ChargeNotice,
        for session: SessionAnswer, isSandbox: Bool, wish: PromptOfferWish?
    ) {
        self.init(
            isSandbox: isSandbox, productIdentifier: product.productId, title: product.title,
            quantity: quantity,
            price: total.formatted(locale: StoreLanguage.device.locale(in: product.locale)),
            account: session.email,
            needsApproval: session.asksToBuy ?? false && charge.asksGuardian,
            unitPrice: product.price,
            renewal: product.type == ProductType.autoRenewableSubscription.rawValue
                ? product.subscription?.period : nil, charge: charge, locale: product.locale,
            wish: wish)
    }
}

/// An addition of OpenStoreKit: what a customer is asked to redeem an offer code.
public struct OpenStoreRedemptionQuestion: Sendable, Hashable {
    /// Whether no money changes hands.
    public let isSandbox: Bool
    /// The account that gets what the code is for.
    public let account: String
    /// Why the last code was not good; nil the first time.
    public let problem: String?
}

/// An addition of OpenStoreKit: what a customer is asked before a price rises.
public struct OpenStorePriceConsentQuestion: Sendable, Hashable {
    /// Whether no money changes hands.
    public let isSandbox: Bool
    /// The product's identifier.
    public let productIdentifier: String
    /// The product's name in the storefront's language.
    public let title: String
    /// What it costs now, in the storefront's currency, as the device's language writes it.
    public let currentPrice: String
    /// What it is to cost.
    public let newPrice: String
    /// The account that is charged.
    public let account: String
    /// Both prices as amounts.
    let currentAmount: Money
    let newAmount: Money

    /// The question in the language of the device.
    public var text: String { text(in: .device) }

    func text(in texts: Texts) -> String {
        texts.priceRises(product: title, current: currentPrice, new: newPrice)
    }
}

/// An addition of OpenStoreKit: a page of the store to be shown to the customer.
public struct OpenStorePage: Sendable, Hashable {
    /// What it is about, for a title.
    public let title: String
    /// Its address.
    public let url: URL

    /// A page that the app shows by itself with a sheet, such as the one of
    /// ``OpenStore/productPageURL(forItem:storefront:affiliateToken:campaignToken:)``.
    public init(title: String, url: URL) {
        self.title = title
        self.url = url
    }
}

/// An addition of OpenStoreKit: what a customer is asked to sign in.
public struct OpenStoreSignInQuestion: Sendable, Hashable {
    /// Whether a tester is wanted instead of a customer.
    public let isSandbox: Bool
    /// The account that it has to be; nil for any.
    public let email: String?
    /// Why the last answer was not good; nil the first time.
    public let problem: String?
}

/// An addition of OpenStoreKit: what a customer typed to sign in.
public struct OpenStoreCredentials: Sendable, Hashable {
    /// The address of the account.
    public let email: String
    /// Its password; empty where the customer signed in on a page of the store, which the
    /// app's process never sees.
    public let password: String
    /// The session, where the store has made one already.
    let session: SessionAnswer?

    /// What the customer typed.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
        session = nil
    }

    /// The session that the customer began on a page of the store.
    init(session: SessionAnswer) {
        email = session.email
        password = ""
        self.session = session
    }
}
