import StoreModel
import StoreWire
import Synchronization

/// The remaining time of a download is not known (yet).
///
/// A constant here; Apple declares a variable that nobody may change.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1

/// A piece of hosted content that belongs to a transaction.
open class SKDownload: NSObject, @unchecked Sendable {
    // Sendable: what changes is behind the lock, the rest is constant after `init`.
    struct Status {
        var state: SKDownloadState = .waiting
        var progress: Float = 0
        var timeRemaining: TimeInterval = SKDownloadTimeRemainingUnknown
        var contentURL: URL?
        var error: (any Error)?
    }

    private var content: WireContent?
    private let status = Mutex(Status())
    private let givenUp = Atomic(false)
    private weak var owner: SKPaymentTransaction?
    /// What stands for the transaction once the app has finished and released it.
    private var former: SKPaymentTransaction?

    public override init() {}

    convenience init(
        _ content: WireContent, of transaction: SKPaymentTransaction,
        former: SKPaymentTransaction? = nil
    ) {
        self.init()
        self.content = content
        self.owner = transaction
        self.former = former
    }

    /// Where it stands. The only way to find out that it has ended.
    open var state: SKDownloadState { status.withLock { $0.state } }
    /// Where it stands, under its older name.
    @available(*, deprecated, renamed: "state")
    open var downloadState: SKDownloadState { state }
    /// The identifier of the product that the content belongs to.
    open var contentIdentifier: String { content?.contentIdentifier ?? "" }
    /// The version of the content: integers separated by periods.
    open var contentVersion: String { content?.version.text ?? "" }
    /// Bytes to download.
    open var expectedContentLength: Int64 { content?.length ?? 0 }
    /// Bytes to download, under its older name.
    @available(*, deprecated, renamed: "expectedContentLength")
    open var contentLength: Int64 { expectedContentLength }
    /// The folder with `ContentInfo.plist` and `Contents`, when the download is finished;
    /// nil before. The app moves the files to a place of its own.
    open var contentURL: URL? { status.withLock { $0.contentURL } }
    /// Why it failed; nil in other states.
    open var error: (any Error)? { status.withLock { $0.error } }
    /// From 0 to 1. Not to be used to find out that the download has ended.
    open var progress: Float { status.withLock { $0.progress } }
    /// Seconds, or ``SKDownloadTimeRemainingUnknown``.
    open var timeRemaining: TimeInterval { status.withLock { $0.timeRemaining } }
    /// The transaction that the content belongs to.
    open var transaction: SKPaymentTransaction { owner ?? former ?? SKPaymentTransaction() }

    /// The store's identifier of the transaction; nil once that is released.
    var transactionID: TransactionID? {
        owner?.transactionIdentifier.flatMap { TransactionID($0) }
    }

    /// Whether it was cancelled, perhaps before ``state`` says so; it does not start again.
    var isGivenUp: Bool { givenUp.load(ordering: .acquiring) }

    func giveUp() { givenUp.store(true, ordering: .releasing) }

    /// What the store knows of it; nil for a download that an app or a test made.
    var wire: WireContent? { content }

    func update<Result>(_ change: (inout Status) -> Result) -> Result {
        status.withLock { status in
            var changed = status
            let result = change(&changed)
            status = changed
            return result
        }
    }
}
