/// An addition of OpenStoreKit: answers by rule, for tests and for programs without a
/// customer in front of them.
public struct OpenStoreScriptedSheet: OpenStoreSheet {
    private let decide: @Sendable (OpenStorePurchaseQuestion) -> Bool
    private let credentials: @Sendable (OpenStoreSignInQuestion) -> OpenStoreCredentials?
    private let code: @Sendable (OpenStoreRedemptionQuestion) -> String?
    private let agree: @Sendable (OpenStorePriceConsentQuestion) -> Bool?
    private let page: @Sendable (OpenStorePage) -> Void

    /// - Parameters:
    ///   - confirm: whether to buy.
    ///   - signIn: who to sign in; nil gives up.
    ///   - redeem: the offer code to redeem; nil gives up.
    ///   - consent: whether to agree to a higher price; nil decides later.
    ///   - show: sees the pages that would be shown.
    public init(
        confirm: @escaping @Sendable (OpenStorePurchaseQuestion) -> Bool,
        signIn: @escaping @Sendable (OpenStoreSignInQuestion) -> OpenStoreCredentials?,
        redeem: @escaping @Sendable (OpenStoreRedemptionQuestion) -> String? = { _ in nil },
        consent: @escaping @Sendable (OpenStorePriceConsentQuestion) -> Bool? = { _ in nil },
        show: @escaping @Sendable (OpenStorePage) -> Void = { _ in }
    ) {
        decide = confirm
        credentials = signIn
        code = redeem
        agree = consent
        page = show
    }

    /// Asks whether to buy.
    public func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        decide(question)
    }

    /// Asks who the customer is.
    public func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        credentials(question)
    }

    /// Asks for an offer code.
    public func redeem(_ question: OpenStoreRedemptionQuestion) async throws -> String? {
        code(question)
    }

    /// Asks about a higher price.
    public func consent(_ question: OpenStorePriceConsentQuestion) async throws -> Bool? {
        agree(question)
    }

    /// Shows a page.
    public func show(_ page: OpenStorePage) async throws {
        self.page(page)
    }
}
