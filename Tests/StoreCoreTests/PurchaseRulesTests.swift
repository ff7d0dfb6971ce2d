import Foundation
@testable import StoreCore
import StoreModel
import Testing

@Suite struct PurchaseRulesTests {
    static let date = Date(timeIntervalSince1970: 1_800_000_000)
    static let account = Account(
        id: AccountID(number: 4), environment: .production, email: "ada@example.com",
        passwordHash: "", storefront: .unitedStates)

    static func order(
        _ product: String = Situation.badge.text, quantity: Int = 1, price: Int64 = 990,
        currency: String = "USD"
    ) -> PurchaseOrder {
        PurchaseOrder(
            key: PurchaseKey("AAAAAAAA-0000-0001")!, productID: product, quantity: quantity,
            confirmedPrice: Money(thousandths: price, currency: currency),
            applicationUsername: "user", device: "device")
    }

    static func decide(
        _ order: PurchaseOrder, in situation: Situation = Situation(), owned: LedgerEntry? = nil
    ) -> Result<LedgerDraft, PurchaseRefusal> {
        PurchaseRules.decide(
            order, by: account, in: situation.app, terms: situation.terms, owned: owned, at: date)
    }

    /// A fact that the order led to before.
    static func entry(for order: PurchaseOrder, in situation: Situation) throws -> LedgerEntry {
        LedgerEntry(id: TransactionID(number: 1), details: try decide(order, in: situation).get())
    }

    static func situation(_ type: ProductType) -> Situation {
        var situation = Situation()
        situation.product.details.type = type
        return situation
    }

    @Test func `a purchase is written with who, what, where and for how much`() throws {
        let draft = try Self.decide(Self.order(quantity: 3)).get()
        #expect(
            draft
                == LedgerDraft(
                    kind: .purchase, environment: .production, account: Self.account.id,
                    app: AppID(number: 7), bundleID: Situation.bundleID,
                    productID: Situation.badge, productType: .nonConsumable,
                    key: "AAAAAAAA-0000-0001", device: "device", quantity: 3,
                    unitPrice: Money(thousandths: 990, currency: "USD"),
                    charged: Money(thousandths: 2970, currency: "USD"),
                    storefront: .unitedStates, original: nil, applicationUsername: "user",
                    date: Self.date))
    }

    @Test(arguments: [1, 10])
    func `a quantity from one to ten is charged that often`(quantity: Int) throws {
        let draft = try Self.decide(Self.order(quantity: quantity)).get()
        #expect(draft.quantity == quantity)
        #expect(draft.charged.thousandths == Int64(quantity) * 990)
    }

    @Test(arguments: [0, -1, 11, .max, .min])
    func `any other quantity is refused`(quantity: Int) {
        let result = Self.decide(Self.order(quantity: quantity))
        #expect(result == .failure(.quantityOutOfRange(quantity)))
    }

    @Test(arguments: [(980, "USD"), (1000, "USD"), (0, "USD"), (-990, "USD"), (990, "EUR")])
    func `a price that the customer did not see is refused`(price: Int64, currency: String) {
        let result = Self.decide(Self.order(price: price, currency: currency))
        let current = Money(thousandths: 990, currency: "USD")
        #expect(result == .failure(.priceChanged(current: current)))
    }

    @Test func `an invalid product is refused with its reason`() {
        #expect(
            Self.decide(Self.order("crown"))
                == .failure(.invalidProduct(.unknownIdentifier(similar: nil))))
    }

    @Test func `of an auto-renewable subscription one is sold, never two`() throws {
        let situation = Self.situation(.autoRenewableSubscription)
        #expect(try Self.decide(Self.order(), in: situation).get().charged.thousandths == 990)
        #expect(
            Self.decide(Self.order(quantity: 2), in: situation)
                == .failure(.quantityOutOfRange(2)))
    }

    @Test func `a free product is sold for nothing`() throws {
        var situation = Situation()
        situation.product.details.prices = ["USA": 0]
        #expect(try Self.decide(Self.order(price: 0), in: situation).get().charged.thousandths == 0)
    }

    @Test func `a non-consumable that one owns is free and refers to the first purchase`() throws {
        let first = try Self.entry(for: Self.order(), in: Situation())
        let draft = try Self.decide(Self.order(), owned: first).get()
        #expect(draft.charged == Money(thousandths: 0, currency: "USD"))
        #expect(draft.unitPrice == Money(thousandths: 990, currency: "USD"))
        #expect(draft.original == LedgerOriginal(id: first.id, date: Self.date))
    }

    @Test(arguments: [ProductType.consumable, .nonRenewingSubscription])
    func `what is used up is charged each time`(type: ProductType) throws {
        let situation = Self.situation(type)
        let first = try Self.entry(for: Self.order(), in: situation)
        let draft = try Self.decide(Self.order(), in: situation, owned: first).get()
        #expect(draft.charged.thousandths == 990)
        #expect(draft.original == nil)
    }

    @Test func `the same order again is a repetition, also after the price has changed`() throws {
        let entry = try Self.entry(for: Self.order(quantity: 2), in: Situation())
        #expect(PurchaseRules.isRepetition(Self.order(quantity: 2), of: entry.details))
        #expect(PurchaseRules.isRepetition(Self.order(quantity: 2, price: 1), of: entry.details))
    }

    @Test func `another product or quantity under the key is no repetition`() throws {
        var entry = try Self.entry(for: Self.order(), in: Situation())
        #expect(!PurchaseRules.isRepetition(Self.order("crown"), of: entry.details))
        #expect(!PurchaseRules.isRepetition(Self.order(quantity: 2), of: entry.details))
        var restored = entry.details
        restored.kind = .restore
        entry = LedgerEntry(id: entry.id, details: restored)
        #expect(!PurchaseRules.isRepetition(Self.order(), of: entry.details))
    }
}
