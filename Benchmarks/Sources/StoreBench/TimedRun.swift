import Foundation

/// A program that was run to its end, and what it took by GNU time.
///
/// The kernel counts what a process had in memory before it became another program, so that
/// the peak of one started from here is never below this program's own. GNU time is small.
struct TimedRun {
    /// From start to end, seconds.
    let seconds: Double
    /// Processor time, seconds.
    let processor: Double
    /// Peak of resident memory, MiB.
    let peak: Double

    /// - Parameter file: where GNU time writes; removed afterwards.
    init(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil,
        file: URL = .temporaryDirectory.appendingPathComponent("bench-\(getpid()).time")
    ) throws {
        let start = ContinuousClock.now
        try BenchShop.run(
            Self.program, Self.words(program, arguments, file: file), environment: environment)
        try self.init(seconds: (ContinuousClock.now - start) / .seconds(1), file: file)
    }

    /// Reads what GNU time wrote.
    init(seconds: Double, file: URL) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        try FileManager.default.removeItem(at: file)
        let figures = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard figures.count == 3 else { throw BenchFailure("GNU time said \(text)") }
        self.seconds = seconds
        processor = figures[0] + figures[1]
        peak = figures[2] / 1024
    }

    static let program = "/usr/bin/time"

    static func words(_ program: String, _ arguments: [String], file: URL) -> [String] {
        ["-f", "%U %S %M", "-o", file.path, program] + arguments
    }

    /// Brings everything to disk that is waiting, so that nobody pays for another's bytes.
    static func settle() { sync() }
}
