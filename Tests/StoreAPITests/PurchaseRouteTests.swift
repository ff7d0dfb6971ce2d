import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

@Suite struct PurchaseRouteTests {
    @Test(arguments: Altitude.allCases, StoreEnvironment.allCases)
    func `a purchase is signed by the store and says what was bought`(
        altitude: Altitude, environment: StoreEnvironment
    ) async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
        let client = try await APIClient.signedIn(
            shop, altitude: altitude, environment: environment, as: TestStore.japanese)
        var order = APIClient.order(
            SampleShop.credits, 1, quantity: 3,
            price: Money(thousandths: 120_000, currency: "JPY"))
        order.applicationUsername = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
        let bought = try await client.buy(order)
        let entry = try #require(
            try await shop.ledger(of: TestStore.japanese, in: environment).first)
        let now = clock.now().milliseconds
        var expected = TransactionPayload(
            transactionId: entry.id, originalTransactionId: entry.id,
            bundleId: "com.example.shop", productId: SampleShop.credits,
            type: "Consumable", quantity: 3, purchaseDate: now, originalPurchaseDate: now,
            signedDate: now, environment: environment.rawValue, inAppOwnershipType: "PURCHASED",
            transactionReason: "PURCHASE", storefront: "JPN", storefrontId: "143462",
            currency: "JPY", price: 360_000,
            appAccountToken: "6f9619ff-8b86-d011-b42d-00c04fc964ff",
            purchaseKey: order.purchaseKey.text)
        expected.appTransactionId = bought.appTransactionId
        #expect(bought == expected)
        #expect(bought.appTransactionId?.hasPrefix("7000000000000000") == true)
        #expect(entry.details.charged == Money(thousandths: 360_000, currency: "JPY"))
        #expect(entry.details.device == "device-1")
        #expect(try await LedgerSnapshot(of: shop).count == 1)
    }

    @Test func `a transaction of another store is not taken for one of this`() async throws {
        let shop = try await TestStore(hasContent: false)
        let other = try await TestStore(hasContent: false, hasOwnKeys: true)
        let answer: TransactionAnswer = try await APIClient.signedIn(other)
            .post(DeviceRoute.purchases, APIClient.badge(1))
        let client = try await APIClient(shop)
        #expect(throws: SecurityError(.untrusted, "")) { try client.payload(answer) }
    }

    @Test(arguments: Altitude.allCases)
    func `the same key again is the same transaction and no second charge`(
        altitude: Altitude
    ) async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        let client = try await APIClient.signedIn(shop, altitude: altitude)
        let first = try await client.buy(APIClient.credits(1, quantity: 2))
        clock.advance(by: 60)
        var again = try await client.buy(APIClient.credits(1, quantity: 2))
        #expect(again.signedDate == first.signedDate + 60_000)
        again.signedDate = first.signedDate
        #expect(again == first)
        // Also once it is finished, and after the price that was confirmed is gone.
        try await client.finish(first)
        var late = APIClient.credits(1, quantity: 2)
        late.confirmedPrice = APIClient.dollars(1)
        #expect(try await client.buy(late).transactionId == first.transactionId)
        #expect(try await shop.ledger().count == 1)
    }

    @Test(arguments: [SampleShop.credits, SampleShop.badge])
    func `a sale says at once what it says when it is read again`(product: String) async throws {
        let shop = try await TestStore(hasContent: false, clock: SettableClock())
        let client = try await APIClient.signedIn(shop)
        let tokens: [String?] = [nil, "6F9619FF-8B86-D011-B42D-00C04FC964FF"]
        for (number, token) in tokens.enumerated() {
            var order = APIClient.order(product, 1 + number, price: APIClient.dollars(990))
            order.applicationUsername = token
            let first = try await client.buy(order)
            #expect(first == (try await client.buy(order)))
            #expect(first.appAccountToken == token?.lowercased())
            let written = try #require(try await shop.ledger().last)
            let id = written.id
            let record = try await shop.store.database.read { try $0.transactions.record(id) }
            #expect(record?.id == first.transactionId)
            #expect(record?.appTransaction.description == first.appTransactionId)
        }
    }

    @Test func `many at once with one key are one purchase`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop, altitude: .socket)
        let ids = try await withThrowingTaskGroup(of: TransactionID.self) { group in
            for _ in 0..<20 {
                group.addTask { try await client.buy(APIClient.credits(1)).transactionId }
            }
            return try await group.reduce(into: Set<TransactionID>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await shop.ledger().map(\.id) == Array(ids))
    }

    @Test func `a key belongs to one account`() async throws {
        let shop = try await TestStore(hasContent: false)
        let first = try await APIClient.signedIn(shop).buy(APIClient.credits(1))
        let second = try await APIClient.signedIn(shop, as: TestStore.japanese).buy(
            APIClient.order(
                SampleShop.credits, 1, price: Money(thousandths: 120_000, currency: "JPY")))
        #expect(first.transactionId != second.transactionId)
    }

    @Test func `what one owns is free and refers to the first purchase`() async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        let client = try await APIClient.signedIn(shop)
        let first = try await client.buy(APIClient.badge(1))
        clock.advance(by: 60)
        let again = try await client.buy(APIClient.badge(2))
        #expect(again.transactionId != first.transactionId)
        #expect(again.originalTransactionId == first.transactionId)
        #expect(again.originalPurchaseDate == first.purchaseDate)
        #expect(again.purchaseDate == first.purchaseDate + 60_000)
        #expect([first.price, again.price] == [990, 0])
        let used = [
            try await client.buy(APIClient.credits(3)), try await client.buy(APIClient.credits(4)),
        ]
        #expect(used.map(\.price) == [990, 990])
        #expect(used.allSatisfy { $0.originalTransactionId == $0.transactionId })
    }

    @Test func `only a UUID is kept as the name of the app's user`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop)
        var order = APIClient.credits(1)
        order.applicationUsername = "ada"
        #expect(try await client.buy(order).appAccountToken == nil)
    }

    /// An order that is refused.
    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        var reason: String?
        let order: PurchaseRequest

        init(
            _ description: String, _ name: String, reason: String? = nil, _ order: PurchaseRequest
        ) {
            testDescription = description
            self.name = name
            self.reason = reason
            self.order = order
        }
    }

    static let refused: [Refused] = [
        Refused("another product under a key", "409 purchaseKeyReused", APIClient.badge(1)),
        Refused(
            "another quantity under a key", "409 purchaseKeyReused",
            APIClient.credits(1, quantity: 2)),
        Refused("none", "422 quantityOutOfRange", APIClient.credits(2, quantity: 0)),
        Refused("less than none", "422 quantityOutOfRange", APIClient.credits(3, quantity: -1)),
        Refused("eleven", "422 quantityOutOfRange", APIClient.credits(4, quantity: 11)),
        Refused(
            "another price", "409 priceChanged",
            APIClient.order(SampleShop.credits, 5, price: APIClient.dollars(980))),
        Refused(
            "another currency", "409 priceChanged",
            APIClient.order(
                SampleShop.credits, 6, price: Money(thousandths: 990, currency: "EUR"))),
        Refused(
            "misspelled", "422 productInvalid", reason: "unknownIdentifier",
            APIClient.order("com.example.shop.credit", 7, price: APIClient.dollars(990))),
        Refused(
            "no identifier", "422 productInvalid", reason: "unknownIdentifier",
            APIClient.order("", 8, price: APIClient.dollars(990))),
    ]

    @Test(arguments: Altitude.allCases)
    func `a refused order adds nothing to the ledger`(altitude: Altitude) async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop, altitude: altitude)
        _ = try await client.buy(APIClient.credits(1))
        let before = try await LedgerSnapshot(of: shop)
        for refused in Self.refused {
            let refusal = try await client.refusal(DeviceRoute.purchases, refused.order)
            #expect(refusal.name == refused.name, "\(refused.testDescription)")
            #expect(
                refusal.error.reason?.rawValue == refused.reason, "\(refused.testDescription)")
            #expect(try await LedgerSnapshot(of: shop) == before)
        }
    }

    @Test func `production refuses what was not approved, with the reason`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop, environment: .production)
        let refusal = try await client.refusal(DeviceRoute.purchases, APIClient.badge(1))
        #expect(refusal.name == "422 productInvalid")
        #expect(refusal.error.reason?.rawValue == "notApproved")
        #expect(try await LedgerSnapshot(of: shop).count == 0)
    }
}
