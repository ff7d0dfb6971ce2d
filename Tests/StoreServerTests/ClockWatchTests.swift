import Foundation
import StoreCore
import StoreDatabase
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreServer

/// A clock that jumps, and what a store does by it meanwhile.
@Suite struct ClockWatchTests {
    private static let years: TimeInterval = 5 * 365 * 86_400

    private let opened: OpenedStore
    private let machine = Machine()
    private let watch: ClockWatch

    /// The machine's own count of time, and what was logged.
    private final class Machine: Sendable {
        let instant = Mutex(ContinuousClock.now)
        let lines = Mutex<[String]>([])
    }

    init() async throws {
        opened = try await OpenedStore()
        watch = Self.watch(opened, machine)
    }

    private static func watch(_ opened: OpenedStore, _ machine: Machine) -> ClockWatch {
        ClockWatch(
            database: opened.store.database, clock: opened.clock,
            log: EventLog { line in machine.lines.withLock { $0.append(line) } },
            instant: { machine.instant.withLock { $0 } })
    }

    private func pass(_ seconds: TimeInterval, jumping jump: TimeInterval = 0) {
        opened.clock.advance(by: seconds + jump)
        machine.instant.withLock { $0 += .seconds(seconds) }
    }

    private func said(_ text: String) -> Int {
        machine.lines.withLock { $0.count { $0.contains(text) } }
    }

    @Test func `a clock that is years ahead for four seconds is not believed, and is told of once`()
        async throws
    {
        #expect(try await watch.time() == opened.clock.now())
        pass(1, jumping: Self.years)
        for _ in 1...3 {
            #expect(try await watch.time() == nil)
            pass(1)
        }
        await #expect(throws: ClockNotTrusted.self) { _ = try await watch.believedTime() }
        #expect(said("can't be trusted") == 1)
        // Nor by a process that is started now.
        #expect(try await Self.watch(opened, machine).time() == nil)
        pass(1, jumping: -Self.years)
        #expect(try await watch.time() == opened.clock.now())
        #expect(said("is trusted again") == 1)
    }

    @Test func `a clock that an operator says is right is believed at once`() async throws {
        let paths = StorePaths(directory: opened.store.directory, database: nil, objects: nil)
        #expect(try await watch.time() != nil)
        pass(1, jumping: Self.years)
        #expect(try await watch.time() == nil)
        try await paths.believe(opened.clock)
        #expect(try await watch.time() == opened.clock.now())
    }

    @Test
    func `a clock that the database's server contradicts is not believed, whoever asks for it`()
        async throws
    {
        let place = try PostgresTestDatabase()
        let address = try PostgresAddress(place.address)
        let paths = StorePaths(
            directory: opened.store.directory, database: .postgres(address), objects: nil)
        // The server's clock is this machine's.
        let clock = SettableClock(Date().addingTimeInterval(2 * 86_400))
        let refusal = await #expect(throws: ClocksApart.self) { try await paths.believe(clock) }
        #expect(refusal?.description.contains("set both clocks") == true)
        let database = try PostgresDatabase(address)
        defer { database.close() }
        let jobs = JobService(database: database, clock: clock)
        #expect(try await jobs.knownTime() == nil)
        let machine = machine
        let watch = ClockWatch(
            database: database, clock: clock,
            log: EventLog { line in machine.lines.withLock { $0.append(line) } },
            instant: { machine.instant.withLock { $0 } })
        #expect(try await watch.time() == nil)
        #expect(said("both clocks are set") == 1)
        try await paths.believe(SystemClock())
        #expect(try await jobs.knownTime() != nil)
    }

    @Test(arguments: [true, false])
    func `a clock that runs evenly is believed, unless another process believes another`(
        isAlone: Bool
    ) async throws {
        #expect(try await watch.time() != nil)
        let before = opened.clock.now()
        pass(1, jumping: 3 * 86_400)
        #expect(try await watch.time() == nil)
        if !isAlone {
            try await JobService(database: opened.store.database, clock: opened.clock)
                .believe(before.addingTimeInterval(60), insteadOf: before)
        }
        pass(3590)
        #expect(try await watch.time() == nil)
        pass(20)
        #expect(try await watch.time() == (isAlone ? opened.clock.now() : nil))
    }
}
