import Foundation
import StoreTestSupport
import Synchronization
import Testing

/// Downloads over connections that are cut, reset, slowed down and corrupted, by apps that
/// are killed, at random points that a seed decides.
///
/// `TEST_DOWNLOADS=200 TEST_SEED=1000 swift test --filter DownloadFaults` has more of them, with
/// other seeds.
struct DownloadFaults {
    private static let downloads =
        ProcessInfo.processInfo.environment["TEST_DOWNLOADS"].flatMap { Int($0) } ?? 48
    /// The seed of the first download; each has the next one.
    private static let firstSeed =
        1 &+ (ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) } ?? 0)
    private static let lanes = 4
    private static let noise = 1_500_000
    /// The longest chunk as it travels.
    private static let longestChunk = (128 << 10) + 1024

    /// How the first launch of a download goes. So what is tried is certain; what follows, the seed
    /// decides.
    private enum Beginning {
        /// Over a network that lets nothing through: it gives up.
        case dead
        /// It is killed while content arrives.
        case killed
        /// The first connection for content breaks at its beginning, or is slow.
        case broken

        /// Shared out evenly, in each lane.
        init(of number: Int) {
            switch number / DownloadFaults.lanes % 4 {
            case 0: self = .dead
            case 1: self = .killed
            default: self = .broken
            }
        }
    }

    @Test func `every download ends with the same bytes, whatever happens to it`() async throws {
        let shop = try await Shop(noiseBytes: Self.noise)
        let (server, address) = try await shop.serve()
        // The tester owns the chapter; each download is one of a new device that restores.
        let bought = try await Program.run(
            "StoreTestApp", ["--expect", "1", "--buy", "\(SampleShop.chapter):1"],
            environment: try await shop.device("buyer", address: address))
        #expect(bought.code == 0, "\(bought.errors)")
        let proxies = try (0..<Self.lanes).map { _ in try FaultyProxy(to: Shop.port(of: address)) }
        defer { for proxy in proxies { proxy.stop() } }
        // One after the other: the store keeps one profile of an app, with the address that it was
        // asked for last, and a lane would be given another lane's.
        var devices: [[String: String]] = []
        for (lane, proxy) in proxies.enumerated() {
            devices.append(
                try await shop.device("lane\(lane)", address: "http://127.0.0.1:\(proxy.port)"))
        }
        let bases = devices
        let outcomes = try await withThrowingTaskGroup(of: [Outcome].self) { group in
            for (lane, proxy) in proxies.enumerated() {
                group.addTask {
                    try await downloads(of: lane, from: shop, through: proxy, bases[lane])
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        server.send(SIGTERM)
        _ = await server.end()
        #expect(outcomes.count == Self.downloads)
        // Otherwise nothing was tried.
        let total = outcomes.reduce(into: Outcome()) { $0 += $1 }
        print("faults: \(total)")
        let beginnings = (0..<Self.downloads).map { Beginning(of: $0) }
        let (dead, killed) = (beginnings.count { $0 == .dead }, beginnings.count { $0 == .killed })
        #expect(total.faults >= Self.downloads - killed)
        #expect(total.kills >= killed)
        #expect(total.failures >= dead)
    }

    /// Every fourth download, one after the other, through a proxy of their own.
    private func downloads(
        of lane: Int, from shop: Shop, through proxy: FaultyProxy, _ base: [String: String]
    ) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for number in stride(from: lane, to: Self.downloads, by: Self.lanes) {
            outcomes.append(try await download(number, from: shop, through: proxy, base))
        }
        return outcomes
    }

    private struct Outcome {
        var launches = 0
        var faults = 0
        var kills = 0
        var failures = 0
        var received = 0

        static func += (left: inout Self, right: Self) {
            left.launches += right.launches
            left.faults += right.faults
            left.kills += right.kills
            left.failures += right.failures
            left.received += right.received
        }
    }

    private func download(
        _ number: Int, from shop: Shop, through proxy: FaultyProxy, _ base: [String: String]
    ) async throws -> Outcome {
        let seed = Self.firstSeed &+ UInt64(number)
        let random = Mutex(SeededRandom(seed: seed))
        let name = "\(number), seed \(seed)"
        func next(_ range: Range<Int>) -> Int {
            random.withLock { Int.random(in: range, using: &$0) }
        }
        let home = shop.folder.file("device\(number)")
        let installed = home.appendingPathComponent("installed")
        var environment = base
        environment["XDG_STATE_HOME"] = home.appendingPathComponent("state").path
        environment["XDG_CACHE_HOME"] = home.appendingPathComponent("cache").path
        environment["TEST_ATTEMPTS"] = "3"
        var outcome = Outcome()
        var words = ["--restore"]
        while true {
            let beginning = outcome.launches == 0 ? Beginning(of: number) : nil
            // After six launches with faults it may end.
            let isQuiet = beginning == .killed || outcome.launches >= 6
            let faults = Mutex(isQuiet ? 0 : next(0..<20))
            let breaksFirst = Mutex(beginning == .broken)
            // Some networks let nothing through at all.
            let isDead =
                beginning == .dead || (beginning == nil && !isQuiet && next(0..<8) == 0)
            proxy.plan {
                if isDead { return .cut(after: 0) }
                let isFirst = breaksFirst.withLock { breaksFirst in
                    defer { breaksFirst = false }
                    return breaksFirst
                }
                // The header of any answer is longer.
                if isFirst { return random.withLock { Self.fault(in: 0..<100, &$0, kinds: 0..<3) } }
                let isSpent = faults.withLock { left in
                    left -= 1
                    return left < 0
                }
                if isSpent { return nil }
                return random.withLock { Self.fault(in: 0..<Self.noise / 3, &$0, kinds: 0..<5) }
            }
            let kill =
                switch beginning {
                case .dead, .broken: 0
                case .killed: next(1..<Self.noise)
                case nil: next(0..<10) < 4 && !isQuiet ? next(1..<Self.noise) : 0
                }
            environment["TEST_FAULT"] = kill > 0 ? "content:\(kill)" : ""
            let result = try await Program.run(
                "StoreTestApp",
                ["--expect", "1", "--keep-failed", "--install", installed.path] + words,
                environment: environment)
            outcome.launches += 1
            let received = result.output.split(separator: "\n")
                .compactMap { $0.hasPrefix("received ") ? Int($0.dropFirst(9)) : nil }
            outcome.received += received.last ?? 0
            switch result.code {
            case 128 + SIGKILL:
                outcome.kills += 1
            case 3:
                outcome.failures += 1
                // It failed, said why, and left the transaction in the queue.
                let sentence = result.output.split(separator: "\n")
                    .last { $0.hasPrefix("error ") }.map { String($0.dropFirst(6)) }
                #expect(sentence?.isEmpty == false, "\(name): \(result.output)")
                #expect(!FileManager.default.fileExists(atPath: installed.path))
            case 0:
                outcome.faults += proxy.takeHappened()
                try expectEnd(of: name, home, installed, shop, outcome)
                return outcome
            default:
                Issue.record(
                    """
                    \(name): \(result.code) \(result.output) \(result.errors)
                    The proxy: \(proxy.condition)
                    """)
                return outcome
            }
            outcome.faults += proxy.takeHappened()
            // The transaction is in the journal once there was a download.
            if kill > 0 || result.code == 3 { words = [] }
            guard outcome.launches < 12 else {
                Issue.record(
                    """
                    \(name) never ended: \(result.output) \(result.errors)
                    The proxy: \(proxy.condition)
                    """)
                return outcome
            }
        }
    }

    /// What happens to a connection.
    ///
    /// - Parameters:
    ///   - places: where it happens.
    ///   - kinds: of five; the first three leave the bytes as they are.
    private static func fault(
        in places: Range<Int>, _ random: inout SeededRandom, kinds: Range<Int>
    ) -> FaultyProxy.Fault {
        let place = Int.random(in: places, using: &random)
        return switch Int.random(in: kinds, using: &random) {
        case 0: .reset(after: place)
        case 1: .cut(after: place)
        case 2: .slow(bytesPerSecond: 3_000_000)
        case 3: .corrupt(at: place)
        default: .cut(after: place)
        }
    }

    private func expectEnd(
        of name: String, _ home: URL, _ installed: URL, _ shop: Shop, _ outcome: Outcome
    ) throws {
        try shop.expectSameContent(installed)
        let cache = home.appendingPathComponent("cache").path
        let left = (try? FileManager.default.subpathsOfDirectory(atPath: cache)) ?? []
        let files = left.filter { path in
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(
                atPath: "\(cache)/\(path)", isDirectory: &isDirectory)
            return !isDirectory.boolValue
        }
        #expect(files == [], "\(name)")
        // Nothing twice but the chunks that were on their way: one for each connection that
        // broke, one on each of four connections for each kill, and on the three others where one
        // was given up.
        let lost =
            outcome.faults + outcome.launches + 4 * outcome.kills + 2 * outcome.failures
        #expect(
            outcome.received <= Self.noise + 20_000 + lost * Self.longestChunk,
            "\(name): \(outcome)")
        try FileManager.default.removeItem(at: home)
    }
}
