import StoreModel
import StoreWire
import Synchronization

/// What StoreKit 2 adds to the engine's state: who listens, whom `Product.purchase` waits for, and
/// how much of the account's history is at hand.
final class TransactionFeed: Sendable {
    /// A call of `Product.purchase`.
    struct WaitingPurchase: Sendable {
        let product: String
        let mayContinue: (@Sendable (Storefront) -> Bool)?
        let end: CheckedContinuation<PurchaseEnd, Never>
    }

    struct State {
        /// Whether the app has asked for anything: until then nothing is fetched.
        var isUsed = false
        /// Grows with whatever may have changed the account's history.
        var changes = 0
        /// What `changes` was when an account's history was fetched last.
        var fetched: [String: Int] = [:]
        /// By the key of the payment.
        var purchases: [String: WaitingPurchase] = [:]
        /// What the app knows already: loops over `updates` had it, or `purchase` has returned it.
        var told: [UInt64: TransactionNews] = [:]
        /// What `purchase` has returned in this run.
        var returned: Set<UInt64> = []
        /// Verified statements by their text: to verify one takes longer than everything else.
        var verified: [String: VerificationResult<Transaction>] = [:]
        /// Intents that no loop has taken yet.
        var intents: [PurchaseIntent] = []
        /// Why the history could not be fetched last; nil where it could.
        var fetchError: (any Error)?
    }

    let state = Mutex(State())
    let updates = Broadcast<VerificationResult<Transaction>>()
    let statuses = Broadcast<Product.SubscriptionInfo.Status>()
    let storefronts = Broadcast<Storefront>()
    let messages = Broadcast<Message>()
    let intents = Broadcast<PurchaseIntent>()
    let refresher = Refresher()

    var isUsed: Bool { state.withLock { $0.isUsed } }

    /// Says that an account's history may have changed.
    func markChanged() { state.withLock { $0.changes += 1 } }

    /// Whether nothing has changed since an account's history was fetched.
    func isCurrent(_ account: String) -> Bool {
        state.withLock { $0.fetched[account] == $0.changes }
    }

    /// Tells loops over `updates` of a transaction, unless the app knows of it.
    func tell(_ result: VerificationResult<Transaction>) {
        if markTold(result.unsafePayloadValue) { updates.send(result) }
    }

    /// Says that the app has heard how a transaction is now.
    ///
    /// - Returns: false if it knew that already.
    @discardableResult
    func markTold(_ transaction: Transaction) -> Bool {
        let news = TransactionNews(transaction)
        return state.withLock { state in
            defer { state.told[transaction.id] = news }
            return state.told[transaction.id] != news
        }
    }
}

/// How a payment ended that `Product.purchase` began.
enum PurchaseEnd: Sendable {
    /// The store has sold it, and signed this.
    case sold(String)
    case deferred
    case failed(any Error)
    /// Nobody can say yet. If the store has sold it, `Transaction.updates` tells.
    case undecided
}
