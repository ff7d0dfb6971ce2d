import FoundationNetworking
import StoreModel
import StoreWire

/// One purchase on its way: sign-in, quote, confirmation, request.
struct Purchase {
    enum Outcome {
        case sold(TransactionAnswer)
        /// The request may have reached the store, and no answer could be had.
        case undecided
    }

    let entry: JournalEntry
    let payment: SKPayment
    let device: StoreDevice
    let journal: DeviceJournal
    let retry: RetryPolicy

    /// Goes on from where the journal stands.
    ///
    /// - Throws: what ended the payment without a sale.
    func run() async throws -> Outcome {
        var stage = entry.stage
        // A request of an earlier run may have been the one that bought.
        var wasSent = if case .confirmed = stage { true } else { false }
        while true {
            switch stage {
            case .added:
                stage = try await confirmed()
                try journal.put(JournalEntry(key: entry.key, payment: entry.payment, stage: stage))
            case .confirmed(let price, let account):
                do {
                    guard
                        let answer = try await order(
                            price: price, account: account, wasSent: &wasSent)
                    else { return .undecided }
                    // What doesn't verify is not written down as sold.
                    _ = try device.client.verified(answer.signedTransaction)
                    try journal.put(
                        JournalEntry(
                            key: entry.key, payment: entry.payment, stage: .purchased(answer)))
                    return .sold(answer)
                } catch let error as WireError where error.code == .priceChanged {
                    stage = .added
                    wasSent = false
                }
            case .purchased(let answer):
                return .sold(answer)
            case .restored, .failed, .finishing:
                preconditionFailure("the entry \(entry.key) is not a purchase on its way")
            }
        }
    }

    /// Asks the customer.
    private func confirmed() async throws -> JournalEntry.Stage {
        guard payment.requestData == nil else {
            throw SKError(
                .unauthorizedRequestData, "requestData is reserved; leave it nil.")
        }
        guard (1...10).contains(payment.quantity) else {
            throw SKError(
                .paymentInvalid,
                "The quantity is \(payment.quantity); it must be between 1 and 10.")
        }
        var session = try await device.signedIn()
        var answer = try await device.products([payment.productIdentifier])
        if device.sessions.session == nil {
            // The session had ended: the answer is not for the account's storefront.
            session = try await device.signedIn()
            answer = try await device.products([payment.productIdentifier])
        }
        guard let product = answer.products.first else {
            guard let invalid = answer.invalid.first else { throw URLError(.badServerResponse) }
            throw WireError(
                code: .productInvalid, message: invalid.message, reason: invalid.reason)
        }
        guard let total = product.price.multiplied(by: payment.quantity) else {
            throw SKError(.paymentInvalid, "The price does not fit.")
        }
        let question = OpenStorePurchaseQuestion(
            isSandbox: device.profile.payload.environment == .sandbox,
            productIdentifier: product.productId, title: product.title,
            quantity: payment.quantity, price: total.formatted(locale: product.locale),
            account: session.email)
        guard try await device.sheet.confirm(question) else {
            throw SKError(.paymentCancelled, "The customer cancelled the payment.")
        }
        return .confirmed(price: product.price, account: session.email)
    }

    /// Sends the order until there is an answer.
    ///
    /// - Parameter wasSent: whether the store may know of the order already.
    /// - Returns: nil where no attempt was answered.
    private func order(
        price: Money, account: String, wasSent: inout Bool
    ) async throws -> TransactionAnswer? {
        let request = PurchaseRequest(
            purchaseKey: entry.key, productId: payment.productIdentifier,
            quantity: payment.quantity, confirmedPrice: price,
            applicationUsername: payment.applicationUsername)
        for attempt in 0..<retry.attempts {
            let session: SessionAnswer
            do {
                // The same account as confirmed it: keys are unique within an account.
                session = try await device.signedIn(as: account)
            } catch {
                guard wasSent else { throw error }
                return nil
            }
            do {
                return try await device.client.purchase(request, session: session)
            } catch let error as WireError {
                switch error.code {
                case .notSignedIn:
                    device.sessions.clear(session)
                    continue
                case .storeUnavailable, .internalError:
                    wasSent = true
                    device.log("The store could not answer a purchase: \(error.message)")
                default:
                    throw error
                }
            } catch let error as URLError {
                // Whatever the code says: on a connection that was used before, libcurl sends
                // a request a second time, and reports how that attempt failed.
                wasSent = true
                device.log("A purchase was interrupted and is tried again: \(error)")
            }
            guard (try? await retry.sleep(retry.delay(after: attempt))) != nil else { return nil }
        }
        return nil
    }
}
