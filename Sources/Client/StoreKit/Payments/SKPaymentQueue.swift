/// The queue of payments between the app and the store.
///
/// ```swift
/// SKPaymentQueue.default().add(observer)
/// SKPaymentQueue.default().add(SKPayment(product: product))
/// ```
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    // Sendable: it is a thin front over the engine, which is, and which `init` sets only.
    private var source: @Sendable () -> PaymentEngine = { .current }
    private var engine: PaymentEngine { source() }

    /// A queue over the app's one engine.
    public override init() {}

    package convenience init(engine: PaymentEngine) {
        self.init()
        source = { engine }
    }

    private static let shared: SKPaymentQueue = SKPaymentQueue()

    /// The queue of this app.
    ///
    /// There is one. A subclass gives the same object, as Apple's does, which is no instance of the
    /// subclass: call what this class declares.
    open class func `default`() -> Self {
        // Objective-C's `instancetype` promises as little about what `+defaultQueue` gives.
        Unmanaged<Self>.fromOpaque(Unmanaged.passUnretained(shared).toOpaque())
            .takeUnretainedValue()
    }

    /// Whether the customer may buy at all: false where the administrator of the machine
    /// restricts it, in `/etc/openstore/restrictions.json`.
    open class func canMakePayments() -> Bool { DeviceRestrictions.system.allowsPayments() }

    // MARK: Payments

    /// Asks the customer, and buys. Returns at once; observers hear how it goes.
    ///
    /// The payment is copied. The same payment added twice is bought twice.
    open func add(_ payment: SKPayment) {
        engine.add(payment)
    }

    /// The app is done with a transaction: it leaves the queue for good, running downloads
    /// are cancelled, and downloaded files may be purged.
    ///
    /// A transaction that is still purchasing must not be finished. One that is deferred
    /// can't be: it waits for somebody else, and is updated later.
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        precondition(
            transaction.transactionState != .purchasing,
            "Cannot finish a purchasing transaction")
        guard transaction.transactionState != .deferred else {
            OpenStore.writeLog(
                "A deferred transaction is not finished: it waits for approval and is updated later."
            )
            return
        }
        engine.finish(transaction)
    }

    /// Delivers everything that the account owns once more.
    open func restoreCompletedTransactions() {
        engine.restore(applicationUsername: nil)
    }

    /// Delivers everything that the account owns once more.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        engine.restore(applicationUsername: username)
    }

    /// Transactions that are not finished.
    open var transactions: [SKPaymentTransaction] { engine.transactions }

    /// The storefront of the account; nil as long as no store was asked.
    open var storefront: SKStorefront? { engine.storefront }

    // MARK: Observers

    /// Adds an observer, which then hears of all unfinished transactions. Not retained.
    open func add(_ observer: any SKPaymentTransactionObserver) {
        engine.add(observer, of: self)
    }

    /// Takes an observer out.
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        engine.remove(observer)
    }

    /// The observers that are still there.
    open var transactionObservers: [any SKPaymentTransactionObserver] { engine.observers }

    /// Decides where the storefront changes. Not retained.
    open var delegate: (any SKPaymentQueueDelegate)? {
        get { engine.delegate.current }
        set { engine.delegate.set(newValue, of: self) }
    }

    /// Asks the customer to agree to a higher price where the store waits for that.
    open func showPriceConsentIfNeeded() {
        engine.showPriceConsent()
    }

    /// Asks the customer for an offer code. What it gives arrives as a transaction.
    open func presentCodeRedemptionSheet() {
        engine.presentCodeRedemption()
    }

    // MARK: Downloads

    /// Fetches hosted content, going on where an earlier attempt ended.
    open func start(_ downloads: [SKDownload]) {
        engine.start(downloads)
    }

    /// Stops downloads for a while; what was fetched is kept.
    open func pause(_ downloads: [SKDownload]) {
        engine.pause(downloads)
    }

    /// Goes on with paused downloads.
    open func resume(_ downloads: [SKDownload]) {
        engine.start(downloads)
    }

    /// Stops downloads and drops what was fetched.
    open func cancel(_ downloads: [SKDownload]) {
        engine.cancel(downloads)
    }
}
