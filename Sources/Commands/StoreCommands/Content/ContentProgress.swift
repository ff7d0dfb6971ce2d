import Foundation
import Synchronization

/// A progress bar for work that tells of every piece: shown some times a second, with the
/// remaining time at the speed so far.
final class ContentProgress: Sendable {
    private struct State {
        var start: ContinuousClock.Instant?
        var shown: ContinuousClock.Instant?
    }

    private let bar: ProgressBar
    private let output: Output
    private let isQuiet: Bool
    private let state = Mutex(State())

    /// - Parameter isQuiet: whether nothing is shown at all.
    init(_ label: String, output: Output, isQuiet: Bool) {
        bar = ProgressBar(label, output: output)
        self.output = output
        self.isQuiet = isQuiet
    }

    /// Shows how many of the bytes are done; any thread may call it.
    @Sendable func show(_ done: Int64, of total: Int64) {
        guard !isQuiet else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            let start = state.start ?? now
            state.start = start
            if let shown = state.shown, now - shown < .milliseconds(100) { return }
            state.shown = now
            let elapsed = (now - start) / .seconds(1)
            let remaining =
                elapsed > 0.5 && done > 0
                ? elapsed / Double(done) * Double(max(0, total - done)) : -1
            bar.show(done, of: total, remaining: remaining)
        }
    }

    /// Writes the bar for good.
    func finish(_ total: Int64) {
        if !isQuiet { bar.finish(total) }
    }

    /// Takes the bar away.
    func clear() {
        if !isQuiet { output.replaceLine() }
    }
}
