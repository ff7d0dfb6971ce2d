import Foundation
@testable import StoreCore
import StoreDatabase
import StoreModel
import Testing

@Suite(.usesDrivers) struct PromptContractTests {
    static let subjects: [PromptSubject] = [
        .signIn(email: nil), .signIn(email: "ada@example.com"), .redeem,
        .confirm(
            SeededShop.chapter, quantity: 3, price: Money(thousandths: 990, currency: "USD")),
        .consent(
            SeededShop.chapter, currentPrice: Money(thousandths: 990, currency: "USD"),
            newPrice: Money(thousandths: 1990, currency: "USD")),
        .item(ItemID(number: 77), Referral()),
        .item(
            ItemID(number: 77),
            Referral(affiliateToken: "ada1", campaign: "spring & more", provider: "117843")),
    ]

    private func draft(_ subject: PromptSubject, _ shop: SeededShop) -> PromptDraft {
        var account: AccountID? = shop.ada.id
        if case .signIn = subject { account = nil }
        return PromptDraft(
            environment: .sandbox, app: shop.app.id, account: account, subject: subject,
            address: "https://store.example/sandbox", start: SeededShop.date,
            end: SeededShop.date.addingTimeInterval(900))
    }

    private func insert(
        _ draft: PromptDraft, page: UInt8 = 1, secret: UInt8 = 2, in database: any ShopDatabase
    ) async throws -> Prompt {
        try await database.write {
            if case .item(let id, _) = draft.subject, try $0.items.item(id) == nil {
                let team = try $0.catalog.app(draft.app)?.teamID ?? 0
                _ = try $0.items.insert(
                    ItemDetails(kind: .ebook, title: "Item", genres: [9031]), id: id, of: team,
                    state: .onSale, at: SeededShop.date)
            }
            return try $0.prompts.insert(
                draft, pageDigest: Data(repeating: page, count: 32),
                secretDigest: Data(repeating: secret, count: 32))
        }
    }

    @Test(arguments: StoreDriver.all, subjects)
    func `a prompt is found by number, page and secret`(
        driver: StoreDriver, subject: PromptSubject
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let prompt = try await insert(draft(subject, shop), in: database)
        #expect(prompt.details == draft(subject, shop))
        #expect(prompt.state(at: SeededShop.date) == .open)
        let found = try await database.read { repositories in
            let prompts = repositories.prompts
            return [
                try prompts.prompt(prompt.id),
                try prompts.prompt(pageDigest: Data(repeating: 1, count: 32)),
                try prompts.prompt(prompt.id, secretDigest: Data(repeating: 2, count: 32)),
                try prompts.prompt(pageDigest: Data(repeating: 2, count: 32)),
                try prompts.prompt(prompt.id, secretDigest: Data(repeating: 1, count: 32)),
            ]
        }
        #expect(found == [prompt, prompt, prompt, nil, nil])
    }

