import Foundation
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Reviews, sales, affiliates and partners, as publishers and the store's staff see them.
struct StorefrontStaffPageTests {
    private let shop: TestStore
    private let team: Int64
    private let item: Item
    private let affiliate: Affiliate
    private let sale: ItemSale
    private let review: CustomerReview

    init() async throws {
        shop = try await TestStore(hasContent: false)
        let services = shop.store.services
        team = try await shop.store.database.read {
            try $0.sampleApp().teamID
        }
        let draft = try await services.items.create(
            ItemDetails(
                kind: .ebook, title: "The <i>Lighthouse</i>", genres: [9031],
                prices: ItemPrices(tier: "1")), state: .draft, of: team, by: .machine)
        try await shop.store.database.write { try $0.addFile(to: draft.id) }
        item = try await services.items.setState(.onSale, of: draft.id, by: .machine)
        affiliate = try await services.affiliates.create(
            name: "Blog & Co", email: "blog@example.com", basisPoints: 1000, token: "blog1",
            by: .machine)
        let customer = try await services.accounts.create(
            email: "reader@example.com", password: TestStore.password,
            storefront: .unitedStates, environment: .production)
        let price = try #require(item.details.prices.price(in: .unitedStates))
        sale = try await services.itemSales.buy(
            item.id, expecting: price, by: customer,
            referral: Referral(affiliateToken: "blog1", campaign: "=1+1"))
        review = try await services.customerReviews.write(
            ReviewDraft(
                rating: 2, title: "<b>Dark</b>", body: "It was <script>dark</script>.",
                nickname: "Reader"), on: item.id, by: customer)
    }

    private func publisher(_ role: ConnectRole = .admin) -> PortalClient {
        PortalClient(shop.store, roles: [role], team: .init(id: team, name: "Publisher"))
    }

    private func staff(_ role: ConnectRole) -> PortalClient {
        PortalClient(shop.store, roles: [role], team: nil)
    }

    @Test func `a publisher answers a review, and takes the answer back`() async throws {
        let portal = publisher(.customerSupport)
        let list = try await portal.open("/connect/customer-reviews")
        #expect(list.text.contains("&lt;b&gt;Dark&lt;/b&gt;"))
        #expect(!list.text.contains("<b>Dark"))
        let path = "/connect/customer-reviews/\(review.id)"
        let page = try await portal.open(path)
        #expect(!page.text.contains("<script>dark"))
        #expect(!page.text.contains("name=\"decision\""))
        let answered = try await portal.send(
            page, to: "\(path)/respond", ["responseBody": "Light\r\nis coming."])
        #expect(answered.location == path)
        let service = shop.store.services.customerReviews
        #expect(try await service.review(review.id, by: .machine).response == "Light\nis coming.")
        _ = try await portal.send(page, to: "\(path)/respond", ["responseBody": ""])
        #expect(try await service.review(review.id, by: .machine).response == nil)
        let long = try await portal.send(
            page, to: "\(path)/respond",
            ["responseBody": String(repeating: "x", count: 6001)])
        #expect(long.status == 422)
        #expect(try await portal.send(page, to: "\(path)/decide").status == 403)
        let other = PortalClient(shop.store, roles: [.admin], team: .init(id: 999, name: "Other"))
        #expect(try await other.open(path).status == 404)
    }

    @Test func `staff take an item down, and its publisher can't put it back`() async throws {
        let path = "/connect/items/\(sale.item)"
        #expect(!(try await publisher().open(path)).words.contains("Take Down"))
        let operators = staff(.operator)
        #expect(try await operators.open(path).words.contains("Take Down…"))
        let question = try await operators.open("\(path)/state?to=REMOVED")
        #expect(question.words.contains("Its publisher can’t put it back"))
        let takeDown = try await operators.send(
            question, to: "\(path)/state", ["state": "REMOVED"])
        #expect(takeDown.status == 303)
        let portal = publisher()
        let page = try await portal.open(path)
        #expect(page.words.contains("The store took it from sale."))
        #expect(!page.words.contains("Put Back on Sale"))
        let answer = try await portal.send(page, to: "\(path)/state", ["state": "ON_SALE"])
        #expect(answer.status == 422 && answer.text.contains("The store has taken the item"))
        let list = try await portal.open("/connect/items")
        #expect(list.words.contains("Taken Down"))
        let back = try await operators.open("\(path)/state?to=ON_SALE")
        let putBack = try await operators.send(back, to: "\(path)/state", ["state": "ON_SALE"])
        #expect(putBack.status == 303)
        #expect(!(try await portal.open(path)).words.contains("The store took it"))
    }

