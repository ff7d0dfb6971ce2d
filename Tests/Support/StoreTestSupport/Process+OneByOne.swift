import Foundation
import Synchronization

/// Held while a process is started.
private let start = Mutex(())

extension Process {
    /// Starts the process while no other one is started: Foundation's `run` on Linux reads
    /// what another thread's frees.
    package func runAlone() throws {
        try start.withLock { _ in try run() }
    }
}
