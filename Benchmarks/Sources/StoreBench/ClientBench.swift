import Foundation

/// Measures StoreKit inside of an app, against programs that use Foundation only.
struct ClientBench {
    private static let launches = 60
    /// Seconds that idle programs are left alone before their memory is looked at.
    private static let settling: UInt32 = 5
    /// Longer than a request for events waits, so that one ends and another begins.
    private static let idleSeconds: UInt32 = 60

    /// Where the built apps lie.
    let apps: URL
    let shop: BenchShop
    let environment: [String: String]

    init(apps: URL, shop: BenchShop) throws {
        self.apps = apps
        self.shop = shop
        environment = try shop.makeHome("home")
    }

    func run() throws -> [Figure] {
        try launches() + idle() + [warm()]
    }

    private func app(
        _ name: String, _ arguments: [String] = [], in environment: [String: String]? = nil
    ) throws -> MeasuredApp {
        try MeasuredApp(
            apps.appendingPathComponent(name).path, arguments,
            environment: environment ?? self.environment)
    }

    // MARK: Launching

    /// One launch: milliseconds until it says that it has what it wants, and of processor time.
    private func launch(
        _ name: String, _ arguments: [String] = [], expecting count: Int,
        in environment: [String: String]? = nil
    ) throws -> (wall: Double, processor: Double) {
        let app = try app(name, arguments, in: environment)
        let said = try app.number(after: "delivered")
        guard said.number == count else { throw BenchFailure("\(name) delivered \(said.number)") }
        return (said.milliseconds, try app.finish().processor)
    }

    private func launches() throws -> [Figure] {
        var ours: [(wall: Double, processor: Double)] = []
        var products: [Double] = []
        var network: [(wall: Double, processor: Double)] = []
        var empty: [(wall: Double, processor: Double)] = []
        // The first launches find the libraries on disk, and make the device's identifier.
        for round in -3..<Self.launches {
            let figures = (
                try launch("LaunchApp", expecting: 20), try launch("NetworkApp", expecting: 1),
                try launch("EmptyApp", expecting: 1)
            )
            let second = try launch("LaunchApp", ["products"], expecting: 20).wall
            guard round >= 0 else { continue }
            products.append(second)
            ours.append(figures.0)
            network.append(figures.1)
            empty.append(figures.2)
        }
        var first: [Double] = []
        for round in 0..<20 {
            var fresh = environment
            fresh["XDG_STATE_HOME"] = shop.folder.appendingPathComponent("state-\(round)").path
            first.append(try launch("LaunchApp", expecting: 20, in: fresh).wall)
        }
        let wall = Series.median(ours.map(\.wall))
        let plain = Series.median(network.map(\.wall))
        return [
            Figure(
                "Launch to 20 products, beside one plain request", wall, plain, "ms",
                aim: "below 50, ratio below 2"),
            Figure(
                "Launch to 20 products through StoreKit 2, beside the original API", products,
                ours.map(\.wall), "ms", aim: "at most 1.1"),
            Figure(
                "The launch through the original API, beside an empty program", wall,
                Series.median(empty.map(\.wall)), "ms"),
            Figure(
                "Processor time of that launch, beside one plain request",
                Series.median(ours.map(\.processor)), Series.median(network.map(\.processor)), "ms"),
            Figure("First launch ever on a device", Series.median(first), plain, "ms"),
        ]
    }

    // MARK: Idling

    private func idle() throws -> [Figure] {
        let ours = try app("LaunchApp", ["idle"])
        let network = try app("NetworkApp", ["idle"])
        let empty = try app("EmptyApp", ["idle"])
        // One process of an app has the queue: this one has a device of its own.
        let loops = try app("LaunchApp", ["loops"], in: shop.makeHome("loops"))
        let all = [ours, network, empty, loops]
        for app in all { _ = try app.number(after: "delivered") }
        sleep(Self.settling)
        let before = try all.map { try ProcessMetrics($0.process) }
        sleep(Self.idleSeconds)
        let after = try all.map { try ProcessMetrics($0.process) }
        func processor(_ index: Int) -> Double {
            (after[index].processor - before[index].processor) * 1000
        }
        return [
            Figure(
                "Resident memory, idle, beside an empty program", after[0].resident,
                after[2].resident, "MiB", aim: "below 40 more"),
            Figure(
                "The same, shared pages divided (PSS)", after[0].proportional,
                after[2].proportional, "MiB"),
            Figure(
                "Resident memory of one plain request, beside an empty program",
                after[1].resident, after[2].resident, "MiB"),
            Figure(
                "Processor time in \(Self.idleSeconds) s, idle, beside an empty program",
                processor(0), processor(2), "ms", aim: "below 60 (0.1 %)"),
            Figure(
                "The same with three loops over StoreKit 2's updates, beside the original API",
                processor(3), processor(0), "ms", aim: "about 1"),
        ]
    }

    // MARK: For information

    private func warm() throws -> Figure {
        let app = try app("LaunchApp", ["warm"])
        _ = try app.number(after: "delivered")
        let time = try app.number(after: "microseconds").number
        _ = try app.finish()
        return Figure(
            "Product request in a running app, 18 products", Double(time), nil, "µs")
    }

    /// Restores everything that the customer of a shop owns.
    static func restore(_ count: Int, apps: URL, shop: BenchShop) throws -> [Figure] {
        let app = try MeasuredApp(
            apps.appendingPathComponent("LaunchApp").path, ["restore"],
            environment: try shop.makeHome("home"))
        let delivered = try app.number(after: "delivered").number
        guard delivered == count else { throw BenchFailure("\(delivered) were restored") }
        let time = try app.number(after: "milliseconds").number
        let peak = try app.finish().peak
        return [
            Figure("Restoring \(count.formatted()) transactions", Double(time), nil, "ms"),
            Figure("The app's peak of memory meanwhile", peak, nil, "MiB"),
        ]
    }
}
