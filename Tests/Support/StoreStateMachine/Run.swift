import Foundation
import StoreCore
import StoreKit
import StoreModel
import StoreWire
import StoreTestSupport

/// One run of the machine: a device with two accounts of its own, and random steps.
final class Run {
    /// How a step is called, how often it is wanted, and what it does.
    struct Step {
        let weight: Int
        let name: String
        let perform: () throws -> Void

        static let crash = "crash"
        static let disconnect = "disconnect"
    }

    let shop: Shop
    let pool: JobPool
    let network: Network
    let disk: DeviceDisk
    let view: AppView
    let decisions = Decisions()
    let timers: Timers
    let accounts: [Account]
    var random: SeededRandom
    var launch: Launch?
    /// Launches that have ended. Their tasks are never run again and can't be freed.
    private var graves: [Launch] = []
    private let steps = StepLog()
    var counts = RunCounts()
    var codes: [String] = []
    /// Whether the disk is full at times. Most runs do without: less can be demanded then.
    let hasFullDisks: Bool
    /// Whether older backups take the store's place. Most runs do without, for the same reason.
    let hasRestores: Bool
    /// Whether the app uses StoreKit 2 as well.
    let usesUpdates: Bool
    /// The last backup, and the keys whose orders had been refused by then.
    var backup: (kept: Backup, refused: Set<String>)?
    let seed: UInt64

    init(seed: UInt64, shop: Shop, folder: URL) throws {
        self.seed = seed
        view = AppView { [steps] in steps.lines.append($0) }
        self.shop = shop
        pool = shop.pool
        var random = SeededRandom(seed: seed)
        hasFullDisks = random.once(in: 5)
        hasRestores = random.once(in: 5)
        usesUpdates = random.once(in: 2)
        self.random = random
        network = Network(shop: shop)
        timers = Timers(pool: shop.pool)
        disk = try DeviceDisk(folder: folder)
        let slowPaths = [DeviceRoute.purchases, DeviceRoute.history]
        accounts = [try shop.makeAccount(), try shop.makeAccount()]
        // The order of what two answers say matters where both APIs hear of a purchase.
        if usesUpdates {
            network.isSlow = { [unowned self] path in
                slowPaths.contains { path.hasSuffix(scalars: $0) } && self.random.chance(20)
            }
        }
        // What waits meets a full disk more often.
        if hasFullDisks { try shop.change(accounts[0]) { $0.asksToBuy = true } }
    }

    /// Takes random steps, lets everything settle, and checks.
    ///
    /// - Returns: what did not hold.
    func violations(steps: Int) throws -> [String] {
        do {
            for index in 0..<steps {
                try step(isLate: index > steps * 2 / 3)
                if !view.violations.isEmpty { return view.violations }
            }
            if isMissing(Step.crash) || isMissing(Step.disconnect) {
                view.violate("the run has no crash, or no disconnection")
            }
            note("-- settling")
            try settle()
            try check()
        } catch let stuck as Stuck {
            view.violate("nothing goes on any more: \(stuck.reason)")
        }
        try end()
        return view.violations
    }

    /// What was done, for the report of a failure.
    var log: [String] { steps.lines }

    func note(_ line: String) { steps.lines.append(line) }

    /// - Parameter isLate: whether what every run has to have is taken now, if it was not yet.
    private func step(isLate: Bool) throws {
        var steps = possibleSteps()
        if isLate, let missing = steps.first(where: { isMissing($0.name) }) { steps = [missing] }
        var left = random.below(steps.reduce(0) { $0 + $1.weight })
        for step in steps {
            left -= step.weight
            guard left < 0 else { continue }
            note(step.name)
            counts.steps += 1
            try step.perform()
            break
        }
        work(random.once(in: 3) ? random.below(4) : random.below(200))
    }

    /// Every run has crashes and disconnections.
    private func isMissing(_ name: String) -> Bool {
        switch name {
        case Step.crash: counts.crashes == 0
        case Step.disconnect: counts.disconnections == 0
        default: false
        }
    }

    /// Runs jobs and callbacks that are ready, at most so many.
    ///
    /// - Parameter isAppBusy: whether callbacks wait: the app's main thread does something else.
    func work(_ limit: Int, isAppBusy: Bool = false) {
        for _ in 0..<limit {
            let hasCallback = !isAppBusy && launch?.hasCallback ?? false
            let count = pool.count + (hasCallback ? 1 : 0)
            guard count > 0 else { return }
            let index = random.below(count)
            if index < pool.count { pool.run(at: index) } else { launch?.runCallback() }
            buryTheDead()
        }
    }

    // MARK: Launches

    func begin(observers: Int) {
        counts.launches += 1
        let new = Launch(
            owner: pool.makeOwner(), home: disk.home, network: network, timers: timers,
            customer: Customer(pool: pool, decisions: decisions), view: view
        ) { [unowned self] in
            note("   ... and here the launch ends")
            // What is on disk now is what the next launch finds.
            do { try disk.snapshot() } catch { view.violate("the disk: \(error)") }
        }
        launch = new
        for _ in 0..<observers { addWatcher(to: new) }
        if usesUpdates { listen(new) }
    }

    func addWatcher(to launch: Launch) {
        let watcher = Watcher(
            launch: launch,
            react: { [unowned self] launch, transactions in
                // Many apps finish at once, in the callback itself.
                guard random.chance(25) else { return }
                for transaction in transactions { finish(transaction, in: launch) }
            }, takesUp: { [unowned self] in random.chance(70) })
        launch.watchers.append(watcher)
        launch.act { $0.add(watcher) }
    }

    /// The app finishes a transaction, where it may.
    func finish(_ transaction: SKPaymentTransaction, in launch: Launch) {
        let state = transaction.transactionState
        guard state != .purchasing, state != .deferred,
            let index = view.shown.firstIndex(where: { $0.transaction === transaction }),
            view.shown[index].sight.state == state
        else { return }
        view.ask(at: index)
        launch.act { $0.finishTransaction(transaction) }
    }

    func crash() {
        launch?.crash()
        buryTheDead()
    }

    /// Clears up behind a launch that has ended.
    func buryTheDead() {
        guard let dead = launch, dead.isDead else { return }
        launch = nil
        counts.crashes += 1
        graves.append(dead)
        network.forget(dead.owner) { [unowned self] _ in random.chance(50) }
        view.endLaunch(failed: failuresOnDisk())
    }

    private func end() throws {
        if launch != nil { crash() }
        // Requests for events that still wait in the store.
        shop.clock.advance(by: 60)
        work(.max)
        while shop.timers.count(.retry, of: .store) > 0 {
            shop.timers.fire(.retry, of: .store, at: 0)
            work(.max)
        }
        try shop.reset()
    }
}

/// The steps of a run as they were taken.
final class StepLog {
    var lines: [String] = []
}

/// What was done, for the summary.
struct RunCounts: Sendable {
    var steps = 0
    var launches = 0
    var crashes = 0
    var disconnections = 0
    var transactions = 0

    static func += (left: inout RunCounts, right: RunCounts) {
        left.steps += right.steps
        left.launches += right.launches
        left.crashes += right.crashes
        left.disconnections += right.disconnections
        left.transactions += right.transactions
    }
}

/// The machine waits for something that nothing brings.
struct Stuck: Error {
    let reason: String
}
