import Dispatch
import Foundation
import StoreKernel
import StoreTestSupport
import Synchronization
import Testing

@Suite struct BlockingPoolTests {
    private struct Failure: Error, Equatable {
        let number: Int
    }

    /// Work that occupies threads of a pool until it is let go.
    private final class Occupation: Sendable {
        private let begun = Counter()
        private let release = DispatchSemaphore(value: 0)

        /// Occupies some threads.
        func begin(_ pool: BlockingPool, _ count: Int) async throws -> [Task<Int, any Error>] {
            let before = begun.value
            let tasks = (0..<count).map { _ in
                Task { [begun, release] in
                    try await pool.run {
                        let number = begun.next()
                        release.wait()
                        return number
                    }
                }
            }
            try await until { begun.value == before + count }
            return tasks
        }

        func end(_ count: Int) {
            for _ in 0..<count { release.signal() }
        }
    }

    /// What was done, in order.
    private final class Order: Sendable {
        private let list = Mutex<[Int]>([])

        var numbers: [Int] { list.withLock { $0 } }

        func append(_ number: Int) {
            list.withLock { $0.append(number) }
        }
    }

    private let occupation = Occupation()

    @Test func `what the work returns or throws comes back`() async throws {
        let pool = BlockingPool("test", threads: 2)
        #expect(try await pool.run { 1 } == 1)
        await #expect(throws: Failure(number: 2)) {
            try await pool.run { throw Failure(number: 2) }
        }
        pool.stop()
        pool.wait()
    }

    @Test func `as much runs at a time as there are threads, in the order of asking`() async throws
    {
        let pool = BlockingPool("test", threads: 3)
        let occupied = try await occupation.begin(pool, 3)
        let done = Order()
        var later: [Task<Void, any Error>] = []
        for number in 1...20 {
            later.append(
                Task { try await pool.run { done.append(number) } })
            try await until { pool.waitingCount == number }
        }
        #expect(done.numbers.isEmpty)
        occupation.end(1)
        for task in later { try await task.value }
        #expect(done.numbers == Array(1...20))
        occupation.end(2)
        for task in occupied { _ = try await task.value }
    }

    @Test func `what finds the queue full is refused at once, and the rest is done`() async throws {
        let pool = BlockingPool("test", threads: 1, queueLimit: 2, full: Failure(number: 503))
        let first = try await occupation.begin(pool, 1)[0]
        let results = await withTaskGroup(of: Int?.self) { group in
            for number in 2...5 {
                group.addTask { try? await pool.run { number } }
            }
            var results: [Int?] = []
            for await result in group {
                results.append(result)
                // Those that were refused come back while the others wait.
                if results.count == 2 { occupation.end(1) }
            }
            return results
        }
        #expect(results.prefix(2).allSatisfy { $0 == nil })
        #expect(results.suffix(2).allSatisfy { $0 != nil })
        #expect(try await first.value == 1)
    }

    @Test func `without a queue a thread that is free takes work, and the others are refused`()
        async throws
    {
        let pool = BlockingPool("test", threads: 2, queueLimit: 0, full: Failure(number: 503))
        // Who hears of the end may ask again at once.
        for number in 0..<200 { #expect(try await pool.run { number } == number) }
        let occupied = try await occupation.begin(pool, 2)
        await #expect(throws: Failure(number: 503)) { try await pool.run {} }
        occupation.end(2)
        for task in occupied { _ = try await task.value }
        try await pool.run {}
    }

    @Test func `who is cancelled while waiting leaves the queue`() async throws {
        let pool = BlockingPool("test", threads: 1, queueLimit: 2)
        let first = try await occupation.begin(pool, 1)[0]
        let done = Counter()
        let cancelled = Task { try await pool.run { done.next() } }
        try await until { pool.waitingCount == 1 }
        let kept = Task { try await pool.run(leavesWhenCancelled: false) { done.next() } }
        try await until { pool.waitingCount == 2 }
        cancelled.cancel()
        kept.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        // There is room again.
        #expect(pool.waitingCount == 1)
        first.cancel()
        occupation.end(1)
        #expect(try await kept.value == 1)
        // What runs is not interrupted.
        #expect(try await first.value == 1)
        #expect(done.value == 1)
    }

    @Test func `what waits is done before a pool stops, and nothing after`() async throws {
        let pool = BlockingPool("test", threads: 1, stopped: Failure(number: 1))
        let first = try await occupation.begin(pool, 1)[0]
        let second = Task { try await pool.run { 2 } }
        try await until { pool.waitingCount == 1 }
        pool.stop()
        await #expect(throws: Failure(number: 1)) { try await pool.run {} }
        occupation.end(1)
        try await onThread { pool.wait() }
        #expect(try await first.value == 1)
        #expect(try await second.value == 2)
    }

    @Test func `threads that have nothing to do end, and others are started`() async throws {
        let pool = BlockingPool("test", threads: 4, idleTime: .microseconds(1))
        for round in 0..<300 {
            try await withThrowingTaskGroup { group in
                for number in 0..<8 { group.addTask { try await pool.run { round + number } } }
                var sum = 0
                for try await value in group { sum += value }
                #expect(sum == 8 * round + 28)
            }
            if round % 50 == 0 { try await onThread { pool.wait() } }
        }
    }

    @Test func `many tasks that are cancelled at any time all get an answer`() async throws {
        let pool = BlockingPool("test", threads: 3, queueLimit: 50)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                let task = Task { try await pool.run { number } }
                if number % 3 == 0 { task.cancel() }
                group.addTask {
                    if let value = try? await task.value { #expect(value == number) }
                }
            }
        }
        #expect(pool.waitingCount == 0)
        #expect(try await pool.run { 1 } == 1)
    }
}
