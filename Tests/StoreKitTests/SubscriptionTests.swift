import Foundation
@testable import StoreKit
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Auto-renewable subscriptions as apps see them.
struct SubscriptionTests {
    @Test func `an app hears of its subscription's first period and of each renewal`() async throws
    {
        let clock = SettableClock()
        let store = try await TestStore(clock: clock)
        let device = try await TestDevice(store, listens: true)
        let bought = try await device.buy(SampleShop.monthly)
        #expect(bought.transactionState == .purchased)
        #expect(bought.original == nil)
        device.queue.finishTransaction(bought)
        _ = try await device.recorder.next { $0.isRemoval }

        clock.advance(by: 300)
        try await store.store.services.renewals.advance()
        let renewed = try await device.recorder.transaction {
            $0.transactionState == .purchased && $0 !== bought
        }
        #expect(renewed.payment.productIdentifier == SampleShop.monthly)
        #expect(renewed.original?.transactionIdentifier == bought.transactionIdentifier)
        #expect(renewed.transactionDate == bought.transactionDate?.addingTimeInterval(300))
        let receipt = try OpenStoreReceipt.current(on: device.device)
        #expect(
            receipt.inAppPurchases.map(\.expirationDate) == [
                bought.transactionDate?.addingTimeInterval(300),
                bought.transactionDate?.addingTimeInterval(600),
            ])
        device.queue.finishTransaction(renewed)
        await device.engine.close()
    }

    @Test func `an app hears that a period was refunded`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store, listens: true)
        let bought = try await device.buy(SampleShop.monthly)
        let id = try #require(bought.transactionIdentifier.flatMap { TransactionID($0) })
        let refunds = store.store.services.refunds
        let request = try await refunds.ask(id, of: nil, reason: .legal, comment: "").get()
        try await refunds.decide(
            request.id, .refunded(percentage: Revocation.everything), grounds: "The law.")
        let heard = try await device.recorder.next {
            if case .revoked = $0 { true } else { false }
        }
        guard case .revoked(let products) = heard else { return }
        #expect(products == [SampleShop.monthly])
        await device.engine.close()
    }

    @Test func `a subscription ends for the app when the tester's own clock has come to its end`()
        async throws
    {
        let store = try await TestStore(clock: SettableClock())
        let services = store.store.services
        let tester = try await services.accounts.account(
            email: TestStore.american, environment: .sandbox)
        let team = try await store.store.database.write { repositories in
            let team = try #require(try repositories.catalog.app(SampleShop.bundleID)).teamID
            try repositories.testers.insert(
                TesterProfile(team: team, firstName: "", lastName: "", secret: nil),
                of: tester.id, at: store.store.clock.now())
            return team
        }
        let start = store.store.clock.now().addingTimeInterval(86_400)
        let developer = ConnectActor(kind: .machine, team: team, roles: [.developer])
        let clock = try await services.sandboxClocks.create(
            SandboxClockDraft(name: "Autumn", date: start, followers: [.tester(tester.id)]),
            by: developer)
        let device = try await TestDevice(store, listens: true)
        let bought = try #require(try await device.purchase(SampleShop.monthly))
        #expect(bought.purchaseDate == start && bought.signedDate == start)
        #expect(try await device.entitlements() == [SampleShop.monthly])
        try await services.subscriberChoices.setRenews(
            false, of: TransactionID(number: Int64(bought.id)), by: tester.id)
        _ = try await services.sandboxClocks.advance(
            clock.clock.id, to: start.addingTimeInterval(300), by: developer)
        try await device.untilHeard(try await store.store.database.lastEvent())
        #expect(try await device.entitlements().isEmpty)
        await device.engine.close()
    }
}
