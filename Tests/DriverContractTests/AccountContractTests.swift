import Foundation
@testable import StoreCore
import StoreDatabase
import StoreModel
import Testing

@Suite(.usesDrivers) struct AccountContractTests {
    static let token = Data(repeating: 1, count: 32)
    static let end = SeededShop.date.addingTimeInterval(60)

    private func startSession(
        _ token: Data, of account: Account, in database: any ShopDatabase,
        start: Date = SeededShop.date, end: Date = end
    ) async throws {
        try await database.write {
            try $0.accounts.insertSession(
                tokenDigest: token, account: account.id, start: start, end: end)
        }
    }

    private func account(
        _ token: Data, at date: Date, in database: any ShopDatabase
    ) async throws -> Account? {
        try await database.read { try $0.accounts.session(tokenDigest: token, at: date)?.account }
    }

    @Test(arguments: StoreDriver.all)
    func `an address is one account in each environment`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        for known in [shop.ada, shop.customer] {
            let found = try await database.read {
                try $0.accounts.account(email: "ada@example.com", in: known.environment)
            }
            #expect(found == known)
        }
        await #expect {
            try await database.write {
                try $0.accounts.insert(
                    AccountDraft(
                        environment: .sandbox, email: "ada@example.com", passwordHash: "",
                        storefront: .unitedStates), at: SeededShop.date)
            }
        } throws: {
            ($0 as? SQLError)?.code == .constraint
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a session is valid until its end date`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        try await startSession(Self.token, of: shop.ada, in: database)
        let last = Self.end.addingTimeInterval(-0.001)
        #expect(try await account(Self.token, at: last, in: database) == shop.ada)
        #expect(try await account(Self.token, at: Self.end, in: database) == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `signing out ends one session and no other`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let other = Data(repeating: 2, count: 32)
        try await startSession(Self.token, of: shop.ada, in: database)
        try await startSession(other, of: shop.ada, in: database)
        try await database.write { try $0.accounts.deleteSession(tokenDigest: Self.token) }
        #expect(try await account(Self.token, at: SeededShop.date, in: database) == nil)
        #expect(try await account(other, at: SeededShop.date, in: database) == shop.ada)
    }

    @Test(arguments: StoreDriver.all)
    func `a new session clears away the account's old ones`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let (second, third) = (Data(repeating: 2, count: 32), Data(repeating: 3, count: 32))
        try await startSession(Self.token, of: shop.ada, in: database)
        try await startSession(second, of: shop.grace, in: database)
        try await startSession(
            third, of: shop.ada, in: database, start: Self.end,
            end: Self.end.addingTimeInterval(60))
        // Asked for a time at which they were good: what is gone is gone.
        #expect(try await account(Self.token, at: SeededShop.date, in: database) == nil)
        #expect(try await account(second, at: SeededShop.date, in: database) == shop.grace)
        #expect(try await account(third, at: Self.end, in: database) == shop.ada)
    }

    @Test(arguments: StoreDriver.all)
    func `a session that ends before it starts is refused`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        await #expect(throws: SQLError.self) {
            try await startSession(
                Self.token, of: shop.ada, in: database, end: SeededShop.date)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `how an account buys is kept, with its guardian`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        for settings in [
            AccountSettings(asksToBuy: true, guardian: shop.grace.id),
            AccountSettings(interruptsPurchases: true), AccountSettings(guardian: shop.grace.id),
        ] {
            try await database.write { try $0.accounts.set(settings, of: shop.ada.id) }
            let kept = try await database.read { try $0.accounts.settings(of: shop.ada.id) }
            #expect(kept == settings)
        }
    }

    @Test(arguments: StoreDriver.all, [false, true])
    func `a guardian is another account of the same environment`(
        driver: StoreDriver, isKnown: Bool
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        if isKnown {
            try await database.write { try $0.accounts.set(AccountSettings(), of: shop.ada.id) }
        }
        for guardian in [shop.ada.id, shop.customer.id, AccountID(number: 999)] {
            await #expect {
                try await database.write {
                    try $0.accounts.set(AccountSettings(guardian: guardian), of: shop.ada.id)
                }
            } throws: {
                ($0 as? SQLError)?.code == .constraint
            }
        }
        let kept = try await database.read { try $0.accounts.settings(of: shop.ada.id) }
        #expect(kept == AccountSettings())
    }

    @Test(arguments: StoreDriver.all)
    func `passwords tried on an approval's page are counted`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let (first, second) = try await database.write { repositories in
            let pending = repositories.pending
            return (
                try pending.insert(shop.purchase(1), kind: .approval).id,
                try pending.insert(shop.purchase(2), kind: .approval).id
            )
        }
        let counts = try await database.write { repositories in
            let pending = repositories.pending
            #expect(try pending.page(of: first) == nil)
            for address in ["http://first", "http://other"] {
                try pending.insertPage(of: first, address: address)
            }
            return [
                try pending.countAttempt(on: first, address: "http://other"),
                try pending.countAttempt(on: first, address: "http://other"),
                try pending.countAttempt(on: second, address: "http://second"),
            ]
        }
        #expect(counts == [1, 2, 1])
        let pages = try await database.read { repositories in
            [try repositories.pending.page(of: first), try repositories.pending.page(of: second)]
        }
        #expect(
            pages == [
                ApprovalPageRecord(address: "http://first", attempts: 2),
                ApprovalPageRecord(address: "http://second", attempts: 1),
            ])
    }
}
