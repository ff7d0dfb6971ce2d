import StoreCore
import StoreModel

/// Testers of the sandbox, and what they tried.
extension DemoTeam {
    /// A tester, and what is bought in this order.
    private struct Plan {
        let name: String
        let territory: String
        let products: [String]
    }

    private static let plans: [Plan] = [
        Plan(
            name: "Tessa Torres", territory: "USA",
            products: ["chapter1", "credits5", "credits10", "lantern", "poster"]),
        Plan(name: "Timo Tanner", territory: "DEU", products: ["credits5"]),
        Plan(name: "Paula Price", territory: "GBR", products: ["credits10", "chapter1"]),
        Plan(name: "Kenji Kato", territory: "JPN", products: ["chapter1", "chapter2"]),
    ]

    mutating func makeTesters() async throws {
        let developer = try actor(.developer)
        wait(until: 0, hour: 18)
        var testers: [Account] = []
        for plan in Self.plans {
            let names = plan.name.split(scalar: " ").map(String.init)
            guard let territory = Storefront.named(plan.territory), names.count == 2 else {
                continue
            }
            let email = "\(names[0].lowercased())@testers.example"
            _ = try await store.services.testers.create(
                TesterDraft(
                    firstName: names[0], lastName: names[1], email: email, password: password,
                    secretQuestion: "Which chapter do you like best?", secretAnswer: "The second",
                    territory: territory), by: developer)
            testers.append(
                try await store.services.accounts.account(email: email, environment: .sandbox))
        }
        var bought: [[TransactionID]] = []
        for (plan, tester) in zip(Self.plans, testers) {
            var ids: [TransactionID] = []
            for product in plan.products {
                if let id = try await test(product, by: tester) { ids.append(id) }
            }
            bought.append(ids)
        }

        wait(until: 0, hour: 20)
        let (refunded, asking, poor, cleared) = (testers[0], testers[1], testers[2], testers[3])
        _ = try await store.services.testerPurchases.refund(
            bought[0][1], of: refunded.id, by: developer)
        _ = try await store.services.testers.change(
            asking.id, StoreCore.TesterChange(renewalRate: .threeMinutes, asksToBuy: true),
            by: developer)
        _ = try await test("credits10", by: asking)
        try await decide(.approved, for: asking, by: developer)
        _ = try await test("chapter1", by: asking)
        _ = try await store.services.testers.change(
            poor.id, StoreCore.TesterChange(paymentFailure: .all), by: developer)
        _ = try await test("chapter2", by: poor)
        try await store.services.testers.clearHistory(of: [cleared.id], by: developer)
        _ = try await store.services.sandboxClocks.create(
            SandboxClockDraft(name: "A year of the club", followers: [.tester(cleared.id)]),
            by: developer)
    }

    /// Buys in the sandbox.
    ///
    /// - Returns: nil where it waits, or the payment was declined.
    private mutating func test(
        _ name: String, by tester: Account
    ) async throws -> TransactionID? {
        let app = try app("bookshop")
        guard let catalog = try await store.services.catalog.catalog(of: app.bundleID),
            let id = ProductID("\(Self.bundleID).\(name)"), let product = catalog.products[id],
            let price = product.price(in: tester.storefront, at: clock.now())
        else { throw DemoFailure(description: "\(name) is not for sale to \(tester.email)") }
        let answer = try await store.services.purchases.buy(
            try order(id, 1, at: price, on: tester.email), by: tester,
            profile: claim(app, .sandbox), catalog: catalog)
        switch answer {
        case .success(.sold(let sale)): return sale.entry.id
        case .success(.deferred), .failure(.paymentDeclined): return nil
        case .failure(let refusal):
            throw DemoFailure(description: "\(tester.email) could not buy \(id): \(refusal)")
        }
    }

    private func decide(
        _ outcome: PendingPurchase.Decision.Outcome, for tester: Account, by actor: ConnectActor
    ) async throws {
        let waiting = try await store.services.testerPurchases.attempts(of: tester.id, by: actor)
            .waiting
        for purchase in waiting {
            try await store.services.testerPurchases.decide(
                outcome, on: purchase.id, of: tester.id, by: actor)
        }
    }
}
