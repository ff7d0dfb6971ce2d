import Synchronization

/// Hears how a request ends.
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request has come to its end.
    func requestDidFinish(_ request: SKRequest)
    /// The request has failed; ``requestDidFinish(_:)`` is not called then.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    /// Does nothing, for delegates that don't want to know.
    public func requestDidFinish(_ request: SKRequest) {}
    /// Does nothing, for delegates that don't want to know.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

/// Where the delegate of a request comes from.
///
/// Apple's `SKProductsRequest.delegate` narrows the type of `SKRequest.delegate`, which
/// a Swift class can't do. So the wide property stands in an extension of this
/// protocol, where a subclass hides it with its own; both use one weak slot.
public protocol SKRequestDelegating: AnyObject {}

extension SKRequestDelegating where Self: SKRequest {
    /// Hears how the request ends. Not retained.
    public var delegate: (any SKRequestDelegate)? {
        get { delegateSlot }
        set { delegateSlot = newValue }
    }
}

/// A request to the store.
///
/// A request that was started keeps itself alive until it ends.
open class SKRequest: NSObject, SKRequestDelegating {
    private let slot = Mutex(Slot())
    private let progress = Mutex(Progress())

    private struct Slot: @unchecked Sendable {
        // Sendable: the delegate is called on the callback executor only.
        weak var delegate: (any SKRequestDelegate)?
    }

    private struct Progress {
        var task: Task<Void, Never>?
        /// Counts starts and cancellations: only the newest run may speak.
        var run = 0
    }

    public override init() {}

    /// The one place that every `delegate` property reads and writes, from any thread: an app sets
    /// it on one while the answer of an earlier run reads it on another.
    ///
    /// No delegate is loaded under the lock: its last reference could end there, and one that
    /// looks at its request in `deinit` would wait for the lock for ever.
    final var delegateSlot: (any SKRequestDelegate)? {
        get { slot.withLock { $0 }.delegate }
        set {
            let new = Slot(delegate: newValue)
            slot.withLock { $0 = new }
        }
    }

    /// Sends the request. The answer comes to the delegate, where callbacks come.
    open func start() {
        let request = SendableRequest(value: self)
        let work = makeWork()
        progress.withLock { progress in
            guard progress.task == nil else { return }
            progress.run += 1
            let run = progress.run
            progress.task = Task {
                let deliver = await work()
                OpenStoreCallbackExecutor.app.run {
                    guard request.value.end(run) else { return }
                    deliver.value()
                }
            }
        }
    }

    /// Ends the request; the delegate hears nothing more of it.
    open func cancel() {
        progress.withLock { progress in
            progress.run += 1
            progress.task?.cancel()
            progress.task = nil
        }
    }

    /// What the request does, giving what to tell the delegate. A plain request does
    /// nothing.
    func makeWork() -> @Sendable () async -> SendableDelivery {
        { SendableDelivery {} }
    }

    /// Whether a run is still the newest one, which ends with it.
    private func end(_ run: Int) -> Bool {
        progress.withLock { progress in
            guard progress.run == run else { return false }
            progress.task = nil
            return true
        }
    }
}

/// A request on its way to the callback executor.
struct SendableRequest<Request: SKRequest>: @unchecked Sendable {
    // Sendable: touched by the callback executor only, where apps use their requests.
    let value: Request
}

/// What a request tells its delegate, on the callback executor.
struct SendableDelivery: @unchecked Sendable {
    // Sendable: made by the request's task, called once, on the callback executor.
    let value: () -> Void

    init(_ value: @escaping () -> Void) {
        self.value = value
    }
}
