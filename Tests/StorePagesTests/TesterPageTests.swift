import Foundation
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// The pages about testers, as somebody in the portal uses them.
struct TesterPageTests {
    private let shop: TestStore
    private let team: Int64
    private let portal: PortalClient

    init() async throws {
        shop = try await TestStore(hasContent: false)
        team = try await shop.store.database.read {
            try $0.sampleApp().teamID
        }
        portal = PortalClient(
            shop.store, roles: [.developer], team: .init(id: team, name: "Publisher"))
    }

    private static let fields = [
        "firstName": "Tess", "lastName": "<b>Ter</b>", "email": "tess@example.com",
        "password": "correct-horse", "passwordAgain": "correct-horse",
        "secretQuestion": "First pet?", "secretAnswer": "Rex", "territory": "JPN",
    ]

    /// Makes a tester with the form, and gives the path of its page.
    private func make() async throws -> String {
        let form = try await portal.open("/connect/sandbox/new")
        let answer = try await portal.send(form, to: "/connect/sandbox/new", Self.fields)
        #expect(answer.status == 303)
        return try #require(answer.location)
    }

    private func tester() async throws -> Tester {
        let page = try await shop.store.services.testers.testers(
            includesConverted: true, PageRequest(limit: 1), by: .machine)
        return try #require(page.items.first)
    }

    /// Puts a purchase of the tester into the ledger.
    private func buy(_ number: Int) async throws -> LedgerEntry {
        let tester = try await tester()
        return try await shop.store.database.write { repositories in
            let app = try repositories.sampleApp()
            let price = Money(thousandths: 120_000, currency: "JPY")
            return try repositories.ledger.insert(
                LedgerDraft(
                    kind: .purchase, environment: .sandbox, account: tester.account, app: app.id,
                    bundleID: app.bundleID, productID: ProductID(SampleShop.badge)!,
                    productType: .nonConsumable, key: "purchase-key-\(1000 + number)",
                    device: "device", quantity: 1, unitPrice: price, charged: price,
                    storefront: tester.territory, original: nil, applicationUsername: nil,
                    date: Date(timeIntervalSince1970: 1_800_000_000)))
        }
    }

    @Test func `a tester is made with the form, and listed`() async throws {
        let path = try await make()
        let page = try await portal.open(path)
        #expect(page.status == 200)
        #expect(page.words.contains("Japan (JPY)"))
        #expect(page.text.contains("Tess &lt;b&gt;Ter&lt;/b&gt;"))
        #expect(!page.text.contains("<b>Ter"))
        #expect(!page.text.contains("Rex"))
        #expect(!page.text.contains("First pet?"))
        let list = try await portal.open("/connect/sandbox")
        #expect(list.words.contains("tess@example.com"))
        let none = try await portal.open("/connect/sandbox?search=nobody")
        #expect(none.words.contains("No tester is called so"))
    }

    @Test func `what was typed comes back with what was wrong, but for the password`()
        async throws
    {
        let form = try await portal.open("/connect/sandbox/new")
        for (field, value, sentence) in [
            ("email", "tess", "is not an email address. Give one such as ada@example.com."),
            ("passwordAgain", "other-horse", "The two passwords differ."),
            ("territory", "XYZ", "There is no such territory."),
            ("secretAnswer", " ", "There is no answer."),
        ] as [(String, String, String)] {
            var fields = Self.fields
            fields[field] = value
            let answer = try await portal.send(form, to: "/connect/sandbox/new", fields)
            #expect(answer.status == 422)
            #expect(answer.words.contains(sentence), "\(field)")
            #expect(answer.text.contains("aria-describedby=\"field-\(field)"), "\(field)")
            #expect(answer.text.contains("value=\"Tess\""))
            #expect(!answer.text.contains("correct-horse"))
        }
        let all = try await shop.store.services.testers.testers(
            PageRequest(limit: 9), by: .machine)
        #expect(all.items.isEmpty)
    }

    @Test func `settings and failing payments are changed with buttons`() async throws {
        let path = try await make()
        var page = try await portal.open(path)
        let saved = try await portal.send(
            page, to: path,
            [
                "territory": "USA", "askToBuy": "true",
                "subscriptionRenewalRate": "MONTHLY_RENEWAL_EVERY_ONE_HOUR",
            ])
        #expect(saved.status == 303)
        var tester = try await tester()
        #expect(tester.territory.code == "USA")
        #expect(tester.settings.asksToBuy)
        #expect(!tester.settings.interruptsPurchases)
        #expect(tester.renewalRate == .oneHour)
        page = try await portal.open(path)
        for failure in [PaymentFailure.next, .all, .none] {
            let answer = try await portal.send(
                page, to: "\(path)/payments", ["paymentFailure": failure.rawValue])
            #expect(answer.status == 303)
            tester = try await self.tester()
            #expect(tester.settings.paymentFailure == failure)
        }
        let wrong = try await portal.send(
            page, to: "\(path)/payments", ["paymentFailure": "sometimes"])
        #expect(wrong.status == 422)
        #expect(wrong.words.contains("Choose none, next or all."))
        // The settings, which were not sent, are shown as they are kept.
        #expect(wrong.text.contains("value=\"USA\" selected"))
        #expect(wrong.text.contains("value=\"MONTHLY_RENEWAL_EVERY_ONE_HOUR\" selected"))
        #expect(wrong.text.matches(of: /\schecked/).count == 1)
    }

