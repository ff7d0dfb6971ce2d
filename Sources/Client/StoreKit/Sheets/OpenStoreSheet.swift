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
    public let price: String
    /// The account that is charged.
    public let account: String

    /// The question in English.
    public var text: String {
        let what = quantity == 1 ? "one “\(title)”" : "\(quantity) × “\(title)”"
        return "Do you want to buy \(what) for \(price)?"
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
    /// Its password.
    public let password: String

    /// What the customer typed.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

/// The mark of the test environment in every prompt.
let sandboxMark: String = "[Environment: Sandbox]"
