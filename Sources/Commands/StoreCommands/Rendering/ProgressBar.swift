import Foundation
import Synchronization

/// One line that shows how far something is: bar, size, speed and remaining time. Only
/// the last state is written where nobody looks at a terminal.
final class ProgressBar: Sendable {
    private let output: Output
    private let label: String
    /// Bytes that were there before anything was done, and have no speed.
    private let before: Int64
    private let state: Mutex<State>

    private struct State {
        /// When it was first shown.
        var start: ContinuousClock.Instant?
    }

    init(_ label: String, output: Output, before: Int64 = 0) {
        self.label = label
        self.before = before
        self.output = output
        self.state = Mutex(State())
    }

    /// Shows how many of the bytes are there; `remaining` in seconds, negative if unknown.
    func show(_ done: Int64, of total: Int64, remaining: TimeInterval) {
        let start = begin()
        guard output.isTerminal else { return }
        output.replaceLine(line(done, of: total, since: start, remaining: remaining))
    }

    /// Writes the line for good.
    func finish(_ total: Int64) {
        let start = begin()
        let text = line(total, of: total, since: start, remaining: nil)
        output.replaceLine()
        output.line(text)
    }

    private func begin() -> ContinuousClock.Instant {
        state.withLock { state in
            let start = state.start ?? ContinuousClock.now
            state.start = start
            return start
        }
    }

    private func line(
        _ done: Int64, of total: Int64, since start: ContinuousClock.Instant,
        remaining: TimeInterval?
    ) -> String {
        let width = 24
        let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
        let filled = Int((share * Double(width)).rounded())
        let bar =
            output.styled(String(repeating: "█", count: filled), .green)
            + String(repeating: "░", count: width - filled)
        let elapsed = (ContinuousClock.now - start).components
        let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
        var text = "\(label) \(bar) \(formattedBytes(done)) of \(formattedBytes(total))"
        // What took no time has no speed.
        if seconds > 0.001 {
            text += "  \(formattedBytes(Int64(Double(max(0, done - before)) / seconds)))/s"
        }
        if let remaining {
            text += remaining < 0 ? "  --:-- left" : "  \(formattedDuration(remaining)) left"
        }
        return text
    }
}
