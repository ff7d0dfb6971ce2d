/// How far a backup or a restore has come.
package struct BackupProgress: Sendable {
    package enum Phase: String, Sendable {
        case database, content, reading, restoring
    }

    package let phase: Phase
    package let done: Int64
    /// Of the same unit: bytes, and for the database its pages or rows.
    package let all: Int64
}

/// Adds up bytes, and tells of them.
final class BackupCounter {
    private let phase: BackupProgress.Phase
    private let report: (BackupProgress) -> Void
    private var done: Int64 = 0
    var all: Int64

    init(_ phase: BackupProgress.Phase, all: Int64, _ report: @escaping (BackupProgress) -> Void) {
        (self.phase, self.all, self.report) = (phase, all, report)
    }

    func add(_ bytes: Int64) {
        done += bytes
        report(BackupProgress(phase: phase, done: done, all: max(all, done)))
    }
}
