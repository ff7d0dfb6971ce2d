import Foundation

/// What one request costs in shops whose ledgers have a thousand rows and more, up to ten million,
/// side by side.
final class GrowthBench {
    /// The same number in each shop.
    private static let signedIn = 200
    private static let requests = 400
    private static let rounds = 5
    private static let sizes = [1_000, 100_000, 1_000_000, most]
    /// Rows of the largest ledger that is measured.
    static let most = 10_000_000

    private let program: String
    private let folder: URL
    private let sizes: [Int]

    /// - Parameter most: rows of the largest ledger.
    init(program: String, folder: URL, most: Int) {
        self.program = program
        self.folder = folder
        sizes = Self.sizes.filter { $0 <= most }
    }

    /// A shop with so many rows.
    private struct MeasuredShop {
        let shop: BenchShop
        let rows: LedgerRows
        let key: APIKey
        /// The first transaction of each customer who is signed in.
        let firsts: [Int]
        /// Bytes of the database, before anything was measured.
        let size: Double
    }

    /// What one does.
    private enum Operation: String, CaseIterable {
        case purchase = "Purchase"
        case restore = "Restoring what one owns"
        case finish = "Finishing what was sold or restored"
        case unfinished = "What a device has not finished"
        case events = "Whether there is news for a device"
        case history = "History of one customer, for a server"
        case products = "Twenty products"
    }

    /// Of each round: milliseconds of an answer (median), and of a processor for each request.
    private struct Cost {
        var latencies: [Double] = []
        var processors: [Double] = []
    }

    /// - Returns: a table for each database.
    func run() async throws -> String {
        var tables: [String] = []
        for isPostgres in [false, true] {
            let cluster =
                isPostgres
                ? try PostgresCluster(folder: folder.appendingPathComponent("postgres")) : nil
            defer { cluster?.stop() }
            var places: [MeasuredShop] = []
            defer { for place in places { place.shop.stop() } }
            for size in sizes { places.append(try await open(size, cluster)) }
            tables.append(try measure(places, cluster))
        }
        return tables.joined(separator: "\n")
    }

    private func open(_ size: Int, _ cluster: PostgresCluster?) async throws -> MeasuredShop {
        StoreBench.progress(
            "\(cluster == nil ? "SQLite" : "PostgreSQL"): \(size.formatted()) rows")
        try cluster?.create("shop\(size)")
        let shop = try await BenchShop(
            program: program, folder: folder.appendingPathComponent("shop\(size)"),
            keepable: [LedgerRows.kept],
            database: cluster.map { .postgres($0, "shop\(size)") })
        do {
            let key = try APIKey(program: program, for: shop)
            let rows = try LedgerRows(rows: size, signedIn: Self.signedIn, in: shop.database)
            try await shop.pause { try rows.insert(into: shop.database) }
            let firsts = try (0..<rows.signedIn).map { customer in
                try shop.database.number(
                    "SELECT min(id) FROM ledger WHERE account = \(rows.account(of: customer))")
            }
            return MeasuredShop(
                shop: shop, rows: rows, key: key, firsts: firsts,
                size: Double(try shop.database.size()))
        } catch {
            shop.stop()
            throw error
        }
    }

    private func measure(_ places: [MeasuredShop], _ cluster: PostgresCluster?) throws -> String {
        var costs = places.map { _ in Operation.allCases.map { _ in Cost() } }
        // The first round fills caches and counts for nothing.
        for round in 0...Self.rounds {
            StoreBench.progress("round \(round) of \(Self.rounds)")
            for (index, place) in places.enumerated() {
                var last = 0
                for (number, operation) in Operation.allCases.enumerated() {
                    if operation == .purchase {
                        last = try place.shop.database.number("SELECT max(id) FROM ledger")
                    }
                    let cost = try cost(of: operation, in: place, round, after: last, cluster)
                    if round > 0 {
                        costs[index][number].latencies.append(cost.latency)
                        costs[index][number].processors.append(cost.processor)
                    }
                }
            }
        }
        return try table(places, costs, name: cluster == nil ? "SQLite" : "PostgreSQL")
    }

