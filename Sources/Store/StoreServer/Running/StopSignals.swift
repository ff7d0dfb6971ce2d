@preconcurrency import Dispatch
import Foundation

/// The signals that ask a process to stop: SIGTERM and SIGINT.
///
/// They are caught from `init` on, so make one before telling anybody that the process
/// runs.
package struct StopSignals: Sendable {
    private let signals: AsyncStream<Int32>

    package init() {
        signals = AsyncStream { continuation in
            let sources = [SIGTERM, SIGINT].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield(number) }
                source.resume()
                return source
            }
            continuation.onTermination = { _ in
                for source in sources { source.cancel() }
            }
        }
    }

    /// Waits for the first of them, and gives its number.
    package func first() async -> Int32 {
        for await number in signals { return number }
        return SIGTERM
    }
}
