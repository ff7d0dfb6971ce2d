import Foundation

/// Load from wrk, two threads, as many connections as wanted.
struct HTTPLoad {
    let folder: URL
    let seconds: Int

    struct Result {
        let requests: Int
        let perSecond: Double
        let latency: Percentiles
        /// What the script counted under the names that it was asked for.
        let counts: [String: Int]
    }

    /// - Parameters:
    ///   - counts: names of the script's global numbers, to be added up over wrk's threads. The
    ///     script has to keep the threads in `threads`.
    ///   - duration: seconds; those of all measurements unless given.
    ///   - isTolerant: whether errors are counted (`failures`) and nothing else.
    /// - Throws: `BenchFailure` where a single answer was no success.
    func requests(
        to url: String, script: String, connections: Int, counting counts: [String] = [],
        duration: Int? = nil, isTolerant: Bool = false
    ) throws -> Result {
        let file = folder.appendingPathComponent("load.lua")
        let list = counts.map { "\"\($0)\"" }.joined(separator: ", ")
        let report = """
            function done(summary, latency, requests)
              local errors = summary.errors
              io.write(string.format("RESULT %d %d %d %d %d %d %d", summary.requests, summary.bytes,
                summary.duration,
                errors.connect + errors.read + errors.write + errors.status + errors.timeout,
                latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
              for _, name in ipairs({\(list)}) do
                local sum = 0
                for _, thread in ipairs(threads) do sum = sum + (thread:get(name) or 0) end
                io.write(string.format(" %d", sum))
              end
              io.write("\\n")
              for _, thread in ipairs(threads or {}) do
                local answer = thread:get("refusal")
                if answer then io.write("NO SUCCESS: " .. answer .. "\\n") end
              end
            end

            """
        try (script + report).write(to: file, atomically: true, encoding: .utf8)
        TimedRun.settle()
        let text = try BenchShop.run(
            "/usr/bin/wrk",
            [
                "-t\(min(2, connections))", "-c\(connections)", "-d\(duration ?? seconds)s",
                "--timeout", "30s", "-s", file.path, url,
            ])
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("RESULT ") })
        else { throw BenchFailure("wrk said nothing: \(text)") }
        let figures = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard figures.count == 7 + counts.count, isTolerant || figures[3] == 0 else {
            throw BenchFailure("\(url): \(text)")
        }
        let duration = figures[2] / 1e6
        var counted = Dictionary(
            uniqueKeysWithValues: zip(counts, figures.dropFirst(7).map { Int($0) }))
        counted["failures"] = max(counted["failures"] ?? 0, Int(figures[3]))
        if !isTolerant, counted["failures"] != 0 { throw BenchFailure("\(url): \(text)") }
        return Result(
            requests: Int(figures[0]), perSecond: figures[0] / duration,
            latency: Percentiles(
                median: figures[4] / 1000, p99: figures[5] / 1000, p999: figures[6] / 1000),
            counts: counted)
    }
}

/// How long requests took, milliseconds.
struct Percentiles {
    let median: Double
    let p99: Double
    let p999: Double

    init(median: Double, p99: Double, p999: Double) {
        self.median = median
        self.p99 = p99
        self.p999 = p999
    }

    /// Of each of several rounds the median.
    init(medianOf rounds: [Percentiles]) {
        median = Series.median(rounds.map(\.median))
        p99 = Series.median(rounds.map(\.p99))
        p999 = Series.median(rounds.map(\.p999))
    }

    /// - Parameter milliseconds: of every request; at least one.
    init(of milliseconds: [Double]) {
        let sorted = milliseconds.sorted()
        func at(_ part: Double) -> Double {
            sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
        }
        self.init(median: at(0.5), p99: at(0.99), p999: at(0.999))
    }
}
