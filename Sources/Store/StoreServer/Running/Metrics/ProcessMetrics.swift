import Foundation

/// What the process takes of the machine, as the system tells it (proc(5)).
struct ProcessMetrics: Sendable {
    /// Bytes of memory that it has in use.
    var residentBytes: Int?
    /// Open files and sockets.
    var descriptors: Int?
    /// How many it may have open.
    var descriptorLimit: Int?
    /// Seconds of processor time.
    var processorSeconds: Double?

    static func now() -> ProcessMetrics {
        var metrics = ProcessMetrics()
        let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let resident = pages?.split(scalar: " ").dropFirst().first.flatMap { Int($0) }
        metrics.residentBytes = resident.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
        let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        metrics.descriptors = files?.count
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            metrics.descriptorLimit = Int(clamping: limit.rlim_cur)
        }
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
            metrics.processorSeconds =
                Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(microseconds) / 1e6
        }
        return metrics
    }
}
