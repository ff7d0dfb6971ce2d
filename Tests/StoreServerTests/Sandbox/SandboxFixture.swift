import Foundation
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// A store with the sample shop, whose publisher makes testers.
final class SandboxFixture: Sendable {
    let shop: TestStore
    let clock = SettableClock()
    let app: App
    let otherTeam: Team

    init() async throws {
        shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
        (app, otherTeam) = try await shop.store.database.write { repositories in
            (
                try repositories.sampleApp(),
                try repositories.catalog.save(TeamDraft(name: "Other", hasPaidAgreement: true))
            )
        }
    }

    var testers: TesterService { shop.store.services.testers }
    var purchases: TesterPurchaseService { shop.store.services.testerPurchases }
    var accounts: AccountService { shop.store.services.accounts }

    /// Somebody of the team that the shop's app belongs to.
    func actor(_ roles: Set<ConnectRole> = [.developer], team: Int64? = nil) -> ConnectActor {
        ConnectActor(
            kind: .person(PersonID(number: 1), email: "dev@example.com"), team: team ?? app.teamID,
            roles: roles)
    }

    /// Somebody of a team that has nothing to do with the shop's.
    var stranger: ConnectActor { actor([.accountHolder], team: otherTeam.id) }

    static func draft(_ email: String = "tess@example.com") -> TesterDraft {
        TesterDraft(
            firstName: "Tess", lastName: "Ter", email: email, password: TestStore.password,
            secretQuestion: "First pet?", secretAnswer: "Rex", territory: .unitedStates)
    }

    func makeTester(_ email: String = "tess@example.com") async throws -> Tester {
        try await testers.create(Self.draft(email), by: actor())
    }

    /// Buys in the sample shop's app.
    func buy(
        _ key: Int, _ product: String = SampleShop.badge, price: Int64 = 990, quantity: Int = 1,
        by account: AccountID, device: String = "device-1"
    ) async throws -> Result<PurchaseService.Outcome, PurchaseRefusal> {
        let buyer = try #require(
            try await shop.store.database.read { try $0.accounts.account(account) })
        let catalog = try await shop.store.sampleCatalog()
        return try await shop.store.services.purchases.buy(
            PurchaseOrder(
                key: PurchaseKey("purchase-key-\(1000 + key)")!, productID: product,
                quantity: quantity,
                confirmedPrice: Money(thousandths: price, currency: buyer.storefront.currency),
                applicationUsername: nil, device: device),
            by: buyer,
            profile: ProfileClaim(
                bundleID: SampleShop.bundleID,
                applicationIdentifier: ApplicationIdentifier(SampleShop.bundleID),
                environment: buyer.environment, allowsInAppPurchase: true,
                generation: catalog.app.generation), catalog: catalog)
    }

    func sold(
        _ key: Int, _ product: String = SampleShop.badge, price: Int64 = 990, quantity: Int = 1,
        by account: AccountID
    ) async throws -> LedgerEntry {
        let outcome = try await buy(key, product, price: price, quantity: quantity, by: account)
        guard case .success(.sold(let sale)) = outcome else {
            throw Unexpected(what: "\(outcome)")
        }
        return sale.entry
    }

    /// Everything that a step could change, to see that nothing has changed.
    func picture() async throws -> [String] {
        try await shop.store.database.read { repositories in
            var lines = try repositories.testers.testers(
                of: nil, matching: "", includesConverted: true, PageRequest(limit: 100)
            ).items.map { "\($0)" }
            for email in ["tess@example.com", TestStore.american] {
                guard let account = try repositories.accounts.account(email: email, in: .sandbox)
                else { continue }
                let apps = try repositories.catalog.apps()
                for app in apps {
                    lines += try repositories.ledger.entries(account: account.id, app: app.id)
                        .map { "\($0)" }
                    lines += try repositories.ledger.revocations(account: account.id, app: app.id)
                        .map { "\($0)" }
                }
            }
            lines += try repositories.pending.undecided().map { "\($0)" }
            lines += try repositories.audit.entries(team: nil, before: nil, limit: 1000)
                .map { "\($0.number)" }
            return lines
        }
    }

    /// The rule that refuses what is done; nothing changes by it.
    func rule(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async throws -> String? {
        let before = try await picture()
        do {
            try await body()
            return nil
        } catch let refusal as ConnectRefusal {
            #expect(try await picture() == before, sourceLocation: sourceLocation)
            return refusal.rule
        }
    }

    /// What the audit log has about testers and purchases, the first entry first.
    func actions() async throws -> [String] {
        try await shop.store.database.read { repositories in
            try repositories.audit.entries(team: nil, before: nil, limit: 100)
                .reversed().map { "\($0.entry.action) \($0.entry.subject)" }
                .filter { $0.hasPrefix("tester.") || $0.hasPrefix("purchase.") }
        }
    }
}

struct Unexpected: Error {
    let what: String
}
