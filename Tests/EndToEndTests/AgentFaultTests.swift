import Foundation
import StoreTestSupport
import Synchronization
import Testing

/// Downloads whose app and whose download agent are killed, in any order, at points that a seed
/// decides.
///
/// `TEST_DOWNLOADS=500 TEST_SEED=1000 swift test --filter AgentFaults` has more of them, with other
/// seeds.
struct AgentFaults {
    private static let downloads =
        ProcessInfo.processInfo.environment["TEST_DOWNLOADS"].flatMap { Int($0) } ?? 12
    private static let firstSeed =
        1 &+ (ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) } ?? 0)
    private static let lanes = 4
    private static let noise = 1_500_000
    /// The longest chunk as it travels.
    private static let longestChunk = (128 << 10) + 1024

    /// What is certain to happen to a download; the seed decides the rest.
    private enum Course: Int, CaseIterable {
        /// The app is killed, the agent goes on alone.
        case app
        /// The agent is killed, twice, and the app goes on.
        case agent
        /// First the app, then the agent.
        case both
        /// Whatever the seed says, some times.
        case any
    }

    @Test func `whoever is killed, a download ends once, whole, and the agent is gone`()
        async throws
    {
        let shop = try await Shop(noiseBytes: Self.noise)
        let agent = try AgentFaultFixture.program(in: shop)
        let (server, address) = try await shop.serve()
        let buyer = try await shop.device("buyer", address: address)
        let bought = try await Program.run(
            "StoreTestApp", ["--expect", "1", "--buy", "\(SampleShop.chapter):1"],
            environment: buyer)
        #expect(bought.code == 0, "\(bought.errors)")
        let kills = try await withThrowingTaskGroup(of: Int.self) { group in
            for lane in 0..<Self.lanes {
                group.addTask {
                    var kills = 0
                    for number in stride(from: lane, to: Self.downloads, by: Self.lanes) {
                        kills += try await download(number, from: shop, buyer, agent)
                    }
                    return kills
                }
            }
            return try await group.reduce(0, +)
        }
        server.send(SIGTERM)
        _ = await server.end()
        // Otherwise nothing was tried.
        #expect(kills >= Self.downloads)
        print("agent faults: \(Self.downloads) downloads, \(kills) kills")
    }

    /// - Returns: how often app or agent were killed.
    private func download(
        _ number: Int, from shop: Shop, _ base: [String: String], _ agent: URL
    ) async throws -> Int {
        let seed = Self.firstSeed &+ UInt64(number)
        var random = SeededRandom(seed: seed)
        let course = Course(rawValue: number % 4) ?? .any
        let fixture = try AgentFaultFixture(shop, number, base, agent: agent)
        // The program that customers have is killed less precisely than the one that counts.
        let isReal = number % 12 == 0
        var appKills = 0
        // At first; and when the killed app may have finished the transaction.
        var restores = true
        for round in 0..<6 {
            let isLast = round == 5 || (round > 0 && course != .any)
            var faults: [Int] = []
            // At least one, so that the app has written down what it restored.
            var appEnd: Int?
            if !isLast {
                switch course {
                case .app: appEnd = 1 + random.below(Self.noise / 2048)
                case .agent: faults = [1 + random.below(Self.noise / 2), 1 + random.below(300_000)]
                case .both:
                    appEnd = 1 + random.below(Self.noise / 4096)
                    faults = [Self.noise / 2 + random.below(Self.noise / 4)]
                case .any:
                    if random.chance(60) { appEnd = 1 + random.below(Self.noise / 1024) }
                    faults = (0..<random.below(3)).map { _ in 1 + random.below(Self.noise / 2) }
                }
            }
            try fixture.plan(faults, isReal: isReal)
            let before = fixture.tally
            let app = try await Program(
                "StoreTestApp",
                ["--expect", "1", "--install", fixture.installed.path]
                    + (restores ? ["--restore"] : []), environment: fixture.environment)
            let end: Program.Result
            if let appEnd {
                // The real agent counts nothing: its app is killed as soon as it has ordered. An agent
                // that is to go on alone has to have the order, however busy the machine is.
                end = try await app.end {
                    (course != .app || fixture.hasOrder)
                        && (isReal ? fixture.hasOrder : fixture.tally >= before + appEnd)
                }
            } else {
                end = await app.end()
            }
            if end.code == 0 {
                try await finish(
                    "\(number), seed \(seed): \(end.errors)", fixture, shop, isReal: isReal)
                return appKills + fixture.planned
            }
            #expect(end.code == 128 + SIGKILL, "\(number), seed \(seed): \(end)")
            appKills += 1
            let waits = random.chance(50)
            restores = try fixture.takeInstalled()
            if restores { continue }
            guard course == .app || waits else { continue }
            try await until { fixture.isAgentGone }
            if course == .app {
                // It was not killed: all is there, and nothing is fetched again.
                let already = fixture.tally
                try fixture.plan([], isReal: isReal)
                let next = try await Program.run(
                    "StoreTestApp", ["--expect", "1", "--install", fixture.installed.path],
                    environment: fixture.environment)
                #expect(next.code == 0, "\(number), seed \(seed): \(next)")
                #expect(next.output.contains("downloaded") && next.output.contains("received 0"))
                #expect(fixture.tally == already)
                try await finish(
                    "\(number), seed \(seed): \(next.errors)", fixture, shop, isReal: isReal)
                return appKills + fixture.planned
            }
        }
        Issue.record("\(number), seed \(seed) never ended")
        return appKills
    }

    private func finish(
        _ name: String, _ fixture: AgentFaultFixture, _ shop: Shop, isReal: Bool
    ) async throws {
        try shop.expectSameContent(fixture.installed)
        try await until { fixture.isAgentGone }
        #expect(fixture.leftFiles == [], "\(name)")
        // Nothing twice but what was on its way on four connections when the agent was killed, and
        // what an app had taken without finishing its transaction.
        let most =
            (1 + fixture.installs) * (Self.noise + 20_000) + 4 * fixture.planned * Self.longestChunk
        #expect(fixture.tally * 1024 <= most, "\(name): \(fixture.tally) KB")
        if isReal { #expect(fixture.tally == 0, "\(name): the app has fetched by itself") }
        try FileManager.default.removeItem(at: fixture.home)
    }
}

