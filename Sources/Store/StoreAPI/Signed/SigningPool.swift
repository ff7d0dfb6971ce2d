import Foundation
import StoreCore
import StoreKernel

/// Makes responses with much to read and to sign: as many at a time as there are processors, on
/// threads of their own, so that no other response waits behind them.
package struct SigningPool: Sendable {
    private let pool: BlockingPool?

    /// Makes them where they are asked for, on an executor that is to see each step.
    package static let withoutThreads = SigningPool(pool: nil)

    private init(pool: BlockingPool?) {
        self.pool = pool
    }

    /// - Parameter threads: so many are made at a time.
    package init(threads: Int = ProcessInfo.processInfo.activeProcessorCount) {
        pool = BlockingPool("signing", threads: max(1, threads))
    }

    /// So many signatures of a response are made at once.
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
        guard let pool else { return try body() }
        let date = CustomerClock.date
        return try await pool.run { try CustomerClock.at(date, body) }
    }
}
