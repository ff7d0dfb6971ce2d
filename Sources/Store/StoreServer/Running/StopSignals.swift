@preconcurrency import Dispatch
import Foundation

/// The signals that ask a process to stop.
package struct StopSignals: Sendable {
    /// Waits for SIGTERM or SIGINT, and gives its number.
    package static func wait() async -> Int32 {
        let signals = AsyncStream<Int32> { continuation in
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
        for await number in signals { return number }
        return SIGTERM
    }
}
