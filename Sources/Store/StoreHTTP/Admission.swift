import Foundation
import Synchronization

/// Decides about a request by its header: nil where its body may come at once, or what finds the
/// answer that refuses it, or none.
package typealias Admission =
    @Sendable (HTTPRequest) -> (@Sendable () async -> HTTPResponse?)?

/// What is known of a request before its body comes.
enum AdmissionDecision {
    /// Bodies up to so many bytes are taken before anyone asks whose they are.
    static let freeBytes = 16 << 10
    /// The longest wait for a decision.
    private static let patience = DispatchTimeInterval.seconds(5)

    private final class Result: Sendable {
        let refusal = Mutex<HTTPResponse?>(nil)
        let isThere = DispatchSemaphore(value: 0)
    }

    /// Waits for a decision on the thread of the connection.
    ///
    /// The connection is not suspended meanwhile: libmicrohttpd (0.9.75) asks for the body of a
    /// request whose header's callback suspended it, and takes no answer before the body's end.
    ///
    /// - Returns: the answer of a refusal; `.some(nil)` where the body may come; nil where
    ///   there was no decision in time.
    static func make(by work: @escaping @Sendable () async -> HTTPResponse?) -> HTTPResponse?? {
        let result = Result()
        Task {
            let refusal = await work()
            result.refusal.withLock { $0 = refusal }
            result.isThere.signal()
        }
        guard result.isThere.wait(timeout: .now() + patience) == .success else { return nil }
        return .some(result.refusal.withLock { $0 })
    }
}