/// A device of its own, with an agent that can be told to die.
private final class AgentFaultFixture: Sendable {
    let home: URL
    let installed: URL
    let environment: [String: String]
    private let faults = Mutex(0)
    private let taken = Mutex(0)
    private let runtime: URL
    private let tallyFile: URL

    /// The agent of all stages. A file that somebody writes can't be run, and a process that was just
    /// forked has what is open here: so it is written long before anybody runs it.
    static func program(in shop: Shop) throws -> URL {
        let program = shop.folder.file("agent")
        // Takes its point of death from a file, the next one with each start.
        try Data(
            """
            #!/bin/sh
            exec 9>"$XDG_RUNTIME_DIR/turn"; flock 9
            if [ -e "$XDG_RUNTIME_DIR/real" ]; then
                exec 9>&-; exec '\(Program.path("openstore-downloads"))' --idle 2 --patience 20
            fi
            export TEST_TALLY="$XDG_RUNTIME_DIR/../tally"
            TEST_FAULT=$(head -n 1 "$XDG_RUNTIME_DIR/faults"); export TEST_FAULT
            sed -i 1d "$XDG_RUNTIME_DIR/faults"
            exec 9>&-; exec '\(Program.path("StoreTestApp"))' --agent
            """.utf8
        ).write(to: program)
        chmod(program.path, 0o755)
        return program
    }

    init(_ shop: Shop, _ number: Int, _ base: [String: String], agent: URL) throws {
        home = shop.folder.file("a\(number)")
        installed = home.appendingPathComponent("installed")
        // Short: the path of a socket has 107 bytes at most.
        runtime = home.appendingPathComponent("run")
        tallyFile = home.appendingPathComponent("tally")
        try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: true)
        var environment = base
        environment["XDG_STATE_HOME"] = home.appendingPathComponent("state").path
        environment["XDG_CACHE_HOME"] = home.appendingPathComponent("cache").path
        environment["XDG_RUNTIME_DIR"] = runtime.path
        environment["OPENSTORE_DOWNLOADS"] = "agent"
        environment["OPENSTORE_DOWNLOAD_AGENT"] = agent.path
        environment["TEST_TALLY"] = tallyFile.path
        self.environment = environment
    }

    /// How many agents were to die.
    var planned: Int { faults.withLock { $0 } }

    /// Where the next agents die, in bytes of content, one after the other.
    func plan(_ faults: [Int], isReal: Bool) throws {
        let real = runtime.appendingPathComponent("real")
        if isReal { try Data().write(to: real) }
        self.faults.withLock { $0 += isReal ? 0 : faults.count }
        try Data(faults.map { "content:\($0)\n" }.joined().utf8)
            .write(to: runtime.appendingPathComponent("faults"))
    }

    /// Kilobytes of content that app and agents have got.
    var tally: Int {
        var status = stat()
        return stat(tallyFile.path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// How many killed apps had installed the content.
    var installs: Int { taken.withLock { $0 } }

    /// Whether the killed app had installed the content, and so taken it away from the cache, without
    /// finishing its transaction: the next one fetches it again.
    func takeInstalled() throws -> Bool {
        guard FileManager.default.fileExists(atPath: installed.path) else { return false }
        try FileManager.default.removeItem(at: installed)
        taken.withLock { $0 += 1 }
        return true
    }

    /// Whether the agent knows of the download.
    var hasOrder: Bool {
        let list = home.appendingPathComponent("state/openstore/downloads").path
        return (try? FileManager.default.contentsOfDirectory(atPath: list))?.isEmpty == false
    }

    /// Whether no agent runs: nobody holds its lock.
    var isAgentGone: Bool {
        let path = runtime.appendingPathComponent("openstore/downloads.lock").path
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Files of downloads, and entries of the agent's list.
    var leftFiles: [String] {
        let list = home.appendingPathComponent("state/openstore/downloads").path
        let cache = home.appendingPathComponent("cache").path
        let files = (try? FileManager.default.subpathsOfDirectory(atPath: cache)) ?? []
        return files.filter { path in
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(
                atPath: "\(cache)/\(path)", isDirectory: &isDirectory)
            return !isDirectory.boolValue
        } + ((try? FileManager.default.contentsOfDirectory(atPath: list)) ?? [])
    }
}