    @Test(arguments: StoreDriver.all)
    func `a prompt ends once`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let endings: [(PromptSubject, Prompt.Ending)] = [
            (Self.subjects[3], .decided(.yes)), (Self.subjects[3], .decided(.no)),
            (Self.subjects[4], .decided(.later)), (.redeem, .decided(.code("SPRING"))),
            (.signIn(email: nil), .decided(.signedIn(shop.grace.id))), (.redeem, .abandoned),
            (.redeem, .exhausted), (Self.subjects[5], .decided(.done)),
        ]
        for (number, (subject, ending)) in endings.enumerated() {
            let prompt = try await insert(
                draft(subject, shop), page: UInt8(10 + number), in: database)
            let ended = try await database.write { repositories in
                try repositories.prompts.record(ending, of: prompt.id, at: SeededShop.date)
                return try repositories.prompts.prompt(prompt.id)
            }
            #expect(ended?.ending == ending)
            await #expect {
                try await database.write {
                    try $0.prompts.record(.decided(.no), of: prompt.id, at: SeededShop.date)
                }
            } throws: {
                ($0 as? SQLError)?.code == .constraint
            }
            #expect(try await database.read { try $0.prompts.prompt(prompt.id) } == ended)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `when the page of an item counts as closed is kept, and of no other`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let prompt = try await insert(draft(Self.subjects[5], shop), in: database)
        #expect(prompt.absence == nil)
        for date in [SeededShop.date.addingTimeInterval(15), nil] {
            let noted = try await database.write { repositories in
                try repositories.prompts.recordAbsence(from: date, of: prompt.id)
                return try repositories.prompts.prompt(prompt.id)
            }
            #expect(noted?.absence == date)
        }
        let other = try await insert(draft(.redeem, shop), page: 7, secret: 8, in: database)
        await #expect {
            try await database.write {
                try $0.prompts.recordAbsence(from: SeededShop.date, of: other.id)
            }
        } throws: {
            ($0 as? SQLError)?.code == .constraint
        }
    }

    @Test(arguments: StoreDriver.all)
    func `an item is shown to who is not signed in, and nothing else is`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        var looking = draft(Self.subjects[6], shop)
        looking.account = nil
        let prompt = try await insert(looking, in: database)
        #expect(prompt.details.account == nil)
        let found = try await database.read { try $0.prompts.prompt(prompt.id) }
        #expect(found == prompt)
        var redeeming = draft(.redeem, shop)
        redeeming.account = nil
        let refused = redeeming
        await #expect(throws: SQLError.self) {
            try await insert(refused, page: 3, in: database)
        }
        let code = try await insert(draft(.redeem, shop), page: 4, in: database)
        await #expect(throws: SQLError.self) {
            try await database.write {
                try $0.prompts.record(.decided(.done), of: code.id, at: SeededShop.date)
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a session is given out once, and after the sign-in only`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let prompt = try await insert(draft(.signIn(email: nil), shop), in: database)
        await #expect(throws: SQLError.self) {
            try await database.write {
                try $0.prompts.recordCollection(of: prompt.id, at: SeededShop.date)
            }
        }
        let collected = try await database.write { repositories in
            let prompts = repositories.prompts
            try prompts.record(
                .decided(.signedIn(shop.ada.id)), of: prompt.id, at: SeededShop.date)
            return [
                try prompts.recordCollection(of: prompt.id, at: SeededShop.date),
                try prompts.recordCollection(of: prompt.id, at: SeededShop.date),
            ]
        }
        #expect(collected == [true, false])
        #expect(try await database.read { try $0.prompts.prompt(prompt.id)?.isCollected } == true)
    }

    @Test(arguments: StoreDriver.all)
    func `an account of the other environment neither asks nor signs in`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        var changed = draft(.redeem, shop)
        changed.account = shop.customer.id
        let foreign = changed
        await #expect(throws: SQLError.self) { try await insert(foreign, in: database) }
        let prompt = try await insert(draft(.signIn(email: nil), shop), in: database)
        await #expect(throws: SQLError.self) {
            try await database.write {
                try $0.prompts.record(
                    .decided(.signedIn(shop.customer.id)), of: prompt.id, at: SeededShop.date)
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `attempts are counted, and old prompts cleared away`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let prompt = try await insert(draft(.redeem, shop), in: database)
        let counts = try await database.write { repositories in
            [
                try repositories.prompts.countAttempt(of: prompt.id),
                try repositories.prompts.countAttempt(of: prompt.id),
            ]
        }
        #expect(counts == [1, 2])
        let end = prompt.details.end
        let left = try await database.write { repositories in
            try repositories.prompts.deletePrompts(endedBefore: end)
            let kept = try repositories.prompts.prompt(prompt.id)
            try repositories.prompts.deletePrompts(endedBefore: end.addingTimeInterval(0.001))
            return [kept?.attempts, try repositories.prompts.prompt(prompt.id)?.attempts]
        }
        #expect(left == [2, nil])
    }

    @Test(arguments: StoreDriver.all)
    func `a browser's session ends at its end or when it is ended`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let tokens = [1, 2].map { Data(repeating: $0, count: 32) }
        let end = SeededShop.date.addingTimeInterval(60)
        func accounts(at date: Date) async throws -> [Account?] {
            try await database.read { repositories in
                try tokens.map { try repositories.prompts.pageSession(tokenDigest: $0, at: date) }
            }
        }
        try await database.write { repositories in
            for token in tokens {
                try repositories.prompts.insertPageSession(
                    tokenDigest: token, account: shop.ada.id, start: SeededShop.date, end: end)
            }
        }
        #expect(try await accounts(at: SeededShop.date) == [shop.ada, shop.ada])
        #expect(try await accounts(at: end) == [nil, nil])
        try await database.write { try $0.prompts.deletePageSession(tokenDigest: tokens[0]) }
        #expect(try await accounts(at: SeededShop.date) == [nil, shop.ada])
    }
}
