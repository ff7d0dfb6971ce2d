import Foundation
import Synchronization

/// Lets one at a time into a database in memory.
///
/// Without a write-ahead log its readers keep the writer out, and one after the other could do so
/// for ever: SQLite lets new ones in while the writer waits.
final class MemoryGate: Sendable {
    private struct Known: @unchecked Sendable {
        // Sendable: reached under the lock only.
        weak var gate: MemoryGate?
    }

    private static let gates = Mutex<[String: Known]>([:])
    private let turn = DispatchSemaphore(value: 1)

    /// The gate of the database with a path; nil for a file, whose readers keep nobody out.
    static func of(_ path: String) -> MemoryGate? {
        guard path.hasPrefix("file:") else { return nil }
        return gates.withLock { gates in
            if let gate = gates[path]?.gate { return gate }
            gates = gates.filter { $0.value.gate != nil }
            let gate = MemoryGate()
            gates[path] = Known(gate: gate)
            return gate
        }
    }

    private init() {}

    func pass<Result>(_ body: () throws -> Result) rethrows -> Result {
        turn.wait()
        defer { turn.signal() }
        return try body()
    }
}
