import Synchronization
import Testing

/// Lets few tests run at once, however many there are: each has a database open, and a server
/// has connections for some of them only.
struct Turns: SuiteTrait, TestTrait, TestScoping {
    private static let most = 12

    private struct State {
        var free = Turns.most
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let state = Mutex(State())

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Self.take()
        defer { Self.give() }
        try await function()
    }

    private static func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private static func give() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}

extension Trait where Self == Turns {
    /// Few at once.
    static var inTurns: Turns { Turns() }
}
