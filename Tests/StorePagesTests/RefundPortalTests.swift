import Foundation
import StoreAPI
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Requests for refunds, as publishers and the store's staff see them.
struct RefundPortalTests {
    private static let customer = "mara@example.com"

    private let shop: AccountShop
    private let team: Int64

    init() async throws {
        shop = try await AccountShop()
        _ = try await shop.services.accounts.create(
            email: Self.customer, password: TestStore.password, storefront: .unitedStates,
            environment: .production)
        team = try await shop.shop.shop.store.database.read {
            try $0.sampleApp().teamID
        }
    }

    private func publisher(_ role: ConnectRole = .customerSupport) -> PortalClient {
        PortalClient(
            shop.shop.shop.store, roles: [role], team: .init(id: team, name: "Publisher"))
    }

    private var staff: PortalClient {
        PortalClient(shop.shop.shop.store, roles: [.operator], team: nil)
    }

    private func request(
        _ product: String = SampleShop.credits, _ comment: String = "It broke <b>twice</b>."
    ) async throws -> RefundRequest {
        let record = try await shop.buy(product, by: Self.customer)
        return try await shop.services.refunds.ask(
            record.id, of: nil, reason: .fulfillment, comment: comment
        ).get()
    }

    @Test func `a publisher reads the reason and what their server said, not who asks`()
        async throws
    {
        let request = try await request()
        let path = "/connect/refunds/\(request.id)"
        let portal = publisher()
        let list = try await portal.open("/connect/refunds")
        for words in ["Credits", "Sample shop", RefundReason.fulfillment.title, "Waiting"] {
            #expect(list.words.contains(words), "\(words)")
        }
        #expect(list.text.contains("href=\"\(path)\""))
        let page = try await portal.open(path)
        #expect(page.words.contains(request.transaction.description))
        #expect(page.words.contains("CONSUMPTION_REQUEST"))
        for secret in [Self.customer, "twice"] {
            #expect(!page.text.contains(secret) && !list.text.contains(secret), "\(secret)")
        }
        #expect(!page.text.contains("name=\"decision\""))
        for step in ["decide", "reverse"] {
            let sent = try await portal.send(page, to: "\(path)/\(step)", ["decision": "refund"])
            #expect(sent.status == 403, "\(step)")
        }
        let record = try #require(
            try await shop.shop.shop.store.database.read {
                try $0.transactions.record(request.transaction)
            })
        try await shop.inform(record, .decline, consumed: 62_500)
        let told = try await portal.open(path)
        for words in ["62.5 %", "Delivered", "Decline", "Declined", "delivered it, and declines"] {
            #expect(told.words.contains(words), "\(words)")
        }
    }

    @Test func `staff decides with a sentence, once, and takes a refund back`() async throws {
        let request = try await request()
        let path = "/connect/refunds/\(request.id)"
        let page = try await staff.open(path)
        #expect(page.words.contains(Self.customer))
        #expect(page.text.contains("It broke &lt;b&gt;twice&lt;/b&gt;."))
        let missing: [[String: String]] = [
            [:], ["decision": "refund"], ["decision": "maybe", "grounds": "So."],
            ["decision": "refund", "grounds": String(repeating: "x", count: 501)],
            ["decision": "refund", "grounds": "a\u{1}b"],
        ]
        for fields in missing {
            let answer = try await staff.send(page, to: "\(path)/decide", fields)
            #expect(answer.status == 422, "\(fields)")
        }
        #expect(try await shop.services.refunds.request(request.id)?.decision == nil)
        #expect(try await staff.open("\(path)/reverse").status == 422)
        #expect(try await staff.send(page, to: "\(path)/reverse").status == 422)
        let decided = try await staff.send(
            page, to: "\(path)/decide",
            ["decision": "refund", "grounds": "It did break, we have seen it."])
        #expect(decided.location == path)
        let after = try await staff.open(path)
        #expect(after.words.contains("It did break, we have seen it."))
        #expect(after.words.contains("$0.99"))
        #expect(after.text.contains("<span class=\"badge plain\">Refunded</span>"))
        #expect(after.text.contains("\(path)/reverse"))
        let twice = try await staff.send(
            page, to: "\(path)/decide", ["decision": "decline", "grounds": "No."])
        #expect(twice.status == 422 && twice.words.contains("decided already"))
        let question = try await staff.open("\(path)/reverse")
        #expect(question.words.contains("It can’t be refunded a second time."))
        let reversed = try await staff.send(question, to: "\(path)/reverse")
        #expect(reversed.location == path)
        let last = try await staff.open(path)
        #expect(last.words.contains("Reversed"))
        #expect(!last.text.contains("\(path)/reverse"))
        #expect(try await staff.send(question, to: "\(path)/reverse").status == 422)
        let log = try await shop.services.people.audit.entries(
            of: team, limit: 10, by: .machine)
        #expect(log.map(\.entry.action).prefix(2) == ["refund.reverse", "refund.grant"])
        #expect(log.allSatisfy { !$0.entry.subject.contains(Self.customer) })
    }

    @Test func `the list is narrowed, and another team has none of it`() async throws {
        let waiting = try await request()
        let decided = try await request(SampleShop.badge)
        try await shop.services.refunds.decide(decided.id, .declined, grounds: "No.")
        func shown(_ query: String, _ portal: PortalClient) async throws -> [Bool] {
            let page = try await portal.open("/connect/refunds\(query)")
            #expect(page.status == 200, "\(query)")
            return [waiting, decided].map { page.text.contains("/connect/refunds/\($0.id)\"") }
        }
        let portal = publisher(.finance)
        #expect(try await shown("", portal) == [true, true])
        let list = try await portal.open("/connect/refunds").text
        #expect(list.contains("<span class=\"badge bad\">Declined</span>"))
        #expect(try await shown("?state=waiting", portal) == [true, false])
        #expect(try await shown("?state=decided", portal) == [false, true])
        #expect(try await shown("?environment=sandbox", portal) == [false, false])
        #expect(try await shown("?environment=production&state=x", portal) == [true, true])
        #expect(try await shown("?page=\(decided.id)", portal) == [true, false])
        #expect(try await portal.open("/connect/refunds?app=999").status == 404)
        #expect(try await portal.open("/connect/refunds?page=x").status == 422)
        let other = try await shop.shop.shop.store.database.write {
            try $0.catalog.save(TeamDraft(name: "Other", hasPaidAgreement: true))
        }
        let stranger = PortalClient(
            shop.shop.shop.store, roles: [.admin], team: .init(id: other.id, name: "Other"))
        #expect(try await stranger.open("/connect/refunds").words.contains("No requests"))
        for id in ["\(waiting.id)", "999", "x", "%00"] {
            #expect(try await stranger.open("/connect/refunds/\(id)").status == 404, "\(id)")
        }
    }

    @Test func `what customers type does not become markup`() async throws {
        for text in HostileStrings.all {
            let request = try await request(SampleShop.credits, text)
            let page = try await staff.open("/connect/refunds/\(request.id)")
            #expect(page.status == 200)
            let elements = try StrictMarkup(page.text).elements
            #expect(
                !elements.contains { element in
                    element.attributes.keys.contains { $0.hasPrefix("on") || $0 == "style" }
                }, "\(text)")
            // The one that the layout has.
            #expect(elements.filter { $0.name == "script" }.count <= 1, "\(text)")
        }
    }
}
