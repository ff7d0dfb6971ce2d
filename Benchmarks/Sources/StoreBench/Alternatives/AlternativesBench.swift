import Foundation

/// Purchases from the store beside orders from what a team would otherwise run for this job, on the
/// same PostgreSQL, in turns.
final class AlternativesBench {
    private static let clients = [1, 16, 64]
    private static let customers = 1000

    private let program: String
    private let folder: URL
    private let programs: URL
    private let project: URL
    private let seconds: Int
    private let rounds: Int

    /// - Parameters:
    ///   - programs: the folder of Python's programs, with what
    ///     `Scripts/bench-alternatives-requirements.txt` lists.
    ///   - project: the folder of the other shop's sources.
    init(
        program: String, folder: URL, programs: URL, project: URL, seconds: Int, rounds: Int
    ) {
        self.program = program
        self.folder = folder
        self.programs = programs
        self.project = project
        self.seconds = seconds
        self.rounds = rounds
    }

    func run() async throws -> String {
        let cluster = try PostgresCluster(folder: folder.appendingPathComponent("postgres"))
        defer { cluster.stop() }
        try cluster.create("shop")
        let shop = try await BenchShop(
            program: program, folder: folder.appendingPathComponent("shop"),
            keepable: [LedgerRows.kept], database: .postgres(cluster, "shop"))
        defer { shop.stop() }
        let rows = try LedgerRows(
            rows: Self.customers * LedgerRows.purchasesEach, signedIn: Self.customers,
            in: shop.database)
        try await shop.pause { try rows.insert(into: shop.database) }
        let scripts = try ShopScripts(shop: shop, rows: rows, program: program)
        StoreBench.progress("django-oscar: tables and customers")
        let oscar = try OscarShop(
            programs: programs, project: project, customers: Self.customers, cluster: cluster)
        defer { oscar.stop() }
        let load = HTTPLoad(folder: shop.folder, seconds: seconds)
        var lines: [String] = []
        for clients in Self.clients {
            var own: [HTTPLoad.Result] = []
            var others: [HTTPLoad.Result] = []
            for round in 1...rounds {
                StoreBench.progress("\(clients) clients, round \(round) of \(rounds)")
                let run = "\(clients)-\(round)"
                others.append(
                    try measure(load, oscar.address, oscar.script(run: run), clients) {
                        try oscar.orders()
                    })
                own.append(
                    try measure(load, shop.address, scripts.purchases(run: run), clients) {
                        try shop.ledgerCount()
                    })
            }
            lines.append(Self.line(clients, own, others))
        }
        return """
            | clients | store, per second | p50 | p99 | django-oscar, per second | p50 | p99 | ratio |
            |---:|---:|---:|---:|---:|---:|---:|---:|
            \(lines.joined(separator: "\n"))

            """
    }

    /// Load, and a look whether there are as many sales as answers.
    private func measure(
        _ load: HTTPLoad, _ address: String, _ script: String, _ clients: Int,
        sales: () throws -> Int
    ) throws -> HTTPLoad.Result {
        let before = try sales()
        let result = try load.requests(
            to: address, script: script, connections: clients, counting: ["failures", "bought"])
        // Those whose answers nobody read may still be on their way.
        usleep(500_000)
        let sold = try sales() - before
        let answers = result.counts["bought"] ?? 0
        guard sold >= answers, sold <= answers + clients else {
            throw BenchFailure("\(address) sold \(sold) and answered \(answers)")
        }
        return result
    }

    private static func line(
        _ clients: Int, _ own: [HTTPLoad.Result], _ others: [HTTPLoad.Result]
    ) -> String {
        func cells(_ results: [HTTPLoad.Result]) -> [String] {
            let times = Percentiles(medianOf: results.map(\.latency))
            return [
                Int(Series.median(results.map(\.perSecond)).rounded()).formatted(),
                String(format: "%.2f", times.median), String(format: "%.2f", times.p99),
            ]
        }
        let ratio = Series.median(zip(own, others).map { $0.perSecond / $1.perSecond })
        let all = ["\(clients)"] + cells(own) + cells(others) + [String(format: "%.1f", ratio)]
        return "| \(all.joined(separator: " | ")) |"
    }
}
