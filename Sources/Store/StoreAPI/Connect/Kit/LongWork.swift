import Foundation

/// Work that takes long without waiting for anything.
enum LongWork {
    /// Runs it where it keeps no task from running.
    static func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Swift.Result { try body() })
            }
        }
    }
}