    /// One request after another over one connection.
    private func cost(
        of operation: Operation, in place: MeasuredShop, _ round: Int, after last: Int,
        _ cluster: PostgresCluster?
    ) throws -> (latency: Double, processor: Double) {
        let list = try requests(of: operation, in: place, round, after: last)
        guard let url = URL(string: place.shop.address) else { throw BenchFailure("no address") }
        let connection = try RawConnection(url)
        func processor() throws -> Double {
            try ProcessMetrics.processor(of: place.shop.serverProcess) + (cluster?.processor ?? 0)
        }
        let before = try processor()
        var times: [Double] = []
        for request in list {
            let start = ContinuousClock.now
            try connection.send(
                request.method, "/sandbox" + request.path, headers: request.headers,
                body: request.body)
            let status = try connection.receive()
            times.append((ContinuousClock.now - start) / .milliseconds(1))
            guard status == (operation == .finish ? 204 : 200) else {
                throw BenchFailure("\(operation.rawValue): \(request.path): \(status)")
            }
        }
        let spent = try processor() - before
        if operation == .purchase {
            let sold = try place.shop.database.number(
                "SELECT count(*) FROM ledger WHERE kind = 'purchase' AND id > \(last)")
            guard sold == list.count else { throw BenchFailure("\(sold) of \(list.count) sold") }
        }
        return (Series.median(times), spent / Double(list.count) * 1000)
    }

    private struct Request {
        var method = "POST"
        let path: String
        let headers: [(String, String)]
        var body = ""
    }

    private func requests(
        of operation: Operation, in place: MeasuredShop, _ round: Int, after last: Int
    ) throws -> [Request] {
        let token = try place.key.token(bundle: BenchShop.bundle)
        let products = BenchShop.identifiers.map { "\"\($0)\"" }.joined(separator: ",")
        func headers(_ customer: Int) -> [(String, String)] {
            place.shop.customerHeaders(
                token: LedgerRows.token(of: customer), device: "bench-phone-\(customer)")
        }
        if operation == .finish {
            let sold = try place.shop.database.run(
                "SELECT id, account FROM ledger WHERE id > \(last)")
            let step = place.rows.customers / place.rows.signedIn
            return try sold.split(separator: "\n").map { line in
                let numbers = line.split(separator: "|").compactMap { Int($0) }
                guard numbers.count == 2 else { throw BenchFailure("no row: \(line)") }
                let customer = (numbers[1] - place.rows.accountBase - 1) / step
                return Request(
                    path: "/device/v1/transactions/\(numbers[0])/finish",
                    headers: headers(customer))
            }
        }
        return (0..<Self.requests).map { number in
            let customer = number * 7 % Self.signedIn
            let headers = headers(customer)
            let key = "bench-growth-\(round)-\(100_000 + number)"
            switch operation {
            case .purchase:
                return Request(
                    path: "/device/v1/purchases", headers: headers,
                    body: """
                        {"confirmedPrice":{"currency":"USD","thousandths":990},\
                        "productId":"\(BenchShop.identifiers[0])","purchaseKey":"\(key)","quantity":1}
                        """)
            case .restore:
                return Request(
                    path: "/device/v1/restores", headers: headers,
                    body: "{\"restoreKey\":\"\(key)\"}")
            case .unfinished:
                return Request(
                    method: "GET", path: "/device/v1/transactions/unfinished", headers: headers)
            case .events:
                return Request(
                    method: "GET", path: "/device/v1/events?after=1&wait=0", headers: headers)
            case .history:
                return Request(
                    method: "GET", path: "/inApps/v2/history/\(place.firsts[customer])",
                    headers: [("Authorization", "Bearer \(token)")])
            case .products, .finish:
                return Request(
                    path: "/device/v1/products", headers: headers,
                    body: "{\"productIds\":[\(products)]}")
            }
        }
    }

    private func table(_ places: [MeasuredShop], _ costs: [[Cost]], name: String) throws -> String {
        let heads = sizes.map { $0.formatted() }
        var lines = [
            "| \(name) | \(heads.joined(separator: " | ")) | unit | ratio | aim |",
            "|---|\(sizes.map { _ in "---:|" }.joined())---|---:|---|",
        ]
        func add(_ title: String, _ values: [Double], _ unit: String, aim: String) {
            let texts = values.map { String(format: $0 < 100 ? "%.3f" : "%.0f", $0) }
            let ratio = String(format: "%.2f", (values.last ?? 0) / (values.first ?? 1))
            lines.append(
                "| \(title) | \(texts.joined(separator: " | ")) | \(unit) | \(ratio) | \(aim) |")
        }
        for (number, operation) in Operation.allCases.enumerated() {
            add(
                "\(operation.rawValue): time of an answer",
                costs.map { Series.median($0[number].latencies) }, "ms", aim: "at most 1.2")
            add(
                "The same: processor time", costs.map { Series.median($0[number].processors) },
                "ms", aim: "at most 1.2")
        }
        add(
            "Peak of the store's memory",
            try places.map { try ProcessMetrics($0.shop.serverProcess).peak }, "MiB", aim: "")
        add(
            "Size of the database, for each row", places.map { $0.size / Double($0.rows.rows) },
            "bytes", aim: "")
        return lines.joined(separator: "\n") + "\n"
    }
}
