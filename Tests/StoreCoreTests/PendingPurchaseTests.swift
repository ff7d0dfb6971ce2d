import Foundation
@testable import StoreCore
import StoreModel
import Testing

@Suite struct PendingPurchases {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static func purchase(
        _ kind: PendingPurchase.Kind, _ outcome: PendingPurchase.Decision.Outcome? = nil
    ) -> PendingPurchase {
        let price = Money(thousandths: 990, currency: "USD")
        return PendingPurchase(
            id: PendingPurchaseID(number: 1), kind: kind,
            order: LedgerDraft(
                kind: .purchase, environment: .sandbox, account: AccountID(number: 1),
                app: AppID(number: 1), bundleID: BundleID("com.example.shop")!,
                productID: ProductID("crown")!, productType: .consumable,
                key: "purchase-key-1001", device: "device", quantity: 2, unitPrice: price,
                charged: Money(thousandths: 1980, currency: "USD"), storefront: .unitedStates,
                original: nil, applicationUsername: nil, date: start),
            decision: outcome.map { PendingPurchase.Decision(outcome: $0, date: start) })
    }

    private static func order(
        _ product: String = "crown", quantity: Int = 2, simulates: Bool = false
    ) -> PurchaseOrder {
        PurchaseOrder(
            key: PurchaseKey("purchase-key-1001")!, productID: product, quantity: quantity,
            confirmedPrice: Money(thousandths: 990, currency: "USD"), applicationUsername: nil,
            device: "device", simulatesAskToBuy: simulates)
    }

    @Test(
        arguments: [
            (.approval, nil, 0, .waiting),
            (.approval, nil, 86_399, .waiting),
            (.approval, nil, 86_400, .lapsed),
            (.approval, .approved, 90_000, .approved),
            (.approval, .declined, 0, .declined),
            // What interrupted a purchase can be settled at any time.
            (.interruption, nil, 10_000_000, .waiting),
            (.interruption, .declined, 0, .declined),
        ]
            as [(
                PendingPurchase.Kind, PendingPurchase.Decision.Outcome?, TimeInterval,
                PendingPurchase.Status
            )])
    func `a decision counts, and an approval lapses after a day`(
        kind: PendingPurchase.Kind, outcome: PendingPurchase.Decision.Outcome?,
        seconds: TimeInterval, status: PendingPurchase.Status
    ) {
        let purchase = Self.purchase(kind, outcome)
        #expect(purchase.status(at: Self.start + seconds) == status)
    }

    @Test func `the same order is answered by what became of it`() {
        func answer(
            _ pending: PendingPurchase, after seconds: TimeInterval = 0
        ) -> PurchaseRefusal? {
            PurchaseRules.answer(to: Self.order(), pending, at: Self.start + seconds)
        }
        #expect(answer(Self.purchase(.approval)) == nil)
        #expect(answer(Self.purchase(.approval, .approved)) == nil)
        #expect(answer(Self.purchase(.approval, .declined)) == .declined)
        #expect(answer(Self.purchase(.approval), after: 86_400) == .approvalLapsed)
        #expect(answer(Self.purchase(.interruption)) == .interrupted)
        #expect(answer(Self.purchase(.interruption, .approved)) == .interrupted)
        for other in [Self.order("scepter"), Self.order(quantity: 1)] {
            #expect(
                PurchaseRules.answer(to: other, Self.purchase(.approval), at: Self.start)
                    == .keyReused)
        }
    }

    @Test func `settings decide what waits; what is owned never does`() {
        let asks = AccountSettings(asksToBuy: true)
        let interrupts = AccountSettings(interruptsPurchases: true)
        var draft = Self.purchase(.approval).order
        func wait(_ settings: AccountSettings, simulates: Bool = false) -> PendingPurchase.Kind? {
            PurchaseRules.wait(
                for: draft, Self.order(simulates: simulates), settings: settings)
        }
        #expect(wait(AccountSettings()) == nil)
        #expect(wait(asks) == .approval)
        #expect(wait(interrupts) == .interruption)
        #expect(wait(AccountSettings(), simulates: true) == .approval)
        draft.environment = .production
        #expect(wait(AccountSettings(), simulates: true) == nil)
        #expect(wait(asks) == .approval)
        // What was subscribed to before is charged again.
        draft.original = LedgerOriginal(id: TransactionID(number: 1), date: Self.start)
        #expect(wait(asks) == .approval)
        #expect(wait(interrupts) == .interruption)
        draft.charged.thousandths = 0
        #expect(wait(asks) == nil)
        #expect(wait(interrupts) == nil)
    }

    @Test(
        arguments: [
            ("welcome-2026", "WELCOME2026"), ("  WELCOME 2026 ", "WELCOME2026"),
            ("short", nil), ("with_underscore", nil), ("umlautäöü12", nil), ("", nil),
            (String(repeating: "A", count: 65), nil), (String(repeating: "a ", count: 51), nil),
            ("\u{0}AAAAAAAA", nil),
        ] as [(String, String?)])
    func `codes are taken as people type them`(text: String, code: String?) {
        #expect(OfferCode.normalized(text) == code)
    }
}
