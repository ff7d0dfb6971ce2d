import Foundation

/// Renewals of subscriptions all of which are due when the store starts, beside the rows of durable purchases
/// that as many clients hand to one writer as renewals are under way at once.
struct RenewalBench {
    private static let subscriptions = 10_000
    private static let product = "\(BenchShop.bundle).club"
    private static let group = "club"
    /// How many due subscriptions the store renews at a time.
    private static let clients = 200

    let program: String
    let folder: URL
    let seconds: Int
    let rounds: Int

    func run() async throws -> [Series] {
        var series = Series("Renewals, 10,000 due at once", unit: "per second", aim: 0.5)
        for round in 1...rounds {
            StoreBench.progress("renewals, round \(round) of \(rounds)")
            let shop = try await BenchShop(
                program: program, folder: folder, subscription: (Self.product, Self.group))
            defer { shop.stop() }
            series.baselines.append(
                try GroupCommitBaseline(folder: shop.folder).run(
                    clients: Self.clients, seconds: seconds
                )
                .perSecond)
            series.values.append(try await renewals(in: shop))
        }
        return [series]
    }

    /// Renewals per second.
    private func renewals(in shop: BenchShop) async throws -> Double {
        var start = ContinuousClock.now
        try await shop.pause {
            try shop.database.run(Self.statements)
            start = .now
        }
        let end = start + .seconds(120)
        while try shop.ledgerCount() < 2 * Self.subscriptions {
            guard ContinuousClock.now < end else {
                throw BenchFailure("only \(try shop.ledgerCount()) of the ledger's rows are there")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return Double(Self.subscriptions) / ((ContinuousClock.now - start) / .seconds(1))
    }

    /// Customers who subscribed five minutes ago, which is a month in the sandbox. Triggers add the history
    /// and the app transactions.
    private static var statements: String {
        let series = "generate_series(1, \(subscriptions))"
        let now = Int(Date().timeIntervalSince1970) * 1000
        let (start, end) = (now - 301_000, now - 1_000)
        let account = "(a.id + value)"
        let number = "(1000000000000000 + value)"
        let tester = """
            \(series), tester s JOIN account a ON a.id = s.account, app p
            WHERE a.email = '\(BenchShop.email)' AND p.bundle_id = '\(BenchShop.bundle)'
            """
        return """
            BEGIN;
            INSERT INTO account (id, environment, email, password_hash, storefront, created)
            SELECT \(account), 'Sandbox', 'customer' || value || '@example.com', a.password_hash,
                'USA', a.created
            FROM \(tester);
            INSERT INTO tester (account, environment, team, first_name, last_name, renewal_rate,
                created)
            SELECT \(account), 'Sandbox', s.team, '', '', s.renewal_rate, s.created
            FROM \(tester);
            INSERT INTO ledger (id, kind, environment, account, app, bundle_id, product_id,
                product_type, purchase_key, device, quantity, unit_price, charged, currency,
                storefront, date)
            SELECT \(number), 'purchase', 'Sandbox', \(account), p.id, p.bundle_id,
                '\(product)', 'Auto-Renewable Subscription', 'bench-made-' || (100000000000 + value),
                'bench-device-' || value, 1, 990, 990, 'USD', 'USA', \(start)
            FROM \(tester);
            INSERT INTO ledger_period (id, original, group_id, expires, reason, is_paid, period)
            SELECT \(number), \(number), '\(group)', \(end), 'PURCHASE', 1, \(number)
            FROM \(series);
            INSERT INTO subscription (original, account, environment, app, group_id, product_id,
                renewal_product_id, renews, state, latest, started, expires, renewals, due, chosen)
            SELECT \(number), \(account), 'Sandbox', p.id, '\(group)', '\(product)', '\(product)', 1,
                'active', \(number), \(start), \(end), 0, \(end), \(start)
            FROM \(tester);
            COMMIT;
            """
    }
}
