/// An addition of OpenStoreKit: answers by rule, for tests and for programs without a
/// customer in front of them.
public struct OpenStoreScriptedSheet: OpenStoreSheet {
    private let decide: @Sendable (OpenStorePurchaseQuestion) -> Bool
    private let credentials: @Sendable (OpenStoreSignInQuestion) -> OpenStoreCredentials?

    /// - Parameters:
    ///   - confirm: whether to buy.
    ///   - signIn: who to sign in; nil gives up.
    public init(
        confirm: @escaping @Sendable (OpenStorePurchaseQuestion) -> Bool,
        signIn: @escaping @Sendable (OpenStoreSignInQuestion) -> OpenStoreCredentials?
    ) {
        decide = confirm
        credentials = signIn
    }

    /// Asks whether to buy.
    public func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        decide(question)
    }

    /// Asks who the customer is.
    public func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        credentials(question)
    }
}
