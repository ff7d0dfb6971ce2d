import FoundationNetworking
import StoreModel
import StoreSecurity
import StoreTexts
import StoreWire

/// One purchase on its way: sign-in, quote, confirmation, request.
struct Purchase {
    enum Outcome {
        case sold(VerifiedTransactionAnswer)
        /// Somebody else has to approve it.
        case deferred
        /// The order may have reached the store, and no answer could be had. `isWorthRetrying`
        /// says whether that can change by itself.
        case undecided(isWorthRetrying: Bool)
    }

    /// Where the payment stands, as the journal has it.
    private(set) var entry: JournalEntry
    let payment: SKPayment
    let device: StoreDevice
    let journal: DeviceJournal
    let retry: RetryPolicy
    /// The storefront that the payment was added in, where that is known.
    let storefront: String?
    /// Whether it goes on in another one.
    let mayContinue: (SKStorefront) async -> Bool
    /// Throws where a test session is over, whose store is gone.
    let checkSession: () throws -> Void
    /// What the customer reads.
    private let texts = Texts.device

    /// Goes on from where the journal stands.
    ///
    /// - Throws: what ended the payment without a sale.
    mutating func run() async throws -> Outcome {
        // An order of an earlier run may have been the one that bought.
        var mayBeSold = if case .confirmed = entry.stage { true } else { false }
        while true {
            switch entry.stage {
            case .added:
                try put(try await confirmed())
            case .confirmed(let price, let account):
                do {
                    return try await order(price: price, account: account, mayBeSold: &mayBeSold)
                } catch let error as WireError where error.code == .priceChanged {
                    // A copy of this order may arrive at any time. Before anybody is asked again,
                    // it is written down that its key is used up.
                    try put(entry.afterRefusal)
                    mayBeSold = false
                }
            case .deferred, .purchased, .restored, .failed, .finishing:
                preconditionFailure("the entry \(entry.key) is not a purchase on its way")
            }
        }
    }

    /// Writes down where the payment stands now.
    private mutating func put(_ next: JournalEntry) throws {
        try journal.put(next)
        entry = next
    }

    /// So often is a customer asked anew about one payment because its price has changed.
    private static let mostRefusals = 10

    /// The entry after the customer has agreed.
    private func confirmed() async throws -> JournalEntry {
        guard (entry.refusedOrders ?? 0) < Self.mostRefusals else {
            throw SKError(
                .unknown, texts.priceKeepsChanging)
        }
        guard StoreModel.ProductType.quantities.contains(payment.quantity) else {
            throw SKError(
                .paymentInvalid,
                StoreModel.ProductType.refusal(ofQuantity: payment.quantity))
        }
        guard device.restrictions.allowsPayments(log: device.log) else {
            throw SKError(.paymentNotAllowed, texts.purchasesRestricted)
        }
        var session = try await device.signedIn()
        var answer = try await device.products([payment.productIdentifier], isFresh: true)
        if device.sessions.session == nil {
            // The session had ended: the answer is not for the account's storefront.
            session = try await device.signedIn()
            answer = try await device.products([payment.productIdentifier], isFresh: true)
        }
        if let storefront, storefront != session.storefront {
            let new = SKStorefront(
                countryCode: session.storefront, identifier: session.storefrontId)
            guard await mayContinue(new) else {
                throw SKError(
                    .storeProductNotAvailable,
                    texts.storefrontChanged(old: storefront, new: session.storefront))
            }
        }
        guard let product = answer.products.first else {
            guard let invalid = answer.invalid.first else { throw URLError(.badServerResponse) }
            throw WireError(
                code: .productInvalid, message: invalid.message, reason: invalid.reason)
        }
        guard var total = product.price.multiplied(by: payment.quantity) else {
            throw SKError(.paymentInvalid, "The price does not fit.")
        }
        let charge = try await device.charge(for: product, payment, to: session.email)
        if charge == .owned { total.thousandths = 0 }
        let question = OpenStorePurchaseQuestion(
            product, quantity: payment.quantity, total: total, charge, for: session,
            isSandbox: device.profile.payload.environment == .sandbox,
            wish: payment.offerWish.map {
                PromptOfferWish(
                    offer: $0, applicationUsername: payment.applicationUsername, isOfCode: nil)
            })
        guard try await device.sheet.confirm(question) else {
            throw SKError(.paymentCancelled, texts.paymentCancelled)
        }
        try checkSession()
        await device.noteEvents(of: session, in: journal)
        var confirmed = entry.at(.confirmed(price: product.price, account: session.email))
        confirmed.isFree = charge.isFree ? true : nil
        confirmed.offer = charge.offer
        return confirmed
    }