    @Test func `moderators reject with a reason, and publish again`() async throws {
        let portal = staff(.reviewer)
        let queue = try await portal.open("/connect/customer-reviews")
        #expect(queue.words.contains("Nothing waits"))
        let all = try await portal.open("/connect/customer-reviews?state=")
        #expect(all.text.contains("/connect/customer-reviews/\(review.id)"))
        let path = "/connect/customer-reviews/\(review.id)"
        let page = try await portal.open(path)
        for fields in [[:], ["decision": "reject"], ["decision": "perhaps"]] as [[String: String]] {
            let answer = try await portal.send(page, to: "\(path)/decide", fields)
            #expect(answer.status == 422, "\(fields)")
        }
        let service = shop.store.services.customerReviews
        #expect(try await service.review(review.id, by: .machine).state == .published)
        let rejected = try await portal.send(
            page, to: "\(path)/decide", ["decision": "reject", "reason": "Too dark."])
        #expect(rejected.status == 303)
        #expect(try await service.review(review.id, by: .machine).state == .rejected)
        // Its publisher sees it no longer.
        #expect(try await publisher().open(path).status == 404)
        _ = try await portal.send(page, to: "\(path)/decide", ["decision": "publish"])
        #expect(try await service.review(review.id, by: .machine).state == .published)
        #expect(try await portal.send(page, to: "\(path)/respond").status == 403)
    }

    @Test func `sales are listed without their buyers, and refunded by staff only`() async throws {
        let list = try await publisher(.finance).open("/connect/item-sales")
        #expect(list.words.contains("Sale \(sale.id)"))
        #expect(!list.text.contains("reader@example.com"))
        #expect(!list.text.contains("/refund\""))
        let path = "/connect/item-sales/\(sale.id)/refund"
        // Who may not see the list sees no sale of it either.
        #expect(try await publisher(.developer).open(path).status == 404)
        let portal = staff(.operator)
        #expect(try await portal.open("/connect/item-sales").text.contains(path))
        let question = try await portal.open(path)
        #expect(question.words.contains("back."))
        #expect(try await publisher().send(publisher().open("/connect/"), to: path).status == 403)
        let refunded = try await portal.send(question, to: path)
        #expect(refunded.status == 303)
        #expect(try await portal.send(question, to: path).status == 422)
        let after = try await portal.open("/connect/item-sales")
        #expect(after.words.contains("Refunded"))
    }

    @Test func `affiliates are made and changed, and their report is a page and a table`()
        async throws
    {
        let portal = staff(.operator)
        let form = try await portal.open("/connect/affiliates/new")
        let made = try await portal.send(
            form, to: "/connect/affiliates/new",
            ["name": "Radio", "email": "radio@example.com", "basisPoints": "2.5"])
        let path = try #require(made.location, "\(made.words)")
        for share in ["", "five", "100.01", "1.234", "-1"] {
            let answer = try await portal.send(
                form, to: "/connect/affiliates/new",
                ["name": "Radio", "email": "radio@example.com", "basisPoints": share])
            #expect(answer.status == 422, "\(share)")
        }
        let page = try await portal.open(path)
        #expect(page.text.contains("value=\"2.5\""))
        let changed = try await portal.send(
            page, to: path, ["name": "Radio", "email": "radio@example.com", "basisPoints": "3"])
        #expect(changed.status == 303)
        #expect(try await portal.open(path).words.contains("Not credited"))

        let report = try await portal.open("/connect/affiliates/report")
        #expect(report.text.contains("Blog &amp; Co"))
        let csv = try await portal.open("/connect/affiliates/report.csv")
        #expect(csv.headers["Content-Type"] == "text/csv; charset=utf-8")
        #expect(csv.text.contains("blog1"))
        // No spreadsheet computes what an affiliate has put into a link.
        #expect(!csv.text.contains(",=1+1"))
        #expect(
            try await portal.open("/connect/affiliates/report?from=2026-02-30").status == 422)
        #expect(
            try await portal.open("/connect/affiliates/report?from=2026-02-02&to=2026-02-01")
                .status == 422)
    }

    @Test func `a partner's password is shown once, and another one takes its place`()
        async throws
    {
        let portal = staff(.operator)
        let form = try await portal.open("/connect/feed-partners/new")
        let made = try await portal.send(
            form, to: "/connect/feed-partners/new", ["name": "Prices", "userName": "prices"])
        #expect(made.status == 200)
        let password = try #require(
            made.text.firstMatch(of: /data-copy>\s*([^<\s]+)/).map { String($0.1) })
        let list = try await portal.open("/connect/feed-partners")
        #expect(list.words.contains("prices"))
        #expect(!list.text.contains(password))
        let path = try #require(
            list.text.firstMatch(of: /\/connect\/feed-partners\/\d+/).map { String($0.0) })
        let page = try await portal.open(path)
        #expect(!page.text.contains(password))
        let renewed = try await portal.send(page, to: "\(path)/password")
        let other = try #require(
            renewed.text.firstMatch(of: /data-copy>\s*([^<\s]+)/).map { String($0.1) })
        #expect(other != password)
        let again = try await portal.send(
            form, to: "/connect/feed-partners/new", ["name": "Prices", "userName": "prices"])
        #expect(again.status == 422)
        let refused = try await portal.send(page, to: path, ["name": "Prices"])
        #expect(refused.status == 303)
        #expect(try await portal.open(path).words.contains("Refused"))
    }
}
