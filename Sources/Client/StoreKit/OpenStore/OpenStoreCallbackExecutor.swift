/// An addition of OpenStoreKit: where the framework calls observers and delegates.
///
/// A program whose main thread runs another loop than Foundation's names it once, before it
/// uses anything else of the framework:
///
/// ```swift
/// OpenStore.useCallbackExecutor(
///     OpenStoreCallbackExecutor { job in gameLoop.runOnNextFrame(job) })
/// ```
///
/// An executor runs the jobs it is given one at a time, in the order in which it got them.
public struct OpenStoreCallbackExecutor: Sendable {
    private let perform: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter perform: takes a job and returns at once; the job runs later, after those
    ///   that were taken before.
    public init(_ perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.perform = perform
    }

    /// The main queue, where apps expect their callbacks.
    public static let main: OpenStoreCallbackExecutor = OpenStoreCallbackExecutor { job in
        DispatchQueue.main.async(execute: job)
    }

    /// A serial queue.
    package static func queue(_ queue: DispatchQueue) -> OpenStoreCallbackExecutor {
        OpenStoreCallbackExecutor { job in queue.async(execute: job) }
    }

    /// Whatever the app has named by the time that a job comes.
    package static let app: OpenStoreCallbackExecutor = OpenStoreCallbackExecutor { job in
        OpenStore.callbackExecutor.run(job)
    }

    /// Runs a job, which has the engine of the calling task.
    func run(_ job: @escaping @Sendable () -> Void) {
        guard let engine = PaymentEngine.ofTask else { return perform(job) }
        perform { PaymentEngine.$ofTask.withValue(engine, operation: job) }
    }

    /// Runs a job of the main actor: in its turn where the executor runs on the main thread,
    /// after that on the main queue where it does not.
    func runOnMainActor(_ job: @escaping @MainActor () -> Void) {
        run {
            if Thread.isMainThread {
                MainActor.assumeIsolated(job)
            } else {
                DispatchQueue.main.async { MainActor.assumeIsolated(job) }
            }
        }
    }
}
