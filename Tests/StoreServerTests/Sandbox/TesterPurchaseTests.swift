import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// What publishers do to the purchases of their testers.
struct TesterPurchaseTests {
    private let page = PageRequest(limit: 10)

    @Test func `a cleared history is as if nothing had been bought`() async throws {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        let id = tester.account
        let services = fixture.shop.store.services
        let first = try await fixture.sold(1, by: id)
        _ = try await fixture.sold(2, SampleShop.credits, by: id)
        try await fixture.testers.clearHistory(of: [id], by: fixture.actor())

        let account = try #require(
            try await fixture.shop.store.database.read { try $0.accounts.account(id) })
        let catalog = try await fixture.shop.store.sampleCatalog()
        func unfinished() async throws -> [TransactionID] {
            try await services.purchases.unfinished(
                by: account, in: catalog, device: "device-1", after: nil
            ).sales.map(\.entry.id)
        }
        #expect(try await unfinished().isEmpty)
        let receipt = try await services.receipts.contents(
            for: account, in: catalog.app, device: "device-1")
        #expect(receipt.purchases.isEmpty)
        let restored = try await services.purchases.restore(
            by: account, in: catalog, device: "device-2", applicationUsername: nil, after: nil)
        #expect(restored.sales.isEmpty)

        // Apps would hear of it, and know of no such purchase.
        #expect(
            try await fixture.rule {
                try await fixture.purchases.refund(first.id, of: id, by: fixture.actor())
            } == "purchaseCleared")

        // The same product is sold anew, and is the first purchase of it.
        let second = try await fixture.sold(3, by: id)
        #expect(second.original.id == second.id)
        #expect(second.details.charged.thousandths == 990)
        #expect(try await unfinished() == [second.id])
        let again = try await services.receipts.contents(
            for: account, in: catalog.app, device: "device-1")
        #expect(again.purchases.map(\.entry.id) == [second.id])

        // The ledger keeps everything, and a key is good for one purchase.
        let shown = try await fixture.purchases.purchases(of: id, page, by: fixture.actor())
        #expect(shown.items.map(\.isCleared) == [false, true, true])
        #expect(try await fixture.sold(1, by: id).id == first.id)
        #expect(
            try await fixture.testers.tester(id, by: fixture.actor()).clearingDate
                == fixture.clock.now())
    }

    @Test func `a clearing is for all of the testers that it names, or for none`() async throws {
        let fixture = try await SandboxFixture()
        let tess = try await fixture.makeTester()
        let other = try await fixture.makeTester("theo@example.com")
        let gone = try await fixture.makeTester("gone@example.com")
        try await fixture.testers.delete(gone.account, by: fixture.actor())
        #expect(
            try await fixture.rule {
                try await fixture.testers.clearHistory(
                    of: [tess.account, gone.account], by: fixture.actor())
            } == "notFound")
        try await fixture.testers.clearHistory(
            of: [tess.account, other.account], by: fixture.actor())
        let testers = try await fixture.testers.testers(page, by: fixture.actor()).items
        #expect(testers.allSatisfy { $0.clearingDate != nil })
    }

    @Test func `the next payment is declined, however often it is tried, and those behind it pass`()
        async throws
    {
        let fixture = try await SandboxFixture()
        let id = try await fixture.makeTester().account
        _ = try await fixture.testers.change(
            id, TesterChange(paymentFailure: .next), by: fixture.actor())
        for _ in 0..<3 {
            #expect(try await fixture.buy(1, by: id).refusal == .paymentDeclined)
        }
        #expect(try await fixture.buy(1, SampleShop.credits, by: id).refusal == .keyReused)
        #expect(try await fixture.buy(1, quantity: 2, by: id).refusal == .keyReused)
        let tester = try await fixture.testers.tester(id, by: fixture.actor())
        #expect(tester.settings.paymentFailure == .none)
        _ = try await fixture.sold(2, by: id)
        let attempts = try await fixture.purchases.attempts(of: id, by: fixture.actor())
        #expect(attempts.declined.map(\.key) == ["purchase-key-1001"])
        #expect(attempts.waiting.isEmpty)
        #expect(
            try await fixture.purchases.purchases(of: id, page, by: fixture.actor()).items.count
                == 1)
    }

    @Test func `all payments are declined until that ends; what was sold stays sold`()
        async throws
    {
        let fixture = try await SandboxFixture()
        let id = try await fixture.makeTester().account
        let sold = try await fixture.sold(1, by: id)
        _ = try await fixture.testers.change(
            id, TesterChange(asksToBuy: true, paymentFailure: .all), by: fixture.actor())
        #expect(try await fixture.buy(2, SampleShop.credits, by: id).refusal == .paymentDeclined)
        #expect(try await fixture.buy(3, SampleShop.credits, by: id).refusal == .paymentDeclined)
        // The same order again gets its transaction, and what is owned costs nothing.
        #expect(try await fixture.sold(1, by: id).id == sold.id)
        #expect(try await fixture.sold(4, by: id).original.id == sold.id)
        _ = try await fixture.testers.change(
            id, TesterChange(asksToBuy: false, paymentFailure: PaymentFailure.none),
            by: fixture.actor())
        _ = try await fixture.sold(5, SampleShop.credits, by: id)
        #expect(
            try await fixture.buy(2, SampleShop.credits, by: id).refusal == .paymentDeclined)
    }

    @Test func `what is no purchase is refused as ever, and uses up no declined payment`()
        async throws
    {
        let fixture = try await SandboxFixture()
        let id = try await fixture.makeTester().account
        _ = try await fixture.testers.change(
            id, TesterChange(paymentFailure: .next), by: fixture.actor())
        #expect(try await fixture.buy(1, quantity: 11, by: id).refusal == .quantityOutOfRange(11))
        #expect(
            try await fixture.testers.tester(id, by: fixture.actor()).settings.paymentFailure
                == .next)
    }

    @Test func `a refund takes the purchase back, once`() async throws {
        let fixture = try await SandboxFixture()
        let id = try await fixture.makeTester().account
        let first = try await fixture.sold(1, by: id)
        let events = try await fixture.shop.store.database.lastEvent()
        try await fixture.purchases.refund(first.id, of: id, by: fixture.actor())
        #expect(try await fixture.shop.store.database.lastEvent() > events)
        let shown = try await fixture.purchases.purchases(of: id, page, by: fixture.actor()).items
        #expect(shown.map(\.revocationDate) == [fixture.clock.now()])
        #expect(shown.map(\.isRefundable) == [false])
        #expect(
            try await fixture.rule {
                try await fixture.purchases.refund(first.id, of: id, by: fixture.actor())
            } == "purchaseRefunded")
        #expect(try await fixture.sold(2, by: id).original.id != first.id)
        #expect(try await fixture.actions().last == "purchase.refund tess@example.com")
    }

    @Test func `an Ask to Buy is let through, or declined, once`() async throws {
        let fixture = try await SandboxFixture()
        let id = try await fixture.makeTester().account
        _ = try await fixture.testers.change(id, TesterChange(asksToBuy: true), by: fixture.actor())
        for (number, outcome) in [
            (1, PendingPurchase.Decision.Outcome.approved), (2, .declined),
        ] {
            guard
                case .success(.deferred) = try await fixture.buy(number, SampleShop.credits, by: id)
            else {
                Issue.record("it was not deferred")
                return
            }
            let waiting = try await fixture.purchases.attempts(of: id, by: fixture.actor()).waiting
            let pending = try #require(waiting.first)
            try await fixture.purchases.decide(
                outcome, on: pending.id, of: id, by: fixture.actor())
            #expect(
                try await fixture.rule {
                    try await fixture.purchases.decide(
                        .approved, on: pending.id, of: id, by: fixture.actor())
                } == "purchaseNotWaiting")
        }
        #expect(try await fixture.purchases.attempts(of: id, by: fixture.actor()).waiting.isEmpty)
        #expect(
            try await fixture.purchases.purchases(of: id, page, by: fixture.actor()).items.count
                == 1)
        #expect(try await fixture.buy(2, SampleShop.credits, by: id).refusal == .declined)
        #expect(
            try await fixture.actions().suffix(2) == [
                "purchase.approve tess@example.com", "purchase.decline tess@example.com",
            ])
    }

    @Test func `what nobody decided within a day waits no longer`() async throws {
        let fixture = try await SandboxFixture()
        let id = try await fixture.makeTester().account
        _ = try await fixture.testers.change(id, TesterChange(asksToBuy: true), by: fixture.actor())
        _ = try await fixture.buy(1, SampleShop.credits, by: id)
        let attempts = try await fixture.purchases.attempts(of: id, by: fixture.actor())
        let pending = try #require(attempts.waiting.first)
        fixture.clock.advance(by: PendingPurchase.approvalPeriod)
        #expect(try await fixture.purchases.attempts(of: id, by: fixture.actor()).waiting.isEmpty)
        #expect(
            try await fixture.rule {
                try await fixture.purchases.decide(
                    .approved, on: pending.id, of: id, by: fixture.actor())
            } == "purchaseNotWaiting")
    }

    @Test func `another tester's purchases are not found`() async throws {
        let fixture = try await SandboxFixture()
        let tess = try await fixture.makeTester().account
        let theo = try await fixture.makeTester("theo@example.com").account
        let entry = try await fixture.sold(1, by: theo)
        #expect(
            try await fixture.rule {
                try await fixture.purchases.refund(entry.id, of: tess, by: fixture.actor())
            } == "notFound")
    }

    @Test func `what a tester buys in another team's app is that team's affair`() async throws {
        let fixture = try await SandboxFixture()
        let ours = try await fixture.testers.create(
            {
                var draft = SandboxFixture.draft()
                draft.team = fixture.otherTeam.id
                return draft
            }(), by: .machine
        ).account
        let entry = try await fixture.sold(1, by: ours)
        #expect(
            try await fixture.purchases.purchases(of: ours, page, by: fixture.stranger).items
                .isEmpty)
        #expect(
            try await fixture.rule {
                try await fixture.purchases.refund(entry.id, of: ours, by: fixture.stranger)
            } == "notFound")
    }
}

extension Result where Success == PurchaseService.Outcome, Failure == PurchaseRefusal {
    /// Why it was refused; nil where it was not.
    fileprivate var refusal: PurchaseRefusal? {
        guard case .failure(let refusal) = self else { return nil }
        return refusal
    }
}
