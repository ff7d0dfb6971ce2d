import Foundation

/// A shop's day for hours, at half the rate that the store could do: whether memory, descriptors,
/// threads and times stay as they are.
final class SoakBench {
    /// So many that each buys a few dozen times in two hours.
    private static let customers = 100_000
    private static let clients = 64

    private let program: String
    private let folder: URL
    private let minutes: Int
    private let minute: Int
    private let isPostgres: Bool
    private var samples: [Sample] = []

    /// What a minute was like.
    private struct Sample {
        let rate: Double
        let latency: Percentiles
        let failures: Int
        let resident: Double
        let proportional: Double
        let descriptors: Double
        let threads: Double
        let log: Double
    }

    /// - Parameter minute: seconds of what counts as a minute, to try it out.
    init(program: String, folder: URL, minutes: Int, minute: Int = 60, isPostgres: Bool) {
        self.program = program
        self.folder = folder
        self.minutes = minutes
        self.minute = minute
        self.isPostgres = isPostgres
    }

    private(set) var most = 0.0

    /// - Returns: the table, and in words what does not hold that has to.
    func run() async throws -> (table: String, shortfalls: [String]) {
        let cluster =
            isPostgres
            ? try PostgresCluster(folder: folder.appendingPathComponent("postgres")) : nil
        defer { cluster?.stop() }
        try cluster?.create("shop")
        let shop = try await BenchShop(
            program: program, folder: folder.appendingPathComponent("shop"),
            keepable: [LedgerRows.kept], database: cluster.map { .postgres($0, "shop") })
        defer { shop.stop() }
        let scripts = try await ShopScripts(
            filling: shop, customers: Self.customers, program: program)
        let load = HTTPLoad(folder: shop.folder, seconds: minute)
        let sold = try shop.database.number(Self.sales)
        StoreBench.progress("the most that it can do")
        let fastest = try load.requests(
            to: shop.address, script: try scripts.mixedDay(run: "most"),
            connections: Self.clients, counting: ShopScripts.counts)
        most = fastest.perSecond
        var answers = fastest.counts["bought"] ?? 0
        for number in 1...minutes {
            answers += try pass(number, shop, scripts, load, rate: most / 2)
            try write()
        }
        let written = try shop.database.number(Self.sales) - sold
        guard written >= answers, written <= answers + (minutes + 1) * Self.clients else {
            throw BenchFailure("the ledger has \(written) new rows for \(answers) purchases")
        }
        return (table(), shortfalls())
    }

    private static let sales = "SELECT count(*) FROM ledger WHERE kind = 'purchase'"

    /// - Returns: answers to purchases.
    private func pass(
        _ number: Int, _ shop: BenchShop, _ scripts: ShopScripts, _ load: HTTPLoad, rate: Double
    ) throws -> Int {
        var resident: [Double] = []
        var proportional: [Double] = []
        var descriptors: [Double] = []
        var threads: [Double] = []
        let sampling = Sampling(every: Double(minute) / 12) {
            guard let now = try? ProcessMetrics(shop.serverProcess),
                let handles = try? ProcessMetrics.handles(of: shop.serverProcess)
            else { return }
            resident.append(now.resident)
            proportional.append(now.proportional)
            descriptors.append(Double(handles.descriptors))
            threads.append(Double(handles.threads))
        }
        let result = try load.requests(
            to: shop.address, script: try scripts.mixedDay(run: "minute\(number)", rate: rate),
            connections: Self.clients, counting: ShopScripts.counts, isTolerant: true)
        sampling.stop()
        guard !resident.isEmpty else { throw BenchFailure("the store has ended") }
        samples.append(
            Sample(
                rate: result.perSecond, latency: result.latency,
                failures: result.counts["failures"] ?? 0, resident: Series.median(resident),
                proportional: Series.median(proportional),
                descriptors: Series.median(descriptors), threads: Series.median(threads),
                log: Double(shop.database.logSize()) / 1e6))
        StoreBench.progress("minute \(number) of \(minutes): \(Self.line(samples[number - 1]))")
        return result.counts["bought"] ?? 0
    }

    private static func line(_ sample: Sample) -> String {
        [
            sample.rate, sample.latency.median, sample.latency.p99, sample.latency.p999,
            Double(sample.failures), sample.resident, sample.proportional, sample.descriptors,
            sample.threads, sample.log,
        ].map { String(format: "%.2f", $0) }.joined(separator: ",")
    }

    /// All minutes, for whoever wants to see the way between the tenths.
    private func write() throws {
        let head = "per second,p50,p99,p99.9,failures,resident,pss,descriptors,threads,log\n"
        try (head + samples.map { Self.line($0) + "\n" }.joined()).write(
            to: folder.appendingPathComponent("soak.csv"), atomically: true, encoding: .utf8)
    }

    /// How many minutes are a tenth.
    private var tenth: Int { max(1, samples.count / 10) }

    /// The medians of the first and of the last tenth.
    private func ends(_ value: (Sample) -> Double) -> (first: Double, last: Double) {
        (
            Series.median(samples.prefix(tenth).map(value)),
            Series.median(samples.suffix(tenth).map(value))
        )
    }

    private func shortfalls() -> [String] {
        let failures = samples.map(\.failures).reduce(0, +)
        var shortfalls = failures == 0 ? [] : ["\(failures) requests failed"]
        func demand(_ what: String, within limit: Double, _ value: (Sample) -> Double) {
            let (first, last) = ends(value)
            guard last > first * limit else { return }
            shortfalls.append("\(what) went from \(first) to \(last)")
        }
        demand("resident memory", within: Self.flat) { $0.resident }
        demand("descriptors", within: 1) { $0.descriptors }
        return shortfalls
    }

    /// What memory may grow to, as a part of what it was.
    private static let flat = 1.05

    private func table() -> String {
        func row(
            _ name: String, _ unit: String, _ aim: String, _ value: (Sample) -> Double
        ) -> String {
            let (first, last) = ends(value)
            let most = samples.map(value).max() ?? 0
            func text(_ value: Double) -> String {
                value >= 1000 ? Int(value.rounded()).formatted() : String(format: "%.2f", value)
            }
            let ratio = first > 0 ? String(format: "%.2f", last / first) : ""
            return "| \(name) | \(text(first)) | \(text(last)) | \(text(most)) | \(unit) "
                + "| \(ratio) | \(aim) |"
        }
        let failures = samples.map(\.failures)
        let sums = [
            failures.prefix(tenth).reduce(0, +), failures.suffix(tenth).reduce(0, +),
            failures.reduce(0, +),
        ].map { "\($0)" }
        return [
            "| what | first tenth | last tenth | most in a minute | unit | ratio | aim |",
            "|---|---:|---:|---:|---|---:|---|",
            row("Requests", "per second", "") { $0.rate },
            row("Time of an answer, p50", "ms", "") { $0.latency.median },
            row("The same, p99", "ms", "") { $0.latency.p99 },
            row("The same, p99.9", "ms", "") { $0.latency.p999 },
            row("Resident memory of the store", "MiB", "at most \(Self.flat)") { $0.resident },
            row("The same, shared pages divided (PSS)", "MiB", "") { $0.proportional },
            row("Open descriptors", "", "at most 1") { $0.descriptors },
            row("Threads", "", "") { $0.threads },
            row("Log of the database (WAL)", "MB", "") { $0.log },
            "| Errors, in all in the third column | \(sums.joined(separator: " | ")) | | | 0 |",
        ].joined(separator: "\n") + "\n"
    }
}
