import Foundation

/// Load from wrk, two threads, as many connections as wanted.
struct HTTPLoad {
    let folder: URL
    let seconds: Int

    struct Result {
        let requests: Int
        let perSecond: Double
        let megabytesPerSecond: Double
    }

    /// - Throws: `BenchFailure` where a single answer was no success.
    func requests(to url: String, script: String, connections: Int) throws -> Result {
        let file = folder.appendingPathComponent("load.lua")
        let report = """
            function done(summary, latency, requests)
              local errors = summary.errors
              io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, summary.bytes,
                summary.duration,
                errors.connect + errors.read + errors.write + errors.status + errors.timeout))
            end

            """
        try (script + report).write(to: file, atomically: true, encoding: .utf8)
        let text = try BenchShop.run(
            "/usr/bin/wrk",
            [
                "-t2", "-c\(connections)", "-d\(seconds)s", "--timeout", "30s", "-s", file.path,
                url,
            ])
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("RESULT ") })
        else { throw BenchFailure("wrk said nothing: \(text)") }
        let figures = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard figures.count == 4, figures[3] == 0 else {
            throw BenchFailure("\(url): \(text)")
        }
        let duration = figures[2] / 1e6
        return Result(
            requests: Int(figures[0]), perSecond: figures[0] / duration,
            megabytesPerSecond: figures[1] / 1e6 / duration)
    }
}
