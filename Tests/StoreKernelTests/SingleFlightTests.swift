import Foundation
import StoreKernel
import StoreTestSupport
import Synchronization
import Testing

/// What is made by one of those who ask for it at once.
@Suite struct SingleFlightTests {
    private struct Failure: Error, Equatable {
        let number: Int
    }

    /// Makes values when it is told to.
    private final class Maker: Sendable {
        let begun = Counter()
        private let isOpen = Mutex(false)

        /// The number of the call.
        ///
        /// - Throws: `CancellationError` to whom is cancelled.
        func make() async throws -> Int {
            let number = begun.next()
            try await until { isOpen.withLock { $0 } }
            return number
        }

        func open() { isOpen.withLock { $0 = true } }
    }

    private let cache = Cache<String, Int>(limit: 100)
    private let maker = Maker()

    /// Asks for a value.
    private func ask(version: Int64 = 0) -> Task<Int?, any Error> {
        Task { [cache, maker] in
            try await cache.value(for: "key", version: version) { try await maker.make() }
        }
    }

    /// Some who ask at once: the first one makes the value, the others wait.
    private func ask(count: Int) async throws -> [Task<Int?, any Error>] {
        let first = ask()
        try await until { maker.begun.value == 1 }
        let others = (1..<count).map { _ in ask() }
        try await until { cache.waiterCount == count - 1 }
        return [first] + others
    }

    @Test func `one makes the value for all that ask at once`() async throws {
        let tasks = try await ask(count: 20)
        maker.open()
        for task in tasks { #expect(try await task.value == 1) }
        #expect(cache.value(for: "key") == 1)
        #expect(try await ask().value == 1)
        #expect(maker.begun.value == 1)
    }

    @Test func `an error reaches all that wait, and is not kept`() async throws {
        let failing = { @Sendable [cache, maker] in
            Task {
                try await cache.value(for: "key") {
                    let number = try await maker.make()
                    throw Failure(number: number)
                }
            }
        }
        let first = failing()
        try await until { maker.begun.value == 1 }
        let others = (1..<10).map { _ in failing() }
        try await until { cache.waiterCount == 9 }
        maker.open()
        for task in [first] + others {
            await #expect(throws: Failure(number: 1)) { try await task.value }
        }
        #expect(cache.lastValue(for: "key") == nil)
        #expect(try await ask().value == 2)
    }

    @Test func `who is cancelled while waiting leaves the others`() async throws {
        let tasks = try await ask(count: 4)
        tasks[2].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[2].value }
        #expect(cache.waiterCount == 2)
        maker.open()
        for number in [0, 1, 3] { #expect(try await tasks[number].value == 1) }
    }

    @Test func `who is cancelled before waiting doesn't wait`() async throws {
        let first = ask()
        try await until { maker.begun.value == 1 }
        let second = Task { [cache, maker] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await cache.value(for: "key") { try await maker.make() }
        }
        await #expect(throws: CancellationError.self) { try await second.value }
        maker.open()
        #expect(try await first.value == 1)
    }

    @Test func `where the one that makes it is cancelled, another one makes it`() async throws {
        let tasks = try await ask(count: 5)
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        try await until { maker.begun.value == 2 && cache.waiterCount == 3 }
        maker.open()
        for task in tasks.dropFirst() { #expect(try await task.value == 2) }
    }

    @Test func `what there is not is said to all, and asked for again`() async throws {
        let nobody = { @Sendable [cache, maker] in
            Task {
                try await cache.valueIfAny(for: "key") {
                    _ = try await maker.make(); return nil
                }
            }
        }
        let first = nobody()
        try await until { maker.begun.value == 1 }
        let second = nobody()
        try await until { cache.waiterCount == 1 }
        maker.open()
        #expect(try await first.value == nil)
        #expect(try await second.value == nil)
        #expect(try await ask().value == 2)
    }

    @Test(arguments: [false, true])
    func `what is removed while it is made is not kept, and made anew`(all: Bool) async throws {
        let tasks = try await ask(count: 2)
        if all { cache.removeAll() } else { cache.removeValue(for: "key") }
        let later = ask()
        try await until { maker.begun.value == 2 }
        maker.open()
        for task in tasks { #expect(try await task.value == 1) }
        #expect(try await later.value == 2)
        #expect(cache.value(for: "key") == 2)
    }

    @Test func `who asks for another version doesn't get what is being made`() async throws {
        let old = ask(version: 1)
        try await until { maker.begun.value == 1 }
        let new = ask(version: 2)
        try await until { maker.begun.value == 2 }
        maker.open()
        #expect(try await old.value == 1)
        #expect(try await new.value == 2)
        #expect(cache.value(for: "key", version: 2) == 2)
    }
}
