import Foundation

/// Runs work that blocks, such as a wait for a socket or a process, on a thread of its own: the
/// few threads that run tasks have to stay free for everybody's tests.
package func onThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
