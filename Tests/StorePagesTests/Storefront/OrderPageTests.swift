import Foundation
import StoreCore
import StoreModel
import StorePages
import StoreServer
import StoreTestSupport
import Testing

/// What customers see of what they bought in apps, and how they ask for their money back.
struct OrderPageTests {
    @Test(arguments: StoreEnvironment.allCases)
    func `what was bought in apps stands on the account's page and in a list of its own`(
        environment: StoreEnvironment
    ) async throws {
        let shop = try await AccountShop(environment)
        try await shop.shop.signIn()
        #expect(
            try await shop.shop.open("/us/account").words.contains(
                "Your purchases will appear here."))
        #expect(
            try await shop.shop.open("/us/account/orders").words.contains(
                "Your purchases in apps will appear here."))
        var records: [TransactionRecord] = []
        for number in 1...27 {
            records.append(
                try await shop.buy(SampleShop.credits, quantity: number == 27 ? 3 : 1))
            shop.clock.advance(by: 1)
        }
        let last = try #require(records.last)
        let account = try await shop.shop.open("/us/account")
        for words in ["Credits × 3", "Sample shop", "$2.97", "Order \(OrderID(last.id))"] {
            #expect(account.words.contains(words), "\(words)")
        }
        #expect(account.text.matches(of: /class="row"/).count == 6)
        #expect(account.words.contains("See All"))
        let first = try await shop.shop.open("/us/account/orders")
        #expect(first.text.matches(of: /class="row"/).count == 25)
        let next = try #require(first.text.firstMatch(of: /orders\?cursor=(\d+)/)).1
        let second = try await shop.shop.get("/us/account/orders?cursor=\(next)")
        // Without cookies one is asked who one is, and led back.
        #expect(second.status == 303)
        #expect(
            second.headers["Location"]
                == "\(environment.pathPrefix)/us/account?next="
                + "\(environment.pathPrefix)/us/account/orders?cursor=\(next)"
                .addingPercentEncoding(
                    withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~")))!)
        let rest = try await shop.shop.open("/us/account/orders?cursor=\(next)")
        #expect(rest.text.matches(of: /class="row"/).count == 2)
        #expect(!rest.words.contains("Older Purchases"))
        for cursor in ["x", "1e9", "%3Cb%3E", "99999999999999999999"] {
            #expect(
                try await shop.shop.open("/us/account/orders?cursor=\(cursor)").status == 404,
                "\(cursor)")
        }
    }

    @Test func `an order is read in the customer's language and money`() async throws {
        let shop = try await AccountShop()
        try await shop.shop.signIn(TestStore.japanese)
        try await shop.change(SampleShop.credits) { $0.prices = ["JPN": 150_000] }
        let record = try await shop.buy(SampleShop.credits, by: TestStore.japanese)
        let page = try await shop.shop.open(shop.path(record))
        #expect(page.status == 200)
        #expect(page.words.contains("クレジット"))
        #expect(page.words.contains("¥150") || page.words.contains("￥150"))
        #expect(page.words.contains("In-app purchase"))
        // As it may be typed from a receipt.
        let small = "/us/account/orders/\(OrderID(record.id).description.lowercased())"
        #expect(try await shop.shop.open(small).words.contains("クレジット"))
    }

    @Test func `a refund is asked for, waited for and given`() async throws {
        let shop = try await AccountShop()
        try await shop.shop.signIn()
        let record = try await shop.buy(SampleShop.chapter)
        let before = try await shop.shop.open(shop.path(record))
        #expect(before.words.contains("Request a Refund"))
        let form = try await shop.shop.open(shop.path(record) + "/refund")
        for reason in RefundReason.allCases { #expect(form.words.contains(reason.title)) }
        let asked = try await shop.ask(record, .unsatisfied, "Too short.\r\nReally.")
        #expect(asked.url.hasSuffix(shop.path(record)))
        for words in [
            "You asked for a refund", RefundReason.unsatisfied.title, "Too short.\nReally.",
            "by 15 January 2027, 20:00 UTC at the latest",
        ] {
            #expect(asked.words.contains(words), "\(words)")
        }
        #expect(!asked.words.contains("Request a Refund"))
        #expect(try await shop.shop.open("/us/account").words.contains("Refund asked for"))
        let again = try await shop.shop.open(shop.path(record) + "/refund")
        #expect(again.words.contains(RefundRefusal.waiting.description))
        #expect(!again.buttons.contains("ask"))
        // The form that was shown before asks for nothing more.
        let late = try await shop.browser.submit(form, "ask", ["reason": "OTHER"])
        #expect(late.status == 422 && late.words.contains(RefundRefusal.waiting.description))
        try await shop.wait(RefundRules.answerTime)
        try await shop.shop.signIn()
        let given = try await shop.shop.open(shop.path(record))
        #expect(given.words.contains("$1.99 given back"))
        #expect(given.words.contains("the publisher does not object"))
        #expect(!given.words.contains("Request a Refund"))
        let orders = try await shop.shop.open("/us/account/orders").text
        #expect(orders.contains("<span class=\"mark\">Refunded</span>"))
    }

    @Test func `a decision is told with its grounds, and what is not used of a period`()
        async throws
    {
        let shop = try await AccountShop(.sandbox)
        try await shop.shop.signIn()
        let credits = try await shop.buy(SampleShop.credits)
        #expect(try await shop.ask(credits).words.contains("The store decides"))
        try await shop.inform(credits, .decline)
        let declined = try await shop.shop.open(shop.path(credits))
        #expect(declined.words.contains("Declined"))
        #expect(declined.words.contains("The publisher has delivered it, and declines."))
        #expect(declined.words.contains("Ask Again"))
        // The store gives it back all the same.
        _ = try await shop.services.purchases.revoke(credits.id, reason: .other)
        let given = try await shop.shop.open(shop.path(credits))
        #expect(given.words.contains("Declined") && given.words.contains("given back"))
        let monthly = try await shop.buy(SampleShop.monthly)
        // A tester's month lasts five minutes.
        shop.clock.advance(by: 225)
        _ = try await shop.ask(monthly)
        try await shop.inform(monthly, .prorated)
        let part = try await shop.shop.open(shop.path(monthly))
        #expect(part.words.contains("$1.25 given back"))
        #expect(part.words.contains("for the part that was not used"))
        _ = try await shop.services.refunds.reverse(monthly.id)
        let reversed = try await shop.shop.open(shop.path(monthly))
        #expect(reversed.words.contains("The refund was taken back"))
        #expect(!reversed.words.contains("Request a Refund"))
        #expect(
            try await shop.shop.open(shop.path(monthly) + "/refund").words.contains(
                RefundRefusal.reversed.description))
    }

    @Test func `a form that says too little or too much comes back with what was typed`()
        async throws
    {
        let shop = try await AccountShop()
        try await shop.shop.signIn()
        let record = try await shop.buy(SampleShop.chapter)
        let none = try await shop.ask(record, nil, "Because")
        #expect(none.status == 422 && none.words.contains("Choose a reason."))
        #expect(none.words.contains("Because"))
        let form = try await shop.shop.open(shop.path(record) + "/refund")
        let other = try await shop.browser.submit(form, "ask", ["reason": "MOOD"])
        #expect(other.status == 422)
        let long = String(repeating: "é", count: RefundRules.commentLimit + 1)
        let much = try await shop.ask(record, .legal, long)
        #expect(much.status == 422)
        #expect(much.words.contains(RefundRefusal.commentTooLong.description))
        #expect(much.text.contains("value=\"LEGAL\" required checked"))
        #expect(try await shop.browser.submit(form, "steal").status == 400)
        #expect(
            try await shop.shop.open(shop.path(record)).words.contains("Request a Refund"))
        // As much as there may be is taken.
        let most = try await shop.ask(record, .legal, String(long.dropLast()))
        #expect(most.words.contains("You asked for a refund"))
    }

    @Test func `orders of others, and what names none, are not there`() async throws {
        let shop = try await AccountShop()
        try await shop.shop.signIn()
        let mine = try await shop.buy(SampleShop.chapter)
        let record = try await shop.buy(SampleShop.credits, by: TestStore.japanese)
        let form = try await shop.shop.open(shop.path(mine) + "/refund")
        #expect(form.buttons.contains("ask"))
        let own = shop.path(record)
        for path in [
            own, "\(own)/refund", "/us/account/orders/M0000000000", "/us/account/orders/M",
            "/us/account/orders/\(record.id)", "/us/account/orders/M0000000000/refund",
            "/us/account/orders/%3Cb%3E", "/us/account/orders/MAAAAAAAAAA",
            "/us/account/subscriptions/\(OrderID(record.id))",
        ] {
            let page = try await shop.shop.open(path)
            #expect(page.status == 404, "\(path)")
            #expect(!page.words.contains("Credits"), "\(path)")
        }
        let sent = try await shop.browser.submit(
            PageBrowser.Page(
                status: 200, headers: form.headers, text: form.text,
                url: shop.shop.url("\(own)/refund")), "ask", ["reason": "OTHER"])
        #expect(sent.status == 404)
        let requests = try await shop.services.refunds.requests(
            team: nil, waiting: false, limit: 10)
        #expect(requests.isEmpty)
        // An order of the other environment is none here.
        let sandbox = try await shop.shop.browser.open(
            shop.shop.shop.server.address + "/sandbox\(shop.path(mine))")
        #expect(!sandbox.words.contains(OrderID(mine.id).description))
    }

    @Test func `forms of others ask for nothing`() async throws {
        let shop = try await AccountShop()
        try await shop.shop.signIn()
        let record = try await shop.buy(SampleShop.chapter)
        let page = try await shop.shop.open(shop.path(record) + "/refund")
        let own = "http://127.0.0.1:\(shop.shop.shop.server.port)"
        for (fields, headers) in [
            (["form": nil], [:]), (["form": "x"], [:]), ([:], ["Origin": "https://evil.example"]),
            ([:], ["Origin": "null"]), ([:], ["Origin": nil]),
            ([:], ["Origin": own, "Sec-Fetch-Site": "cross-site"]),
        ] as [([String: String?], [String: String?])] {
            var fields = fields
            fields["reason"] = "OTHER"
            let refused = try await shop.browser.submit(page, "ask", fields, headers: headers)
            #expect(refused.status == 403, "\(fields) \(headers)")
        }
        let requests = try await shop.services.refunds.requests(
            team: nil, waiting: false, limit: 10)
        #expect(requests.isEmpty)
    }

    @Test func `what customers and publishers type does not become markup`() async throws {
        let shop = try await AccountShop()
        try await shop.shop.signIn()
        for text in HostileStrings.all {
            try await shop.change(SampleShop.credits) { product in
                product.texts = ["en_US": ProductText(title: text, description: text)]
            }
            let record = try await shop.buy(SampleShop.credits)
            let page = try await shop.ask(record, .other, text)
            let shown = text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(page.status == 200, "\(text)")
            if shown.unicodeScalars.allSatisfy({
                $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
            }) {
                #expect(page.words.contains(shown), "\(text)")
            }
            for path in ["/us/account", shop.path(record), shop.path(record) + "/refund"] {
                let elements = try StrictMarkup(try await shop.shop.open(path).text).elements
                for element in elements {
                    #expect(
                        !element.attributes.keys.contains { $0.hasPrefix("on") || $0 == "style" },
                        "\(text)")
                }
                #expect(!elements.contains { $0.name == "script" })
            }
        }
    }
}
