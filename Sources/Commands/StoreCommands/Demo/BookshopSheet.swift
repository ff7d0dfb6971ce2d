import StoreKit

/// The demo's customer: knows their password, and confirms on the terminal or, without
/// one, says yes.
struct BookshopSheet: OpenStoreSheet {
    let settings: DemoSettings
    let output: Output

    func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        if settings.asks { return try await OpenStoreTerminalSheet().confirm(question) }
        let mark = question.isSandbox ? "  [Environment: Sandbox]" : ""
        output.line("  \(question.text)\(mark)  yes")
        return true
    }

    func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        guard question.problem == nil else { return nil }
        let mark = question.isSandbox ? "  [Environment: Sandbox]" : ""
        output.line("  Signing in as \(settings.email)\(mark)")
        return OpenStoreCredentials(email: settings.email, password: settings.password)
    }
}
