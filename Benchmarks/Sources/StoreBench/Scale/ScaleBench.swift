import Foundation

/// A store with 20,000 customers under load, on SQLite and on PostgreSQL: purchases by more
/// and more clients beside what the database does without a store, product requests, a shop's day,
/// and the memory of it.
final class ScaleBench {
    private static let clients = [1, 16, 64, 256]
    private static let customers = 20_000
    private static let aim = 0.6

    private let program: String
    private let folder: URL
    private let seconds: Int
    private let rounds: Int
    private let databases: [Bool]
    private var figures: [Figure] = []
    private var lines: [String] = []

    /// - Parameter only: the one database that is measured; both unless given.
    init(program: String, folder: URL, seconds: Int, rounds: Int, only: String?) throws {
        switch only {
        case nil: databases = [false, true]
        case "sqlite": databases = [false]
        case "postgresql": databases = [true]
        case .some: throw BenchFailure("SCALE_DATABASE is sqlite or postgresql")
        }
        self.program = program
        self.folder = folder
        self.seconds = seconds
        self.rounds = rounds
    }

    /// - Returns: two tables.
    func run() async throws -> String {
        for isPostgres in databases {
            let cluster =
                isPostgres
                ? try PostgresCluster(folder: folder.appendingPathComponent("postgres")) : nil
            defer { cluster?.stop() }
            try cluster?.create("shop")
            let shop = try await BenchShop(
                program: program, folder: folder.appendingPathComponent("shop"),
                keepable: [LedgerRows.kept], database: cluster.map { .postgres($0, "shop") })
            defer { shop.stop() }
            try await measure(shop, cluster)
        }
        return """
            | purchases on | clients | per second | p50 | p99 | p99.9 | baseline, per second | p50 \
            | p99 | p99.9 | ratio | aim | bare inserts |
            |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
            \(lines.joined(separator: "\n"))

            \(Figure.table(figures))
            """
    }

    private func measure(_ shop: BenchShop, _ cluster: PostgresCluster?) async throws {
        let name = shop.database.name
        StoreBench.progress("\(name): customers")
        let scripts = try await ShopScripts(
            filling: shop, customers: Self.customers, program: program)
        let load = HTTPLoad(folder: shop.folder, seconds: seconds)
        usleep(5_000_000)
        let idle = try ProcessMetrics(shop.serverProcess)
        figures += [
            Figure("\(name): resident memory, idle", idle.resident, nil, "MiB"),
            Figure("\(name): the same, shared pages divided (PSS)", idle.proportional, nil, "MiB"),
        ]
        try purchases(shop, cluster, scripts, load)
        try products(shop, scripts, load)
        try day(shop, cluster, scripts, load)
    }

    // MARK: Purchases

    private func purchases(
        _ shop: BenchShop, _ cluster: PostgresCluster?, _ scripts: ShopScripts, _ load: HTTPLoad
    ) throws {
        let statements = try cluster.map {
            try PurchaseStatements(of: shop, $0, scripts.rows, buyer: Self.customers / 2)
        }
        try statements?.script().write(
            to: folder.appendingPathComponent("purchase.pgbench"), atomically: true,
            encoding: .utf8)
        var run = 0
        for clients in Self.clients {
            var own: [HTTPLoad.Result] = []
            var baselines: [(perSecond: Double, latency: Percentiles)] = []
            var bare: [Double] = []
            for round in 1...rounds {
                StoreBench.progress(
                    "\(shop.database.name): \(clients) clients, round \(round) of \(rounds)")
                if let cluster, let statements {
                    let pgbench = PgbenchBaseline(
                        cluster: cluster, database: "shop", folder: shop.folder, rows: scripts.rows)
                    for script in [statements.script(), statements.bareScript()] {
                        run += 1
                        let before = try shop.ledgerCount()
                        let outcome = try pgbench.run(
                            script, clients: clients, seconds: seconds, run: run)
                        try Self.compare(
                            outcome.transactions, rows: try shop.ledgerCount() - before,
                            spare: clients)
                        if run % 2 == 1 {
                            baselines.append((outcome.perSecond, outcome.latency))
                        } else {
                            bare.append(outcome.perSecond)
                        }
                    }
                } else {
                    let outcome = try GroupCommitBaseline(
                        folder: shop.folder, customers: scripts.rows
                    ).run(clients: clients, seconds: seconds)
                    baselines.append((outcome.perSecond, outcome.latency))
                }
                let before = try shop.ledgerCount()
                let bought = try load.requests(
                    to: shop.address, script: scripts.purchases(run: "\(clients)-\(round)"),
                    connections: clients, counting: ["failures", "bought"])
                try Self.compare(
                    bought.counts["bought"] ?? 0, rows: try shop.ledgerCount() - before,
                    spare: clients)
                own.append(bought)
            }
            append(shop.database.name, clients, own, baselines, bare)
        }
    }

