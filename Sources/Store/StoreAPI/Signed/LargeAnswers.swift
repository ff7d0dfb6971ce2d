import Foundation
import Synchronization

/// Answers with much to read and to sign: as many at a time as there are processors, on threads of
/// their own, so that no other answer waits behind them.
package final class LargeAnswers: Sendable {
    private struct Places {
        var free: Int
        /// Those that wait for a place, the first one first.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let places: Mutex<Places>
    private let hasThreads: Bool

    /// - Parameters:
    ///   - width: so many are made at a time.
    ///   - hasThreads: false makes them where they are asked for, on an executor that is to see
    ///     each step.
    package init(
        width: Int = ProcessInfo.processInfo.activeProcessorCount, hasThreads: Bool = true
    ) {
        places = Mutex(Places(free: max(1, width)))
        self.hasThreads = hasThreads
    }

    /// So many signatures of an answer are made at once.
    private static let fewSignatures = 8

    /// Runs something that makes signatures: few at once, many when it is its turn.
    ///
    /// - Throws: what `body` throws.
    func run<Result: Sendable>(
        signing count: Int, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        count > Self.fewSignatures ? try await run(body) : try body()
    }

    /// Runs something when it is its turn.
    ///
    /// - Throws: what `body` throws.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        await withCheckedContinuation { continuation in
            let isFree = places.withLock { places in
                guard places.free > 0 else {
                    places.waiting.append(continuation)
                    return false
                }
                places.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
        defer { leave() }
        return hasThreads ? try await LongWork.run(body) : try body()
    }

    /// Gives the place to whoever waits longest.
    private func leave() {
        let next = places.withLock { places -> CheckedContinuation<Void, Never>? in
            guard places.waiting.isEmpty else { return places.waiting.removeFirst() }
            places.free += 1
            return nil
        }
        next?.resume()
    }
}
