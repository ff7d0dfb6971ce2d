import StoreKernel
import StoreModel
import StoreWire
import Synchronization

/// The engine's state for StoreKit 2: the broadcasts to loops of the app, the calls of
/// `Product.purchase` that wait for their end, and whether the account's history is up to date.
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
        /// Counts events that may have changed the account's history.
        var changes = 0
        /// What `changes` was when an account's history was fetched last.
        var fetched: [String: Int] = [:]
        /// Whether the next fetch asks for the whole history: the customer misses a purchase.
        var wantsAll = false
        /// By the key of the payment.
        var purchases: [String: WaitingPurchase] = [:]
        /// The state of transactions as the app knows it, from `updates` or from `purchase`.
        var told: [UInt64: TransactionContent] = [:]
        /// What `purchase` has returned in this run.
        var returned: Set<UInt64> = []
        /// Transactions that the app has finished, and the queue does not have yet.
        var finished: Set<UInt64> = []
        /// Counts changes of the list of revoked certificates.
        var revocations: Int64 = 0
        /// Intents that no loop has received yet.
        var intents: [PurchaseIntent] = []
        /// Why the history could not be fetched last; nil where it could.
        var fetchError: (any Error)?

        /// Whether a call of `Product.purchase` waits for a product.
        func isBuying(_ product: String) -> Bool {
            purchases.values.contains { $0.product == product }
        }
    }

    let state: Mutex<State>
    /// Whether the app used StoreKit 2 before there was anything in the store: a test session's. Then nothing
    /// was there before.
    let beginsEmpty: Bool
    let updates: Broadcast<VerificationResult<Transaction>>
    let statuses: Broadcast<Product.SubscriptionInfo.Status>
    let storefronts: Broadcast<Storefront>
    let messages: Broadcast<Message>
    let intents: Broadcast<PurchaseIntent>
    let refresher = Refresher()
    /// Verified statements by their text: verification is the slowest step. It holds for the list
    /// of revoked certificates at that time.
    let verified = Cache<String, VerificationResult<Transaction>>(
        limit: 2 * HistoryWalk.largest, entryLimit: HistoryWalk.longestStatement,
        cost: { text, _ in text.utf8.count })
    /// Asks the store for the app's age rating.
    let ageRatings = Refresher()

    init() {
        state = Mutex(State())
        beginsEmpty = false
        updates = Broadcast()
        statuses = Broadcast()
        storefronts = Broadcast()
        messages = Broadcast()
        intents = Broadcast()
    }

    /// A feed with the loops of another, which has none from then on.
    init(succeeding other: TransactionFeed) {
        let isUsed = other.isUsed
        state = Mutex(State(isUsed: isUsed))
        beginsEmpty = isUsed
        updates = other.updates.handOver()
        statuses = other.statuses.handOver()
        storefronts = other.storefronts.handOver()
        messages = other.messages.handOver()
        intents = other.intents.handOver()
    }

    var isUsed: Bool { state.withLock { $0.isUsed } }

    /// Notes that an account's history may have changed.
    func markChanged() { state.withLock { $0.changes += 1 } }

    /// Whether nothing has changed since an account's history was fetched.
    func isCurrent(_ account: String) -> Bool {
        state.withLock { $0.fetched[account] == $0.changes }
    }

    /// Sends a transaction to loops over `updates`, unless the app knows its present state.
    func tell(_ result: VerificationResult<Transaction>) {
        if markTold(result.unsafePayloadValue) { updates.send(result) }
    }

    /// Notes that the app knows the present state of a transaction.
    ///
    /// - Returns: false if it knew that already.
    @discardableResult
    func markTold(_ transaction: Transaction) -> Bool {
        let news = TransactionContent(transaction)
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
    /// Not known yet. If the store has sold it, the transaction arrives in `Transaction.updates`.
    case undecided
}
