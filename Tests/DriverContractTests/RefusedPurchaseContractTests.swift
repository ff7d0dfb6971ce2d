import Foundation
import StoreCore
import StoreDatabase
import StoreModel
import Testing

/// Purchase keys that were refused.
@Suite(.usesDrivers) struct RefusedPurchaseContracts {
    private static func refused(
        _ number: Int = 1, _ refusal: PurchaseRefusal = .priceChanged(current: price),
        by account: Account, in shop: SeededShop, at date: Date = SeededShop.date
    ) -> RefusedPurchase {
        RefusedPurchase(
            account: account.id, environment: account.environment, app: shop.app.id,
            key: "purchase-key-\(1000 + number)", refusal: refusal, date: date)
    }

    private static let price = Money(thousandths: 990, currency: "USD")

    private static func read(
        _ refused: RefusedPurchase, in database: any ShopDatabase
    ) async throws -> RefusedPurchase? {
        try await database.read {
            try $0.refused.purchase(key: refused.key, account: refused.account, app: refused.app)
        }
    }

    /// Every refusal by the rules, with and without what it names.
    static let refusals: [PurchaseRefusal] =
        [
            .typeNotSold(.autoRenewableSubscription), .quantityOutOfRange(0),
            .quantityOutOfRange(.min), .quantityOutOfRange(.max), .priceChanged(current: price),
            .offer("", .unknown), .offer("日本 'quoted'", .ineligible),
            .offer("a", .signatureInvalid), .offer("b", .signatureMissing),
        ] + reasons.map { .invalidProduct($0) }

    private static let reasons: [InvalidReason] = [
        .unknownIdentifier(similar: nil), .unknownIdentifier(similar: SeededShop.chapter),
        .notApproved(.inReview), .removedFromSale, .missingMetadata, .waitingForContent,
        .notInStorefront("JPN"), .wildcardApplicationIdentifier(ApplicationIdentifier("*")!),
        .profileWrong("it lacks the in-app purchase entitlement"), .profileOutOfDate,
        .noPaidAgreement(team: "Example"), .binaryRejected(.developerRejected),
    ]

    @Test(arguments: StoreDriver.all)
    func `each refusal is read as it was written`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        for (number, refusal) in Self.refusals.enumerated() {
            let written = Self.refused(number, refusal, by: shop.customer, in: shop)
            #expect(written.refusal == refusal && refusal.closesKey)
            try await database.write { try $0.refused.insert(written) }
            #expect(try await Self.read(written, in: database) == written)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `what follows from another fact is not kept`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let others: [PurchaseRefusal] = [
            .keyReused, .declined, .approvalLapsed, .paymentDeclined, .interrupted, .revoked,
        ]
        for refusal in others {
            #expect(!refusal.closesKey)
            let written = Self.refused(1, refusal, by: shop.ada, in: shop)
            await #expect(throws: SQLError.self) {
                try await database.write { try $0.refused.insert(written) }
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a key is refused once, and never sold to its account in its app`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let first = Self.refused(by: shop.ada, in: shop)
        try await database.write { try $0.refused.insert(first) }
        let second = Self.refused(1, .quantityOutOfRange(11), by: shop.ada, in: shop)
        await #expect(throws: SQLError.self) {
            try await database.write { try $0.refused.insert(second) }
        }
        await #expect(throws: SQLError.self) {
            try await database.write { try $0.ledger.insertIfNew(shop.purchase(1)) }
        }
        #expect(try await Self.read(first, in: database) == first)
        #expect(try await shop.entries(in: database).isEmpty)
        // Others may have the same key.
        let sold = try await database.write { repositories in
            try [
                shop.purchase(1, by: shop.grace), shop.purchase(1, by: shop.customer),
                shop.purchase(1, in: shop.otherApp), shop.purchase(2),
            ].map { try repositories.ledger.insert($0) }
        }
        #expect(sold.count == 4)
    }

    @Test(arguments: StoreDriver.all)
    func `an account is refused in its own environment`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let foreign = RefusedPurchase(
            account: shop.ada.id, environment: .production, app: shop.app.id,
            key: "purchase-key-1001", refusal: .quantityOutOfRange(0), date: SeededShop.date)
        await #expect(throws: SQLError.self) {
            try await database.write { try $0.refused.insert(foreign) }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `refusals from before a date are deleted`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let old = Self.refused(1, by: shop.ada, in: shop)
        let new = Self.refused(
            2, by: shop.grace, in: shop, at: SeededShop.date.addingTimeInterval(1))
        try await database.write { repositories in
            try repositories.refused.insert(old)
            try repositories.refused.insert(new)
            try repositories.refused.deleteRefusals(before: SeededShop.date)
        }
        #expect(try await Self.read(old, in: database) == old)
        try await database.write { try $0.refused.deleteRefusals(before: new.date) }
        #expect(try await Self.read(old, in: database) == nil)
        #expect(try await Self.read(new, in: database) == new)
    }

    @Test func `of an offer's identifier, which customers choose, so much is kept`() async throws {
        let database = try StoreDriver.sqlite.install().open()
        let shop = try await SeededShop(in: database)
        let long = String(repeating: "o\u{301}", count: 10_000)
        let kept = Self.refused(1, .offer(long, .unknown), by: shop.ada, in: shop)
        guard case .offer(let offer, _) = kept.refusal else {
            Issue.record("another refusal: \(kept.refusal)")
            return
        }
        #expect(offer.unicodeScalars.count == RefusedPurchase.offerLimit)
        #expect(long.hasPrefix(offer))
    }
}
