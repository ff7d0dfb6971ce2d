import Synchronization

/// How often each of the store's jobs ran in this process, how often it failed, and how long that
/// took.
final class JobFigures: Sendable {
    struct Figures: Sendable, Hashable {
        var runs = 0
        var failures = 0
        var duration: Duration = .zero
    }

    private let figures = Mutex<[String: Figures]>([:])

    /// - Parameter job: one of the few that there are.
    func add(_ job: String, took duration: Duration, failed: Bool) {
        figures.withLock { figures in
            var known = figures[job] ?? Figures()
            known.runs += 1
            if failed { known.failures += 1 }
            known.duration += duration
            figures[job] = known
        }
    }

    /// By the job, in the order of their names.
    var all: [(job: String, figures: Figures)] {
        figures.withLock { $0.sorted { $0.key < $1.key }.map { (job: $0.key, figures: $0.value) } }
    }
}