    /// wrk and pgbench stop with up to one unread answer on each connection.
    private static func compare(_ answers: Int, rows: Int, spare: Int) throws {
        guard rows >= answers, rows <= answers + spare else {
            throw BenchFailure("the ledger has \(rows) new rows for \(answers) purchases")
        }
    }

    private func append(
        _ name: String, _ clients: Int, _ own: [HTTPLoad.Result],
        _ baselines: [(perSecond: Double, latency: Percentiles)], _ bare: [Double]
    ) {
        func times(_ rounds: [Percentiles]) -> [String] {
            let all = Percentiles(medianOf: rounds)
            return [all.median, all.p99, all.p999].map { String(format: "%.2f", $0) }
        }
        func rate(_ values: [Double]) -> String {
            Int(Series.median(values).rounded()).formatted()
        }
        let ratio = Series.median(zip(own, baselines).map { $0.perSecond / $1.perSecond })
        let cells =
            [name, "\(clients)", rate(own.map(\.perSecond))] + times(own.map(\.latency))
            + [rate(baselines.map(\.perSecond))] + times(baselines.map(\.latency))
            + [String(format: "%.2f", ratio), "\(Self.aim)", bare.isEmpty ? "" : rate(bare)]
        lines.append("| \(cells.joined(separator: " | ")) |")
    }

    // MARK: The rest

    private func products(_ shop: BenchShop, _ scripts: ShopScripts, _ load: HTTPLoad) throws {
        var values: [Double] = []
        var constants: [Double] = []
        for round in 1...rounds {
            StoreBench.progress("\(shop.database.name): products, round \(round) of \(rounds)")
            constants.append(
                try load.requests(
                    to: shop.address + "/.well-known/openstore/root.pem", script: "",
                    connections: 64
                ).perSecond)
            values.append(
                try load.requests(
                    to: shop.address, script: scripts.products(), connections: 64,
                    counting: ["failures"]
                ).perSecond)
        }
        figures.append(
            Figure(
                "\(shop.database.name): product requests, 64 clients", values, constants,
                "per second", aim: "0.5"))
    }

    private func day(
        _ shop: BenchShop, _ cluster: PostgresCluster?, _ scripts: ShopScripts, _ load: HTTPLoad
    ) throws {
        let name = shop.database.name
        for clients in [64, 256] {
            try ProcessMetrics.forgetPeak(shop.serverProcess)
            var results: [HTTPLoad.Result] = []
            var resident: [Double] = []
            var proportional: [Double] = []
            var database: [Double] = []
            for round in 1...rounds {
                StoreBench.progress("\(name): mixed day, \(clients) clients, round \(round)")
                let before = try Self.sales(shop)
                let end = Sampling(every: 0.5) {
                    guard let now = try? ProcessMetrics(shop.serverProcess) else { return }
                    resident.append(now.resident)
                    proportional.append(now.proportional)
                    if let cluster { database.append(cluster.proportional) }
                }
                let result = try load.requests(
                    to: shop.address,
                    script: try scripts.mixedDay(run: "day-\(clients)-\(round)"),
                    connections: clients, counting: ShopScripts.counts)
                end.stop()
                try Self.compare(
                    result.counts["bought"] ?? 0, rows: try Self.sales(shop) - before,
                    spare: clients)
                results.append(result)
            }
            let latency = Percentiles(medianOf: results.map(\.latency))
            figures += [
                Figure(
                    "\(name): mixed day, \(clients) clients", results.map(\.perSecond), nil,
                    "per second"),
                Figure("The same, p50", latency.median, nil, "ms"),
                Figure("The same, p99", latency.p99, nil, "ms"),
                Figure("The same, p99.9", latency.p999, nil, "ms"),
                Figure(
                    "The same, peak of resident memory",
                    try ProcessMetrics(shop.serverProcess).peak, nil, "MiB",
                    aim: clients == 256 ? "below 150" : ""),
                Figure("The same, resident memory", resident, nil, "MiB"),
                Figure("The same, PSS", proportional, nil, "MiB"),
            ]
            if !database.isEmpty {
                figures.append(
                    Figure("The same, PSS of PostgreSQL's processes", database, nil, "MiB"))
            }
        }
    }

    private static func sales(_ shop: BenchShop) throws -> Int {
        try shop.database.number("SELECT count(*) FROM ledger WHERE kind = 'purchase'")
    }
}