    @Test func `purchases are shown, and refunded with a button`() async throws {
        let path = try await make()
        let entry = try await buy(1)
        let page = try await portal.open(path)
        #expect(page.words.contains(SampleShop.badge))
        #expect(page.words.contains("¥120"))
        #expect(page.words.contains("Unfinished"))
        let fields = ["transaction": entry.id.description]
        let refunded = try await portal.send(page, to: "\(path)/refund", fields)
        #expect(refunded.status == 303)
        let after = try await portal.open(path)
        #expect(after.words.contains("Refunded"))
        #expect(!after.text.contains("value=\"\(entry.id)\""))
        let again = try await portal.send(page, to: "\(path)/refund", fields)
        #expect(again.status == 422)
        #expect(again.words.contains("was taken back already"))
        for wrong in ["", "abc", "1"] {
            let answer = try await portal.send(
                page, to: "\(path)/refund", ["transaction": wrong])
            #expect(answer.status == 404, "\(wrong)")
        }
    }

    @Test func `what waits is let through with a button`() async throws {
        let path = try await make()
        let tester = try await tester()
        let pending = try await shop.store.database.write { repositories in
            let app = try repositories.sampleApp()
            let price = Money(thousandths: 120_000, currency: "JPY")
            return try repositories.pending.insert(
                LedgerDraft(
                    kind: .purchase, environment: .sandbox, account: tester.account, app: app.id,
                    bundleID: app.bundleID, productID: ProductID(SampleShop.credits)!,
                    productType: .consumable, key: "purchase-key-2001", device: "device",
                    quantity: 2, unitPrice: price, charged: price, storefront: tester.territory,
                    original: nil, applicationUsername: nil, date: Date()), kind: .approval)
        }
        let page = try await portal.open(path)
        #expect(page.words.contains("Waiting for you"))
        #expect(page.words.contains("Ask to Buy"))
        let answer = try await portal.send(
            page, to: "\(path)/decide",
            ["purchase": pending.id.description, "decision": "approved"])
        #expect(answer.status == 303)
        let after = try await portal.open(path)
        #expect(!after.words.contains("Waiting for you"))
        #expect(after.words.contains(SampleShop.credits))
        let wrong = try await portal.send(
            after, to: "\(path)/decide",
            ["purchase": pending.id.description, "decision": "perhaps"])
        #expect(wrong.status == 404)
    }

    @Test func `clearing and deleting ask first`() async throws {
        let path = try await make()
        _ = try await buy(1)
        let question = try await portal.open("\(path)/clear")
        #expect(question.words.contains("It can&#39;t be undone."))
        #expect(try await tester().clearingDate == nil)
        let cleared = try await portal.send(question, to: "\(path)/clear")
        #expect(cleared.location == path)
        #expect(try await tester().clearingDate != nil)
        #expect(try await portal.open(path).words.contains("Cleared"))

        let last = try await portal.open("\(path)/delete")
        #expect(last.words.contains("The address can&#39;t be used for another tester, ever."))
        let deleted = try await portal.send(last, to: "\(path)/delete")
        #expect(deleted.location?.hasPrefix("/connect/sandbox") == true)
        #expect(try await portal.open(path).status == 404)
        #expect(try await portal.open("/connect/sandbox").words.contains("No testers yet"))
    }

    @Test func `a converted tester can only be deleted`() async throws {
        let path = try await make()
        _ = try await shop.store.services.accounts.authenticate(
            email: "tess@example.com", password: "correct-horse", environment: .production,
            mayConvert: true)
        let page = try await portal.open(path)
        #expect(page.words.contains("It is a real account now"))
        #expect(page.text.contains("\(path)/delete"))
        #expect(!page.text.contains("\(path)/clear"))
        #expect(!page.text.contains("\(path)/payments"))
        let answer = try await portal.send(
            try await portal.open("\(path)/delete"), to: "\(path)/payments",
            ["paymentFailure": "all"])
        #expect(answer.status == 422)
        #expect(answer.text.contains("role=\"alert\""))
        let settings = try await portal.send(
            try await portal.open("\(path)/delete"), to: path,
            [
                "territory": "USA",
                "subscriptionRenewalRate": "MONTHLY_RENEWAL_EVERY_ONE_HOUR",
            ])
        #expect(settings.status == 422)
        #expect(settings.text.contains("role=\"alert\""))
    }

    @Test func `another team's tester is not there`() async throws {
        let path = try await make()
        let other = try await shop.store.database.write {
            try $0.catalog.save(TeamDraft(name: "Other", hasPaidAgreement: true))
        }
        let stranger = PortalClient(
            shop.store, roles: [.admin], team: .init(id: other.id, name: "Other"))
        let form = try await stranger.open("/connect/sandbox/new")
        for page in ["", "/clear", "/delete"] {
            #expect(try await stranger.open(path + page).status == 404)
        }
        for action in ["", "/payments", "/refund", "/decide", "/clear", "/delete"] {
            let answer = try await stranger.send(
                form, to: path + action,
                [
                    "paymentFailure": "all", "transaction": "1", "purchase": "1",
                    "decision": "approved", "territory": "USA",
                    "subscriptionRenewalRate": "MONTHLY_RENEWAL_EVERY_ONE_HOUR",
                ])
            #expect(answer.status == 404, "\(action)")
        }
        #expect(try await tester().territory.code == "JPN")
    }
}
