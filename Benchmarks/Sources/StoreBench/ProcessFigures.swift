import Foundation

/// What the kernel counts of a process.
struct ProcessFigures {
    /// Resident memory, MiB.
    let resident: Double
    /// The same, with pages that several processes share divided among them, MiB.
    let proportional: Double
    /// Processor time since its start, seconds.
    let processor: Double

    init(_ process: pid_t) throws {
        let rollup = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
        func size(_ name: String) -> Double {
            let line = rollup.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return (line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0)
                / 1024
        }
        resident = size("Rss")
        proportional = size("Pss")
        // The clock of another process; what /proc has is in ticks of 10 ms.
        var clock: clockid_t = 0
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw BenchFailure("the processor time of \(process) can't be read: errno \(errno)")
        }
        processor = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
