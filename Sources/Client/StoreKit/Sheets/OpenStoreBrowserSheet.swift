import FoundationNetworking
import StoreModel
import StoreTexts
import StoreWire

/// An addition of OpenStoreKit: asks on a page of the store, in the customer's browser.
///
/// The app's process sees neither passwords nor the page; it waits for the store to tell
/// the answer and opens no port. A question that nobody answers ends after some fifteen
/// minutes as if the customer had given up, also where the store does not say so. Chosen
/// with `OpenStore.sheet`, or for programs without a line of code with the environment
/// variable `OPENSTORE_SHEET=browser`.
public struct OpenStoreBrowserSheet: OpenStoreSheet {
    private let open: @Sendable (URL) throws -> Void
    private let device: @Sendable () throws -> StoreDevice
    private let retry: RetryPolicy

    /// A sheet that opens pages with `$BROWSER` or `xdg-open`. Where there is no desktop it
    /// writes their addresses to the terminal, or to the log without one.
    public init() {
        self.init(opening: { try BrowserCommand.open($0) })
    }

    /// A sheet for programs that show pages themselves.
    ///
    /// - Parameter open: shows a page to the customer and returns without waiting for them;
    ///   what it throws ends the question.
    public init(open: @escaping @Sendable (URL) throws -> Void) {
        self.init(opening: open)
    }

    /// - Parameter device: whose questions it asks.
    init(
        opening open: @escaping @Sendable (URL) throws -> Void,
        device: @escaping @Sendable () throws -> StoreDevice = { try StoreDevice.current() },
        retry: RetryPolicy = .standard
    ) {
        self.open = open
        self.device = device
        self.retry = retry
    }

