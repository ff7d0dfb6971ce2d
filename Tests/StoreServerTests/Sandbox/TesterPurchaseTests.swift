import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// What publishers do to the purchases of their testers.
struct TesterPurchaseTests {
    private let page = PageRequest(limit: 10)

    @Test func `a cleared history is as if nothing had been bought`() async throws {
        let stage = try await SandboxStage()
        let tester = try await stage.makeTester()
        let id = tester.account
        let services = stage.shop.store.services
        let first = try await stage.sold(1, by: id)
        _ = try await stage.sold(2, SampleShop.credits, by: id)
        try await stage.testers.clearHistory(of: [id], by: stage.actor())

        let account = try #require(
            try await stage.shop.store.database.read { try $0.accounts.account(id) })
        let catalog = try await stage.shop.store.sampleCatalog()
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
            try await stage.rule {
                try await stage.purchases.refund(first.id, of: id, by: stage.actor())
            } == "purchaseCleared")

        // The same product is sold anew, and is the first purchase of it.
        let second = try await stage.sold(3, by: id)
        #expect(second.original.id == second.id)
        #expect(second.details.charged.thousandths == 990)
        #expect(try await unfinished() == [second.id])
        let again = try await services.receipts.contents(
            for: account, in: catalog.app, device: "device-1")
        #expect(again.purchases.map(\.entry.id) == [second.id])

        // The ledger keeps everything, and a key is good for one purchase.
        let shown = try await stage.purchases.purchases(of: id, page, by: stage.actor())
        #expect(shown.items.map(\.isCleared) == [false, true, true])
        #expect(try await stage.sold(1, by: id).id == first.id)
        #expect(
            try await stage.testers.tester(id, by: stage.actor()).clearingDate
                == stage.clock.now())
    }

    @Test func `a clearing is for all of the testers that it names, or for none`() async throws {
        let stage = try await SandboxStage()
        let tess = try await stage.makeTester()
        let other = try await stage.makeTester("theo@example.com")
        let gone = try await stage.makeTester("gone@example.com")
        try await stage.testers.delete(gone.account, by: stage.actor())
        #expect(
            try await stage.rule {
                try await stage.testers.clearHistory(
                    of: [tess.account, gone.account], by: stage.actor())
            } == "notFound")
        try await stage.testers.clearHistory(
            of: [tess.account, other.account], by: stage.actor())
        let testers = try await stage.testers.testers(page, by: stage.actor()).items
        #expect(testers.allSatisfy { $0.clearingDate != nil })
    }

    @Test func `the next payment is declined, however often it is tried, and those behind it pass`()
        async throws
    {
        let stage = try await SandboxStage()
        let id = try await stage.makeTester().account
        _ = try await stage.testers.change(
            id, TesterChange(paymentFailure: .next), by: stage.actor())
        for _ in 0..<3 {
            #expect(try await stage.buy(1, by: id).refusal == .paymentDeclined)
        }
        #expect(try await stage.buy(1, SampleShop.credits, by: id).refusal == .keyReused)
        #expect(try await stage.buy(1, quantity: 2, by: id).refusal == .keyReused)
        let tester = try await stage.testers.tester(id, by: stage.actor())
        #expect(tester.settings.paymentFailure == .none)
        _ = try await stage.sold(2, by: id)
        let attempts = try await stage.purchases.attempts(of: id, by: stage.actor())
        #expect(attempts.declined.map(\.key) == ["purchase-key-1001"])
        #expect(attempts.waiting.isEmpty)
        #expect(
            try await stage.purchases.purchases(of: id, page, by: stage.actor()).items.count == 1)
    }

    @Test func `all payments are declined until that ends; what was sold stays sold`()
        async throws
    {
        let stage = try await SandboxStage()
        let id = try await stage.makeTester().account
        let sold = try await stage.sold(1, by: id)
        _ = try await stage.testers.change(
            id, TesterChange(asksToBuy: true, paymentFailure: .all), by: stage.actor())
        #expect(try await stage.buy(2, SampleShop.credits, by: id).refusal == .paymentDeclined)
        #expect(try await stage.buy(3, SampleShop.credits, by: id).refusal == .paymentDeclined)
        // The same order again gets its transaction, and what is owned costs nothing.
        #expect(try await stage.sold(1, by: id).id == sold.id)
        #expect(try await stage.sold(4, by: id).original.id == sold.id)
        _ = try await stage.testers.change(
            id, TesterChange(asksToBuy: false, paymentFailure: PaymentFailure.none),
            by: stage.actor())
        _ = try await stage.sold(5, SampleShop.credits, by: id)
        #expect(
            try await stage.buy(2, SampleShop.credits, by: id).refusal == .paymentDeclined)
    }

    @Test func `what is no purchase is refused as ever, and uses up no declined payment`()
        async throws
    {
        let stage = try await SandboxStage()
        let id = try await stage.makeTester().account
        _ = try await stage.testers.change(
            id, TesterChange(paymentFailure: .next), by: stage.actor())
        #expect(try await stage.buy(1, quantity: 11, by: id).refusal == .quantityOutOfRange(11))
        #expect(
            try await stage.testers.tester(id, by: stage.actor()).settings.paymentFailure == .next)
    }

    @Test func `a refund takes the purchase back, once`() async throws {
        let stage = try await SandboxStage()
        let id = try await stage.makeTester().account
        let first = try await stage.sold(1, by: id)
        let events = try await stage.shop.store.database.lastEvent()
        try await stage.purchases.refund(first.id, of: id, by: stage.actor())
        #expect(try await stage.shop.store.database.lastEvent() > events)
        let shown = try await stage.purchases.purchases(of: id, page, by: stage.actor()).items
        #expect(shown.map(\.revocationDate) == [stage.clock.now()])
        #expect(shown.map(\.isRefundable) == [false])
        #expect(
            try await stage.rule {
                try await stage.purchases.refund(first.id, of: id, by: stage.actor())
            } == "purchaseRefunded")
        #expect(try await stage.sold(2, by: id).original.id != first.id)
        #expect(try await stage.actions().last == "purchase.refund tess@example.com")
    }

    @Test func `an Ask to Buy is let through, or declined, once`() async throws {
        let stage = try await SandboxStage()
        let id = try await stage.makeTester().account
        _ = try await stage.testers.change(id, TesterChange(asksToBuy: true), by: stage.actor())
        for (number, outcome) in [
            (1, PendingPurchase.Decision.Outcome.approved), (2, .declined),
        ] {
            guard case .success(.deferred) = try await stage.buy(number, SampleShop.credits, by: id)
            else {
                Issue.record("it was not deferred")
                return
            }
            let waiting = try await stage.purchases.attempts(of: id, by: stage.actor()).waiting
            let pending = try #require(waiting.first)
            try await stage.purchases.decide(
                outcome, on: pending.id, of: id, by: stage.actor())
            #expect(
                try await stage.rule {
                    try await stage.purchases.decide(
                        .approved, on: pending.id, of: id, by: stage.actor())
                } == "purchaseNotWaiting")
        }
        #expect(try await stage.purchases.attempts(of: id, by: stage.actor()).waiting.isEmpty)
        #expect(
            try await stage.purchases.purchases(of: id, page, by: stage.actor()).items.count == 1)
        #expect(try await stage.buy(2, SampleShop.credits, by: id).refusal == .declined)
        #expect(
            try await stage.actions().suffix(2) == [
                "purchase.approve tess@example.com", "purchase.decline tess@example.com",
            ])
    }

    @Test func `what nobody decided within a day waits no longer`() async throws {
        let stage = try await SandboxStage()
        let id = try await stage.makeTester().account
        _ = try await stage.testers.change(id, TesterChange(asksToBuy: true), by: stage.actor())
        _ = try await stage.buy(1, SampleShop.credits, by: id)
        let attempts = try await stage.purchases.attempts(of: id, by: stage.actor())
        let pending = try #require(attempts.waiting.first)
        stage.clock.advance(by: PendingPurchase.approvalPeriod)
        #expect(try await stage.purchases.attempts(of: id, by: stage.actor()).waiting.isEmpty)
        #expect(
            try await stage.rule {
                try await stage.purchases.decide(
                    .approved, on: pending.id, of: id, by: stage.actor())
            } == "purchaseNotWaiting")
    }

    @Test func `another tester's purchases are not found`() async throws {
        let stage = try await SandboxStage()
        let tess = try await stage.makeTester().account
        let theo = try await stage.makeTester("theo@example.com").account
        let entry = try await stage.sold(1, by: theo)
        #expect(
            try await stage.rule {
                try await stage.purchases.refund(entry.id, of: tess, by: stage.actor())
            } == "notFound")
    }

    @Test func `what a tester buys in another team's app is that team's affair`() async throws {
        let stage = try await SandboxStage()
        let ours = try await stage.testers.create(
            {
                var draft = SandboxStage.draft()
                draft.team = stage.otherTeam.id
                return draft
            }(), by: .machine
        ).account
        let entry = try await stage.sold(1, by: ours)
        #expect(
            try await stage.purchases.purchases(of: ours, page, by: stage.stranger).items.isEmpty)
        #expect(
            try await stage.rule {
                try await stage.purchases.refund(entry.id, of: ours, by: stage.stranger)
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
