/// Answers for the tester without a person, as `OPENSTORE_SHEET=accept` and `decline` ask for.
///
/// In the sandbox only: what a customer pays with money is agreed to by a customer.
struct AutomaticSheet: OpenStoreSheet {
    /// Whether it agrees to payments and prices.
    let accepts: Bool
    /// Who signs in, as `OPENSTORE_TESTER` has it: the address, a colon and the password.
    let tester: String?
    /// Whether the app's profile is for the sandbox.
    let isSandbox: @Sendable () throws -> Bool
    /// Whose account buys items.
    let device: @Sendable () throws -> StoreDevice

    init(
        accepts: Bool,
        tester: String? = ProcessInfo.processInfo.environment["OPENSTORE_TESTER"],
        isSandbox: @escaping @Sendable () throws -> Bool = {
            try StoreDevice.current().profile.payload.environment == .sandbox
        },
        device: @escaping @Sendable () throws -> StoreDevice = { try StoreDevice.current() }
    ) {
        self.accepts = accepts
        self.tester = tester
        self.isSandbox = isSandbox
        self.device = device
    }

    func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        try demandSandbox()
        return accepts
    }

    /// Signs the tester in whether payments are accepted or declined: who nobody is declines nothing.
    func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        try demandSandbox()
        guard let tester, !tester.isEmpty else {
            throw SKError(
                .paymentNotAllowed,
                "Nobody is signed in, and there is nobody to ask: \(setting) answers. Name a tester "
                    + "as OPENSTORE_TESTER=EMAIL:PASSWORD, or sign one in with "
                    + "openstore account sign-in.")
        }
        guard let colon = tester.utf8.firstIndex(of: UInt8(ascii: ":")),
            colon > tester.startIndex, tester.utf8.index(after: colon) < tester.endIndex
        else {
            throw SKError(
                .paymentNotAllowed,
                "OPENSTORE_TESTER has to be an address, a colon and a password.")
        }
        let email = String(tester[..<colon])
        if let problem = question.problem {
            throw SKError(.paymentNotAllowed, "OPENSTORE_TESTER can't be signed in: \(problem)")
        }
        if let wanted = question.email, wanted != email.lowercased() {
            throw SKError(
                .paymentNotAllowed,
                "The account \(wanted) has to sign in, and OPENSTORE_TESTER is another one.")
        }
        return OpenStoreCredentials(
            email: email, password: String(tester[tester.utf8.index(after: colon)...]))
    }

    /// Gives up: it knows no code.
    func redeem(_ question: OpenStoreRedemptionQuestion) async throws -> String? {
        try demandSandbox()
        return nil
    }

    func consent(_ question: OpenStorePriceConsentQuestion) async throws -> Bool? {
        try demandSandbox()
        return accepts
    }

    /// Closes the page at once.
    func show(_ page: OpenStorePage) async throws {
        try demandSandbox()
    }

    /// Buys the item where it accepts, unless the tester has it, and closes it.
    func present(_ item: OpenStoreItem) async throws {
        try demandSandbox()
        guard accepts else { return }
        let device = try device()
        let account = try await device.signedIn().email
        let visit = ItemVisit(device: device, item: item.identifier, referral: item.referral)
        let page = try await visit.page()
        guard page.customer?.isOwned != true, let price = page.item.price else { return }
        try await visit.buy(for: price, as: account)
    }

    /// Gives up: it thinks nothing of any app.
    func review(_ question: OpenStoreReviewQuestion) async throws -> OpenStoreReview? {
        try demandSandbox()
        return nil
    }

    private var setting: String { "OPENSTORE_SHEET=\(accepts ? "accept" : "decline")" }

    private func demandSandbox() throws {
        guard try isSandbox() else {
            throw SKError(
                .paymentNotAllowed,
                "\(setting) answers in the sandbox only, and the app's profile is for production.")
        }
    }
}
