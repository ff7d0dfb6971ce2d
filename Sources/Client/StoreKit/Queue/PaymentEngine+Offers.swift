import StoreModel
import StoreTexts
import StoreWire

/// Asks customers about prices, and redeems their codes.
extension PaymentEngine {
    // MARK: Price consent

    /// Takes in which questions about prices are open, and asks the customer of new ones
    /// where the delegate allows it, and the app does not loop over `Message.messages`.
    func notice(_ consents: [WireConsent]) {
        let hasNew = state.withLock { state -> Bool in
            // However many the store has, and however often it finds new ones: in one run the
            // customer is asked of so many by itself.
            state.consents = Array(consents.prefix(Self.mostConsents))
            let ids = Set(state.consents.map(\.id))
            guard !ids.isSubset(of: state.askedConsents),
                state.askedConsents.count < Self.mostConsents
            else { return false }
            state.askedConsents.formUnion(ids)
            return true
        }
        guard hasNew, !deliver(Message(reason: .priceIncreaseConsent)) else { return }
        Task { [self] in
            if await delegate.allowsPriceConsent() { showPriceConsent() }
        }
    }

    private static let mostConsents = 100

    /// Asks the customer of all open questions.
    func showPriceConsent() {
        jobs.add(once: .priceConsent) { [self] in await askConsents() }
    }

    func askConsents() async {
        guard let opened = try? open(), let session = opened.device.sessions.session else { return }
        for consent in state.withLock({ $0.consents }) {
            let locale = StoreLanguage.device.locale(in: consent.locale)
            let question = OpenStorePriceConsentQuestion(
                isSandbox: opened.device.profile.payload.environment == .sandbox,
                productIdentifier: consent.productId, title: consent.title,
                currentPrice: consent.currentPrice.formatted(locale: locale),
                newPrice: consent.newPrice.formatted(locale: locale),
                account: session.email, currentAmount: consent.currentPrice,
                newAmount: consent.newPrice)
            do {
                guard let agreed = try await opened.device.sheet.consent(question) else { continue }
                try await opened.device.client.answerConsent(
                    consent.id, agreed: agreed, session: session)
                state.withLock { $0.consents.removeAll { $0.id == consent.id } }
            } catch let error as SKError where error.code == .paymentCancelled {
                // Nobody is there. More questions would only hold the payments up.
                opened.device.log("Questions about prices are left for later: \(error)")
                return
            } catch {
                // It stays open, and is asked again at the next launch.
                opened.device.log("A question about a price could not be answered: \(error)")
            }
        }
    }

    // MARK: Offer codes

    /// Asks for an offer code; what it gives arrives as a transaction.
    func presentCodeRedemption() {
        enqueue { engine in
            do {
                try await engine.redeemCode()
            } catch let error as SKError where error.code == .paymentCancelled {
                // The customer has given up.
            } catch {
                OpenStore.writeLog(
                    "The code could not be redeemed: \(visibleError(error).localizedDescription)")
            }
        }
    }

    /// - Throws: `SKError.paymentCancelled` where the customer gives up; what went wrong.
    func redeemCode() async throws {
        let opened = try open()
        var problem: WireError?
        for _ in 0..<5 {
            let session = try await opened.device.signedIn()
            let question = OpenStoreRedemptionQuestion(
                isSandbox: opened.device.profile.payload.environment == .sandbox,
                account: session.email, problem: problem?.sentence(in: .device))
            guard let code = try await opened.device.sheet.redeem(question) else {
                throw SKError(.paymentCancelled, Texts.device.paymentCancelled)
            }
            do {
                return try await redeem(
                    code, agreed: try await agreedOffer(of: code, opened), opened)
            } catch let error as WireError where error.isAboutCode {
                problem = error
            }
        }
        if let problem { throw problem }
    }

    /// Tells the customer to which terms a code gives a subscription.
    ///
    /// - Returns: the offer that the customer has agreed to; `nil` for a code that gives another product.
    /// - Throws: `SKError.paymentCancelled` where the customer does not want it; what went wrong.
    private func agreedOffer(
        of code: String, _ opened: Opened
    ) async throws -> SubscriptionOffer? {
        let (answer, session) = try await opened.device.withSession { session in
            (
                try await opened.device.client.quote(
                    QuoteRequest(productId: "", code: code), session: session), session
            )
        }
        guard let product = answer.product, let offer = answer.notice.offer else { return nil }
        let question = OpenStorePurchaseQuestion(
            product, quantity: 1, total: product.price, answer.notice, for: session,
            isSandbox: opened.device.profile.payload.environment == .sandbox,
            wish: PromptOfferWish(
                offer: OfferWish(identifier: offer.identifier), applicationUsername: nil,
                isOfCode: true))
        guard try await opened.device.sheet.confirm(question) else {
            throw SKError(.paymentCancelled, Texts.device.paymentCancelled)
        }
        return offer
    }

    /// Redeems a code under a key of its own, which makes a second attempt after a lost
    /// answer harmless. What a crash comes in between of is fetched at the next launch.
    private func redeem(
        _ code: String, agreed: SubscriptionOffer?, _ opened: Opened
    ) async throws {
        let request = RedemptionRequest(
            purchaseKey: makeKey(), code: code, agreedOffer: agreed)
        var attempt = 0
        while true {
            do {
                let (item, account) = try await opened.device.withSession { session in
                    await opened.device.noteEvents(of: session, in: opened.journal)
                    return (
                        try await opened.device.client.redeem(request, session: session),
                        session.email
                    )
                }
                let verified = try opened.device.client.verified(item)
                guard verified.payload.purchaseKey == request.purchaseKey.text else {
                    throw URLError(.badServerResponse)
                }
                await freshenReceipt(opened)
                do { show([try adopt(verified, of: account, opened)]) } catch {
                    opened.device.log(
                        "What the code gives could not be written down; it comes later: \(error)")
                    state.withLock { $0.refreshFailed = true }
                }
                return
            } catch let error where error.leavesOpen && attempt < retry.attempts {
                opened.device.log("Redeeming a code is tried again: \(error)")
                try await retry.sleep(retry.delay(after: attempt))
                attempt += 1
            }
        }
    }
}

extension WireError {
    /// Whether another code may help.
    fileprivate var isAboutCode: Bool {
        [.codeUnknown, .codeUsed, .codeEnded, .offerUnknown, .offerIneligible].contains(code)
    }
}

extension Error {
    /// Whether the code may be redeemed all the same: no answer came, or one that is not the store's.
    fileprivate var leavesOpen: Bool {
        !(self is WireError) && !(self is SKError) && !(self is CancellationError)
    }
}