    /// Asks whether to buy.
    ///
    /// - Throws: ``SKError/paymentNotAllowed`` after too many wrong passwords, `URLError`
    ///   where the store can't be reached.
    public func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        let request = PromptRequest.confirm(
            productId: question.productIdentifier, quantity: question.quantity,
            price: question.unitPrice, wish: question.wish)
        return try await ask(request, as: question.account).state == .yes
    }

    /// Asks who the customer is.
    ///
    /// - Throws: ``SKError/paymentNotAllowed`` after too many wrong passwords, `URLError`
    ///   where the store can't be reached.
    public func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        // A session whose answer was lost on the way is not given out again: ask anew.
        for _ in 0..<retry.attempts {
            let answer = try await ask(.signIn(email: question.email), as: nil)
            if let session = answer.session { return OpenStoreCredentials(session: session) }
            guard answer.state == .collected else { return nil }
        }
        throw URLError(.networkConnectionLost)
    }

    /// Asks for an offer code.
    ///
    /// - Throws: ``SKError/paymentNotAllowed`` after too many wrong passwords, `URLError`
    ///   where the store can't be reached.
    public func redeem(_ question: OpenStoreRedemptionQuestion) async throws -> String? {
        try await ask(.redeem, as: question.account).code
    }

    /// Asks about a higher price.
    ///
    /// - Throws: ``SKError/paymentNotAllowed`` after too many wrong passwords,
    ///   ``SKError/paymentCancelled`` where nobody has answered in time, `URLError` where the
    ///   store can't be reached.
    public func consent(_ question: OpenStorePriceConsentQuestion) async throws -> Bool? {
        let request = PromptRequest.consent(
            productId: question.productIdentifier, currentPrice: question.currentAmount,
            newPrice: question.newAmount)
        switch try await ask(request, as: question.account).state {
        case .yes: return true
        case .no: return false
        case .expired: throw SKError(.paymentCancelled, Texts.device.noAnswerInTime)
        default: return nil
        }
    }

    /// Opens a page. Nobody can know when the customer is done with it, so it returns at
    /// once.
    public func show(_ page: OpenStorePage) async throws {
        try open(page.url)
    }

    /// Shows an item on a page of the store, where the customer signs in, buys and downloads.
    ///
    /// Returns when the customer presses Done there or closes the page, which is heard of some
    /// fifteen seconds later, and at the latest after the half hour for which the store keeps
    /// such a page. Where the browser runs no scripts, a page that is closed is not heard of.
    /// Cancelling the task takes the page away.
    ///
    /// - Throws: ``SKError/storeProductNotAvailable`` where the storefront of the account has no
    ///   such item, `URLError` where the store can't be reached.
    public func present(_ item: OpenStoreItem) async throws {
        try await show(
            .item(
                itemId: item.identifier, at: item.referral.affiliateToken,
                ct: item.referral.campaignToken, pt: item.referral.providerToken))
    }

    /// Asks for a review on a page of the store, which writes it.
    ///
    /// - Returns: nil.
    public func review(_ question: OpenStoreReviewQuestion) async throws -> OpenStoreReview? {
        try await show(
            .item(itemId: question.itemIdentifier, at: nil, ct: nil, pt: nil), at: "/review")
        return nil
    }

    /// Shows a page that somebody who has not signed in can look at, until they are done.
    ///
    /// - Parameter place: a page below the prompt's that is shown first.
    private func show(_ request: PromptRequest, at place: String = "") async throws {
        let device = try device()
        // Who looks need not sign in, and whoever has is known to the page.
        let session = device.noticeSession()
        let prompt: PromptAnswer
        do {
            prompt = try await device.client.ask(request, session: session)
        } catch let error as WireError where error.code == .notSignedIn {
            guard let session else { throw error }
            device.sessions.clear(session)
            prompt = try await device.client.ask(request, session: nil)
        }
        // However it ended, the customer is done with it.
        _ = try await conduct(prompt, at: place, device, within: Self.longestItem)
    }

    // MARK: Parts

    /// The store ends questions after fifteen minutes, and items after half an hour. A minute later
    /// nobody waits for its word any longer: one prompt must not hold the payment queue. The time
    /// is the device's since it began to wait; the end that the store names is by the store's clock.
    private static let longestQuestion = Duration.seconds(16 * 60)
    private static let longestItem = Duration.seconds(31 * 60)

    /// Puts a question, shows its page, and waits for its end.
    ///
    /// - Parameter account: whose question it is; nil where that is the question.
    private func ask(_ request: PromptRequest, as account: String?) async throws
        -> PromptStateAnswer
    {
        let device = try device()
        let answer = try await conduct(
            try await put(request, as: account, device), device, within: Self.longestQuestion)
        guard answer.state != .exhausted else {
            throw SKError(
                .paymentNotAllowed, Texts.device.passwordWrongOnPage)
        }
        return answer
    }

    /// Shows the page of a prompt, and waits for its end.
    private func conduct(
        _ prompt: PromptAnswer, at place: String = "", _ device: StoreDevice,
        within limit: Duration
    ) async throws -> PromptStateAnswer {
        do {
            guard let url = URL(string: prompt.url + place), device.client.isPage(url) else {
                throw URLError(.badServerResponse)
            }
            try open(url)
            return try await answer(to: prompt, device, within: limit)
        } catch {
            // Also where this task is cancelled, so another one has to do it.
            await Task { try? await device.client.abandon(prompt) }.value
            throw Task.isCancelled ? CancellationError() : error
        }
    }

    private func put(
        _ request: PromptRequest, as account: String?, _ device: StoreDevice
    ) async throws -> PromptAnswer {
        guard let account else { return try await device.client.ask(request, session: nil) }
        let session = try await device.signedIn(as: account)
        do {
            return try await device.client.ask(request, session: session)
        } catch let error as WireError where error.code == .notSignedIn {
            device.sessions.clear(session)
            return try await device.client.ask(
                request, session: try await device.signedIn(as: account))
        }
    }

    /// Waits until the prompt has ended, and not longer than the limit: then it has expired.
    private func answer(
        to prompt: PromptAnswer, _ device: StoreDevice, within limit: Duration
    ) async throws -> PromptStateAnswer {
        let expired = PromptStateAnswer(state: .expired)
        return try await withThrowingTaskGroup(of: PromptStateAnswer.self) { group in
            group.addTask { try await end(of: prompt, device) }
            group.addTask {
                try await retry.sleep(limit)
                device.log("The store does not say how its page has ended; it counts as expired.")
                // Nobody waits for the answer to this either.
                Task { try? await device.client.abandon(prompt) }
                return expired
            }
            defer { group.cancelAll() }
            return try await group.next() ?? expired
        }
    }

    /// Asks, request by request, until the prompt has ended. A network that is gone for a
    /// while does not end it.
    private func end(
        of prompt: PromptAnswer, _ device: StoreDevice
    ) async throws -> PromptStateAnswer {
        var failures = 0
        while true {
            try Task.checkCancellation()
            let start = ContinuousClock.now
            do {
                let answer = try await device.client.answer(to: prompt)
                failures = 0
                switch answer.state {
                case .pending:
                    // Something in between does not let requests wait; don't hammer it.
                    if start.duration(to: .now) < .seconds(1) {
                        try await retry.sleep(retry.delay(after: 0))
                    }
                default: return answer
                }
            } catch let error where error is URLError || error.isPassing {
                guard !Task.isCancelled, failures + 1 < retry.attempts else { throw error }
                device.log("The customer's answer is waited for again: \(error)")
                try await retry.sleep(retry.delay(after: failures))
                failures += 1
            }
        }
    }
}

extension Error {
    /// Whether the store may answer another time.
    fileprivate var isPassing: Bool {
        guard let error = self as? WireError else { return false }
        return error.code == .storeUnavailable || error.code == .internalError
    }
}
