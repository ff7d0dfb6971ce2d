import Foundation
import StoreKernel
import StoreServer

/// One line on a terminal that shows how far a backup, a restore or a check is: size, speed, what
/// remains.
final class BackupLine {
    private let output: Output
    private let isQuiet: Bool
    private var phase = ""
    private var start = ContinuousClock.now
    private var shown: ContinuousClock.Instant?

    init(output: Output, isQuiet: Bool) {
        (self.output, self.isQuiet) = (output, isQuiet)
    }

    func show(_ progress: BackupProgress) {
        let isCount = progress.phase == .database
        show(
            progress.phase.rawValue, progress.done, of: progress.all,
            unit: { isCount ? "\($0) pages" : formattedBytes($0) })
    }

    /// - Parameter unit: says a number as people read it.
    func show(_ name: String, _ done: Int64, of all: Int64, unit: (Int64) -> String) {
        guard !isQuiet, output.isTerminal else { return }
        let now = ContinuousClock.now
        if name != phase {
            (phase, start, shown) = (name, now, nil)
        }
        if let shown, now - shown < .milliseconds(100) { return }
        shown = now
        let seconds = (now - start) / .seconds(1)
        var text = "\(name): \(unit(done)) of \(unit(all))"
        if seconds > 0.5, done > 0 {
            let left = Double(max(0, all - done)) / Double(done) * seconds
            text += ", \(unit(Int64(Double(done) / seconds)))/s, \(formattedDuration(left)) left"
        }
        output.replaceLine(text)
    }

    func clear() {
        if !isQuiet { output.replaceLine() }
    }
}

extension BlockingPool {
    /// For long work of a command that waits for disks, servers and other programs.
    static let commands = BlockingPool("command", threads: 4)
}
