import Foundation

/// What the kernel counts of a process.
struct ProcessMetrics {
    /// Resident memory, MiB.
    let resident: Double
    /// The same, with pages that several processes share divided among them, MiB.
    let proportional: Double
    /// Peak of resident memory since its start or since `forgetPeak`, MiB.
    let peak: Double
    /// Processor time since its start, seconds.
    let processor: Double

    init(_ process: pid_t) throws {
        let rollup = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
        func size(_ name: String, in text: String) -> Double {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            let words = line?.split(whereSeparator: \.isWhitespace) ?? []
            return (words.dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
        }
        resident = size("Rss", in: rollup)
        proportional = size("Pss", in: rollup)
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        peak = size("VmHWM", in: status)
        processor = try Self.processor(of: process)
    }

    /// Processor time of a process since its start, seconds.
    static func processor(of process: pid_t) throws -> Double {
        // The clock of another process; what /proc has is in ticks of 10 ms.
        var clock: clockid_t = 0
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw BenchFailure("the processor time of \(process) can't be read: errno \(errno)")
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Open descriptors, and threads.
    static func handles(of process: pid_t) throws -> (descriptors: Int, threads: Int) {
        let files = FileManager.default
        return (
            try files.contentsOfDirectory(atPath: "/proc/\(process)/fd").count,
            try files.contentsOfDirectory(atPath: "/proc/\(process)/task").count
        )
    }

    /// Makes the peak of a process what it has in memory now.
    static func forgetPeak(_ process: pid_t) throws {
        try "5".write(toFile: "/proc/\(process)/clear_refs", atomically: false, encoding: .utf8)
    }
}
