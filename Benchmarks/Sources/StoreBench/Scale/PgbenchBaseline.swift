import Foundation

/// Statements run by `pgbench`, prepared, by as many clients as there are customers at once.
struct PgbenchBaseline {
    let cluster: PostgresCluster
    let database: String
    let folder: URL
    let rows: LedgerRows

    struct Outcome {
        let transactions: Int
        let perSecond: Double
        let latency: Percentiles
    }

    /// - Parameter run: another number each time, below a million: keys begin with it.
    /// - Throws: `BenchFailure` where one of them failed for good.
    func run(_ script: String, clients: Int, seconds: Int, run: Int) throws -> Outcome {
        let file = folder.appendingPathComponent("purchase.pgbench")
        try script.write(to: file, atomically: true, encoding: .utf8)
        let logs = folder.appendingPathComponent("pgbench-log")
        try? FileManager.default.removeItem(at: logs)
        try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
        TimedRun.settle()
        let text = try BenchShop.run(
            PostgresCluster.programs + "/pgbench",
            [
                "-n", "-M", "prepared", "-c", "\(clients)", "-j", "\(min(2, clients))",
                "-T", "\(seconds)", "--max-tries", "1000", "-l", "--log-prefix", logs.path + "/log",
                "-D", "n=0", "-D", "base=\(rows.accountBase + 1)",
                "-D", "step=\(max(1, rows.customers / (3 * clients)))",
                "-D", "first=\(1_000_000_000_000_000_000 + run * 10_000_000_000)",
                "-f", file.path, cluster.place(database),
            ], environment: PostgresCluster.session)
        guard
            let count = text.firstMatch(of: /transactions actually processed: (\d+)/),
            let rate = text.firstMatch(of: /tps = ([0-9.]+) \(without/),
            text.firstMatch(of: /number of failed transactions: (\d+)/).map({ $0.1 == "0" })
                ?? true,
            let transactions = Int(count.1), let perSecond = Double(rate.1)
        else { throw BenchFailure("pgbench: \(text)") }
        var times: [Double] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: logs.path) {
            let log = try String(contentsOf: logs.appendingPathComponent(name), encoding: .utf8)
            // Client, transaction, microseconds, script, time.
            times += log.split(separator: "\n").compactMap {
                Double($0.split(separator: " ", maxSplits: 3)[2]).map { $0 / 1000 }
            }
        }
        guard times.count == transactions else {
            throw BenchFailure("pgbench logged \(times.count) of \(transactions) transactions")
        }
        return Outcome(
            transactions: transactions, perSecond: perSecond, latency: Percentiles(of: times))
    }
}
