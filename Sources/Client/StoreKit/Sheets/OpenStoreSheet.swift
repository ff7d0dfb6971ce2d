import StoreModel
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
    /// What all of it costs, written in the storefront's locale.
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
    let renewal: SubscriptionPeriod?
    /// When it charges the account.
    var charge = ChargeNotice.now

    /// The question in English.
    public var text: String {
        let what = quantity == 1 ? "“\(title)”" : "\(quantity) × “\(title)”"
        let start = needsApproval ? "Do you want to ask for permission" : "Do you want"
        let notice = charge.sentence.map { " \($0)" } ?? ""
        guard let renewal else {
            return "\(start) to buy \(quantity == 1 ? "one \(what)" : what) for \(price)?" + notice
        }
        let terms = RenewalNotice(renewal)
        let facts = terms.facts(price: price).dropFirst().map { "\($0.label) \($0.value)." }
        return "\(start) to subscribe to \(what) for \(terms.price(price))? "
            + facts.joined(separator: " ") + notice
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
    /// What it costs now, written in the storefront's locale.
    public let currentPrice: String
    /// What it is to cost.
    public let newPrice: String
    /// The account that is charged.
    public let account: String
    /// Both prices as amounts.
    let currentAmount: Money
    let newAmount: Money

    /// The question in English.
    public var text: String {
        "The price of “\(title)” rises from \(currentPrice) to \(newPrice). Do you agree?"
    }
}

/// An addition of OpenStoreKit: a page of the store to be shown to the customer.
public struct OpenStorePage: Sendable, Hashable {
    /// What it is about, for a title.
    public let title: String
    /// Its address.
    public let url: URL
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

/// The mark of the test environment in every prompt.
let sandboxMark: String = "[Environment: Sandbox]"
