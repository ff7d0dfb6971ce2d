import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Items of two teams, and who buys and reviews them.
struct ItemSaleFixture: Sendable {
    static let price = Money(thousandths: 990, currency: "USD")

    let database: OpenedDatabase
    let clock = SettableClock()
    let team: Int64
    let otherTeam: Int64
    let album: ItemID
    let song: ItemID
    let book: ItemID
    /// An app of this store, free.
    let app: ItemID
    let otherBook: ItemID
    let shop: SeededShop
    /// Of the production store.
    let ada: Account
    let grace: Account
    /// Of the sandbox, made by the first team.
    let tester: Account
    let settings: StorefrontSettings

    init(
        _ driver: StoreDriver, settings: StorefrontSettings = StorefrontSettings()
    ) async throws {
        database = try driver.install().open()
        self.settings = settings
        let shop = try await SeededShop(in: database)
        self.shop = shop
        let made = try await database.write { repositories in
            let items = repositories.items
            let other = try repositories.catalog.save(
                TeamDraft(name: "Other", hasPaidAgreement: true))
            func insert(
                _ kind: ItemKind, _ team: Int64, _ change: (inout ItemDetails) -> Void = { _ in }
            ) throws -> ItemID {
                var details = ItemDetails(
                    kind: kind, title: kind.title, genres: [Genre.root(of: kind).id],
                    prices: ItemPrices(own: ["USA": 990]))
                change(&details)
                let item = try items.insert(
                    details, id: details.app.map { ItemID(number: $0.number) }, of: team,
                    state: .onSale, at: SeededShop.date
                ).id
                if !kind.isCollection { try repositories.addFile(to: item) }
                return item
            }
            let team = shop.app.teamID
            let album = try insert(.album, team)
            let song = try insert(.song, team) { $0.parent = album }
            let book = try insert(.ebook, team)
            let app = try insert(.software, team) {
                $0.app = shop.app.id
                $0.bundleID = shop.app.bundleID.text
                $0.prices = .free
                $0.facts.version = "1.0"
            }
            func account(
                _ email: String, _ environment: StoreEnvironment
            ) throws -> Account {
                try repositories.accounts.insert(
                    AccountDraft(
                        environment: environment, email: email, passwordHash: "hash",
                        storefront: .unitedStates), at: SeededShop.date)
            }
            let tester = try account("tester@example.com", .sandbox)
            try repositories.testers.insert(
                TesterProfile(team: team, firstName: "", lastName: "", secret: nil),
                of: tester.id, at: SeededShop.date)
            return (
                other: other.id, items: [album, song, book, app, try insert(.ebook, other.id)],
                accounts: [
                    try account("ada.lovelace@example.com", .production),
                    try account("grace@example.com", .production), tester,
                ]
            )
        }
        team = shop.app.teamID
        otherTeam = made.other
        (album, song, book) = (made.items[0], made.items[1], made.items[2])
        (app, otherBook) = (made.items[3], made.items[4])
        (ada, grace, tester) = (made.accounts[0], made.accounts[1], made.accounts[2])
    }

    var sales: ItemSaleService { ItemSaleService(database: database, clock: clock) }
    var reviews: CustomerReviewService {
        CustomerReviewService(database: database, clock: clock, settings: settings)
    }
    var affiliates: AffiliateService {
        AffiliateService(database: database, clock: clock, makeToken: { "token123" })
    }

    func member(_ roles: ConnectRole...) -> ConnectActor {
        ConnectActor(
            kind: .person(PersonID(number: 1), email: "ada@example.com"), team: team,
            roles: Set(roles))
    }

    /// Somebody of the other team, who may whatever a team may.
    var stranger: ConnectActor {
        ConnectActor(
            kind: .person(PersonID(number: 2), email: "eve@example.com"), team: otherTeam,
            roles: [.accountHolder, .admin])
    }

    static let reviewer = ConnectActor(
        kind: .person(PersonID(number: 3), email: "rev@example.com"), team: nil,
        roles: [.reviewer])

    /// Buys at the price that there is.
    @discardableResult
    func buy(
        _ item: ItemID, by account: Account, referral: Referral = Referral()
    ) async throws -> ItemSale {
        let free = Money(thousandths: 0, currency: "USD")
        return try await sales.buy(
            item, expecting: item == app ? free : Self.price, by: account, referral: referral)
    }

    /// Another customer, of the production store unless said otherwise, who has an item.
    func customer(
        _ number: Int, with item: ItemID, in environment: StoreEnvironment = .production,
        storefront: Storefront = .unitedStates
    ) async throws -> Account {
        let date = clock.now()
        let account = try await database.write { repositories in
            let account = try repositories.accounts.insert(
                AccountDraft(
                    environment: environment, email: "customer\(number)@example.com",
                    passwordHash: "hash", storefront: storefront), at: date)
            _ = try repositories.itemSales.insert(
                ItemSaleDraft(
                    item: item, environment: environment, account: account.id,
                    storefront: storefront, price: Self.price, date: date))
            return account
        }
        return account
    }

    func change(
        _ settings: AccountSettings, of account: Account
    ) async throws {
        try await database.write { try $0.accounts.set(settings, of: account.id) }
    }

    /// All sales that there are of an item.
    func count(of item: ItemID) async throws -> Int {
        let page = try await database.read {
            try $0.itemSales.sales(of: nil, item: item, PageRequest(limit: 1000))
        }
        return page.items.count
    }

    func log() async throws -> [AuditEntry] {
        try await database.read { try $0.audit.entries(team: nil, before: nil, limit: 1000) }
            .reversed().map(\.entry)
    }
}

/// The refusal that a step ends with.
func refusal<Refusal: Error>(
    _: Refusal.Type, sourceLocation: SourceLocation = #_sourceLocation,
    _ step: () async throws -> Void
) async throws -> Refusal? {
    do {
        try await step()
        Issue.record("not refused", sourceLocation: sourceLocation)
        return nil
    } catch let refusal as Refusal {
        return refusal
    }
}
