import Foundation
import FoundationNetworking
import StoreKit

/// One launch of the app: engine, queue, observers, and the ports of the engine.
final class Launch: @unchecked Sendable {
    // Sendable: touched by the one thread that runs jobs.
    let owner: JobOwner
    let home: URL
    let customer: Customer
    private(set) var engine: PaymentEngine!
    private(set) var queue: SKPaymentQueue!
    private(set) var isDead = false
    /// Where it is going to end, in the midst of something.
    var crashPoint: CrashPoint?
    /// Whether nothing can be written to the journal.
    var isDiskFull = false
    /// Observers that are in the queue, in the order in which they were added.
    var watchers: [Watcher] = []
    /// Callbacks that wait for their turn.
    private var callbacks: [@Sendable () -> Void] = []
    let view: AppView
    private let network: Network
    var pool: JobPool { network.pool }
    private let timers: Timers
    private let onCrash: () -> Void
    /// Closes what the end of a process closes.
    var onEnd: (() -> Void)?

    /// - Parameter onCrash: called at the moment at which it ends.
    init(
        owner: JobOwner, home: URL, network: Network, timers: Timers, customer: Customer,
        view: AppView, onCrash: @escaping () -> Void
    ) {
        self.owner = owner
        self.home = home
        self.network = network
        self.timers = timers
        self.customer = customer
        self.view = view
        self.onCrash = onCrash
        let shop = network.shop
        let retry = RetryPolicy(
            attempts: 3, longDelay: .seconds(60),
            sleep: { [timers] _ in try await timers.wait(.retry) },
            idle: { [timers] in try await timers.wait(.idle) }, jitter: { 1 })
        let transport = LaunchTransport(launch: self, network: network)
        engine = PaymentEngine(
            callbacks: OpenStoreCallbackExecutor { [self] job in callbacks.append(job) },
            retry: retry
        ) { [self] in
            let tag = shop.profile.tag
            let file = DeviceDisk.folders(in: home).state.appendingPathComponent("journal-\(tag)")
            return try StoreDevice(
                profile: shop.profile, environment: ["HOME": home.path], transport: transport,
                sheet: customer,
                restrictions: DeviceRestrictions(file: "/nonexistent", owner: 0, user: "machine"),
                journal: { try CrashingStorage(file: file, tag: tag, launch: self) },
                now: { shop.clock.now() }, log: { _ in })
        }
        queue = SKPaymentQueue(engine: engine)
    }

    /// Does what the app does.
    func act(_ body: (SKPaymentQueue) -> Void) {
        guard !isDead else { return }
        network.pool.acting(as: owner) { body(queue) }
    }

    // MARK: The end

    /// Ends it here and now.
    func crash() {
        guard !isDead else { return }
        isDead = true
        onCrash()
        onEnd?()
        network.pool.kill(owner)
        timers.forget(owner)
    }

    // MARK: Callbacks

    var hasCallback: Bool { !isDead && !callbacks.isEmpty }

    /// Runs the next job on the app's main queue.
    func runCallback() {
        let job = callbacks.removeFirst()
        view.beginCallback(watchers)
        network.pool.acting(as: owner) { job() }
        if !isDead { view.endCallback(queue) }
    }

    /// Whether an observer is called at all; ends the launch where that is asked for.
    func takesCall(before isBefore: Bool) -> Bool {
        guard !isDead else { return false }
        guard case .callback(let isAfter) = crashPoint, isAfter != isBefore else { return true }
        crash()
        return false
    }
}

/// The engine's way into the network.
private final class LaunchTransport: RequestTransport {
    private let launch: Launch
    private let network: Network

    init(launch: Launch, network: Network) {
        self.launch = launch
        self.network = network
    }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        if case .send(isAfter: false) = launch.crashPoint { launch.crash() }
        if launch.isDead {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        return try await network.send(request) { [launch] in
            if case .send(isAfter: true) = launch.crashPoint { launch.crash() }
        }
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        throw URLError(.unsupportedURL)
    }
}
