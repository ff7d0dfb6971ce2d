import Foundation
import StoreCore
import Synchronization

/// How many requests of one key are answered.
package struct ServerRequestLimit: Sendable, Hashable {
    package var requests: Int
    /// Seconds.
    package var span: TimeInterval

    package init(requests: Int, span: TimeInterval) {
        self.requests = requests
        self.span = span
    }

    /// Far above what a publisher needs: it ends loops that went wild.
    package static let standard = ServerRequestLimit(requests: 600_000, span: 60)
}

/// Counts the requests of each key, in this process.
final class RequestLimiter: Sendable {
    private struct Window {
        var end: Date
        var count: Int
    }

    private let limit: ServerRequestLimit
    private let windows = Mutex<[APIKeyID: Window]>([:])

    init(limit: ServerRequestLimit) {
        self.limit = limit
    }

    /// - Throws: `TooManyRequests`.
    func count(_ key: APIKeyID, at now: Date) throws {
        let exceeded: Date? = windows.withLock { windows in
            var window = windows[key] ?? Window(end: .distantPast, count: 0)
            if window.end <= now {
                window = Window(end: now.addingTimeInterval(limit.span), count: 0)
            }
            guard window.count < limit.requests else { return window.end }
            window.count += 1
            windows[key] = window
            return nil
        }
        if let exceeded { throw TooManyRequests(end: exceeded) }
    }
}