    /// Sends the order until there is an answer.
    ///
    /// - Parameter mayBeSold: whether an earlier attempt may have bought. As soon as one
    ///   may have, only what the store says after looking the key up ends the payment.
    private func order(
        price: Money, account: String, mayBeSold: inout Bool
    ) async throws -> Outcome {
        let request = request(price: price)
        for attempt in 0..<retry.attempts {
            let session: SessionAnswer
            do {
                // The same account as confirmed it: keys are unique within an account.
                session = try await device.signedIn(as: account)
            } catch {
                guard mayBeSold else { throw error }
                return .undecided(isWorthRetrying: error is URLError)
            }
            do {
                switch try await device.client.purchase(request, session: session) {
                case .sold(let answer):
                    return .sold(try keep(answer))
                case .deferred(let page):
                    try journal.put(entry.at(.deferred(price: price, account: account)))
                    if let page {
                        device.log(
                            "The purchase of \(payment.productIdentifier) waits for approval at "
                                + device.profile.payload.baseURL + page)
                    }
                    return .deferred
                }
            } catch let error as WireError where error.code == .notSignedIn {
                device.sessions.clear(session)
                continue
            } catch let error as WireError where error.isDecision {
                throw error
            } catch let error as WireError
                where !mayBeSold && error.code != .storeUnavailable
                && error.code != .internalError
            {
                throw error
            } catch {
                // Whatever it is: on a connection that was used before, libcurl sends a request
                // a second time, and reports how that attempt failed.
                mayBeSold = true
                device.log("A purchase is undecided and is tried again: \(error)")
            }
            guard (try? await retry.sleep(retry.delay(after: attempt))) != nil else { break }
        }
        return .undecided(isWorthRetrying: true)
    }

    /// Asks the store once what became of a deferred purchase.
    ///
    /// - Throws: what ended the payment without a sale.
    func settle() async throws -> Outcome {
        guard case .deferred(let price, let account) = entry.stage,
            let session = device.sessions.session, session.email == account
        else { return .deferred }
        do {
            let answer = try await device.client.purchase(request(price: price), session: session)
            guard case .sold(let sold) = answer else { return .deferred }
            return .sold(try keep(sold))
        } catch let error as WireError where error.isDecision {
            throw error
        } catch {
            device.log("A deferred purchase could not be looked up: \(error)")
            return .undecided(isWorthRetrying: true)
        }
    }

    private func request(price: Money) -> PurchaseRequest {
        PurchaseRequest(
            purchaseKey: entry.purchaseKey, productId: payment.productIdentifier,
            quantity: payment.quantity, confirmedPrice: price,
            applicationUsername: payment.applicationUsername,
            simulatesAskToBuy: payment.simulatesAskToBuyInSandbox ? true : nil,
            offer: payment.offerWish, agreedOffer: entry.offer, isFree: entry.isFree)
    }

    /// Checks that the answer is the store's and for this payment, and writes it down.
    private func keep(_ answer: TransactionAnswer) throws -> VerifiedTransactionAnswer {
        let verified = try device.client.verified(answer)
        guard entry.isAnswered(by: verified.payload) else {
            throw SecurityError(.untrusted, "the transaction belongs to another payment")
        }
        try journal.put(entry.at(.purchased(answer)))
        return verified
    }
}

extension WireError {
    /// Whether the store said it after it had looked the purchase key up: nothing was sold
    /// under this key, and nothing will be.
    fileprivate var isDecision: Bool {
        switch code {
        case .productInvalid, .productTypeNotSold, .quantityOutOfRange, .purchaseKeyReused,
            .priceChanged, .purchaseDeclined, .approvalLapsed, .paymentDeclined,
            .purchaseInterrupted, .purchaseRevoked, .offerUnknown, .offerIneligible,
            .offerSignatureInvalid, .offerSignatureMissing:
            true
        default: false
        }
    }
}
