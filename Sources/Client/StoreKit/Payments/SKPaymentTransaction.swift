import StoreWire
import Synchronization

/// A payment on its way through the store, or restored from it.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    // Sendable: what changes is behind the lock; the rest is set by `init` only, and the payment is
    // a copy nobody changes.
    struct Status {
        var state: SKPaymentTransactionState = .purchasing
        var error: (any Error)?
        var identifier: String?
        var date: Date?
        var downloads: [SKDownload] = []
        var original: SKPaymentTransaction?
        var signature: OpenStoreSignature?
        var isConsumable = false
    }

    private var content = SKPayment()
    private let status = Mutex(Status())
    /// The journal's name for it; empty for a transaction that an app or a test made.
    private(set) var key = ""

    public override init() {}

    convenience init(key: String, payment: SKPayment, status: Status = Status()) {
        self.init()
        self.key = key
        self.content = payment
        update { $0 = status }
    }

    /// Where it stands.
    open var transactionState: SKPaymentTransactionState { status.withLock { $0.state } }
    /// The payment that it is for.
    open var payment: SKPayment { content }
    /// Why it failed; nil in other states.
    open var error: (any Error)? { status.withLock { $0.error } }
    /// The first purchase, for a restored transaction.
    open var original: SKPaymentTransaction? { status.withLock { $0.original } }
    /// The store's identifier, once it is purchased or restored.
    open var transactionIdentifier: String? { status.withLock { $0.identifier } }
    /// When the store took it into its ledger.
    open var transactionDate: Date? { status.withLock { $0.date } }
    /// Hosted content that can be downloaded until the transaction is finished.
    open var downloads: [SKDownload] { status.withLock { $0.downloads } }

    /// An addition of OpenStoreKit: the store's signature, verified before the app saw the
    /// transaction.
    public var openStoreSignature: OpenStoreSignature? { status.withLock { $0.signature } }

    /// Whether it leaves the receipt when it is finished.
    var isConsumable: Bool { status.withLock { $0.isConsumable } }

    func update(_ change: (inout Status) -> Void) {
        status.withLock { status in
            var changed = status
            change(&changed)
            status = changed
        }
    }
}
