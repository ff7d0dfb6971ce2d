import Synchronization

/// How often each of the store's jobs ran in this process, how often it failed, and how long that
/// took.
final class JobMetrics: Sendable {
    struct Counts: Sendable, Hashable {
        var runs = 0
        var failures = 0
        var duration: Duration = .zero
    }

    private let metrics = Mutex<[String: Counts]>([:])

    /// - Parameter job: one of the few that there are.
    func add(_ job: String, took duration: Duration, failed: Bool) {
        metrics.withLock { metrics in
            var known = metrics[job] ?? Counts()
            known.runs += 1
            if failed { known.failures += 1 }
            known.duration += duration
            metrics[job] = known
        }
    }

    /// By the job, in the order of their names.
    var all: [(job: String, metrics: Counts)] {
        metrics.withLock { $0.sorted { $0.key < $1.key }.map { (job: $0.key, metrics: $0.value) } }
    }
}
