import Foundation
@testable import StoreCore
import StoreModel
import StorePages
import StoreServer
import StoreTestSupport
import Testing

/// What customers see of their subscriptions, and what they do with them.
struct SubscriptionPageTests {
    private func subscription(_ shop: AccountShop, _ record: TransactionRecord) async throws
        -> Subscription?
    {
        try await shop.shop.shop.store.database.read {
            try $0.renewals.subscription(record.entry.original.id)
        }
    }

    @Test func `a subscription is cancelled and resumed after a question`() async throws {
        let shop = try await AccountShop()
        try await shop.shop.signIn()
        #expect(
            try await shop.shop.open("/us/account/subscriptions").words.contains(
                "Your subscriptions will appear here."))
        let record = try await shop.buy(SampleShop.monthly)
        let list = try await shop.shop.open("/us/account/subscriptions")
        for words in [
            "Pro monthly", "Sample shop", "Active", "Renews on 15 February 2027, for $4.99",
        ] {
            #expect(list.words.contains(words), "\(words)")
        }
        let path = shop.subscriptionPath(record)
        let page = try await shop.shop.open(path)
        #expect(page.words.contains("$4.99per month"))
        #expect(page.text.contains("\(path)/cancel"))
        #expect(!page.text.contains("\(path)/resume"))
        let question = try await shop.shop.open("\(path)/cancel")
        #expect(question.words.contains("You have it until 15 February 2027; then it ends."))
        #expect(try await subscription(shop, record)?.renews == true)
        let cancelled = try await shop.browser.submit(question, "yes")
        #expect(cancelled.url.hasSuffix(path))
        #expect(cancelled.words.contains("Ends on 15 February 2027"))
        #expect(try await subscription(shop, record)?.renews == false)
        // Done already: the page shows how it is.
        #expect(try await shop.shop.open("\(path)/cancel").url.hasSuffix(path))
        let resume = try await shop.shop.open("\(path)/resume")
        #expect(resume.words.contains("It is renewed on 15 February 2027, for $4.99"))
        let resumed = try await shop.browser.submit(resume, "yes")
        #expect(resumed.words.contains("Renews on 15 February 2027"))
        #expect(try await subscription(shop, record)?.renews == true)
        let order = try await shop.shop.open(shop.path(record))
        #expect(order.text.contains("href=\"\(path)\""))
    }

    @Test func `it goes on with another product of its group from the next period on`()
        async throws
    {
        let shop = try await AccountShop()
        try await shop.shop.signIn()
        let record = try await shop.buy(SampleShop.monthly)
        let path = shop.subscriptionPath(record)
        let page = try await shop.shop.open(path)
        #expect(page.words.contains("Pro yearly") && page.words.contains("$49.99 per year"))
        #expect(page.text.contains("\(path)/change?product=\(AccountShop.yearly)"))
        // One that the store has not approved is not sold, nor one that the country has not.
        try await shop.change(AccountShop.premium) { $0.state = .waitingForReview }
        #expect(!(try await shop.shop.open(path)).words.contains("Premium"))
        let change = "\(path)/change?product=\(AccountShop.premium)"
        #expect(try await shop.shop.open(change).status == 404)
        try await shop.change(AccountShop.premium) { $0.state = .approved }
        _ = try await shop.browser.submit(try await shop.shop.open("\(path)/cancel"), "yes")
        let question = try await shop.shop.open("\(path)/change?product=\(AccountShop.yearly)")
        #expect(
            question.words.contains("Pro yearly begins on 15 February 2027, for $49.99 per year."))
        #expect(question.words.contains("Until then you have Pro monthly."))
        let changed = try await shop.browser.submit(question, "yes")
        #expect(changed.words.contains("Renews on 15 February 2027 as Pro yearly, for $49.99"))
        #expect(try await subscription(shop, record)?.renews == true)
        #expect(changed.text.contains("\(path)/change?product=\(SampleShop.monthly)"))
        let back = try await shop.shop.open("\(path)/change?product=\(SampleShop.monthly)")
        #expect(back.words.contains("It goes on as Pro monthly on 15 February 2027"))
        for product in [SampleShop.credits, "com.example.shop.nothing", "", "<b>", "%00"] {
            let encoded = product.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
            #expect(
                try await shop.shop.open("\(path)/change?product=\(encoded)").status == 404,
                "\(product)")
            let sent = try await shop.browser.submit(back, "yes", ["product": product])
            #expect([400, 422].contains(sent.status), "\(product)")
        }
        #expect(
            try await subscription(shop, record)?.renewalProduct.text == AccountShop.yearly)
    }

    @Test func `a better product begins at once, for the price that its page shows`() async throws {
        let shop = try await AccountShop()
        try await shop.shop.signIn()
        let record = try await shop.buy(SampleShop.monthly)
        let path = shop.subscriptionPath(record)
        let change = "\(path)/change?product=\(AccountShop.premium)"
        let question = try await shop.shop.open(change)
        #expect(
            question.words.contains(
                "Premium begins now, for $9.99 per month, and renews until you cancel it."))
        #expect(
            question.words.contains(
                "You are charged $9.99 today. You get back what you paid for the rest of Pro monthly."
            ))
        try await shop.change(AccountShop.premium) { $0.prices = ["USA": 11_990] }
        let late = try await shop.browser.submit(question, "yes")
        #expect(late.status == 422 && late.words.contains("Nothing was charged"))
        #expect(try await subscription(shop, record)?.product.text == SampleShop.monthly)
        _ = try await shop.browser.submit(try await shop.shop.open(change), "yes")
        let upgraded = try #require(try await subscription(shop, record))
        #expect(upgraded.product.text == AccountShop.premium)
        #expect(upgraded.latest != record.id)
        let order = try await shop.shop.open(shop.path(record))
        // The clock stands, so all of it comes back.
        #expect(order.words.contains("$4.99 given back"))
        #expect(order.words.contains("before this period was over"))
        #expect(try await shop.shop.open("/us/account/orders").words.contains("$11.99"))
    }

    @Test func `failed payments, ends and refunds are told`() async throws {
        let shop = try await AccountShop(.sandbox)
        try await shop.shop.signIn()
        let record = try await shop.buy(SampleShop.monthly)
        let path = shop.subscriptionPath(record)
        try await shop.shop.shop.change { $0.paymentFailure = .all }
        try await shop.wait(300)
        let failed = try await shop.shop.open(path)
        #expect(failed.words.contains("Payment failed"))
        #expect(failed.words.contains("It returns as soon as a payment succeeds."))
        try await shop.shop.shop.change { $0.paymentFailure = .none }
        let ended = try await shop.browser.submit(
            try await shop.shop.open("\(path)/cancel"), "yes")
        #expect(ended.status == 200)
        try await shop.wait(86_400)
        try await shop.shop.signIn()
        let list = try await shop.shop.open("/us/account/subscriptions")
        #expect(list.words.contains("Ended"))
        let page = try await shop.shop.open(path)
        #expect(page.words.contains("To have it again, subscribe in the app."))
        #expect(!page.text.contains("\(path)/"))
        // A form of the same session changes nothing of what has ended.
        let form = try await shop.shop.open("/us/account")
        let late = try await shop.browser.submit(
            PageBrowser.Page(
                status: 200, headers: form.headers, text: form.text,
                url: shop.shop.url("\(path)/cancel")), "yes")
        #expect(late.status == 422 && late.words.contains("The subscription has ended"))
        let again = try await shop.buy(SampleShop.monthly)
        _ = try await shop.services.purchases.revoke(again.id, reason: .other)
        #expect(
            try await shop.shop.open(path).words.contains("It ended when you got your money back"))
    }

    @Test func `in a grace period the pages say what is charged at once`() async throws {
        let shop = try await AccountShop(.sandbox)
        try await shop.shop.shop.store.database.write {
            let app = try $0.sampleApp().id
            try $0.kept.insert(
                KeptResource(
                    id: String(app.number), kind: .subscriptionGracePeriods, app: app,
                    owner: .app(app), attributes: ["optIn": .flag(true)], links: [:],
                    created: Date(timeIntervalSince1970: 0)))
        }
        try await shop.shop.signIn()
        let record = try await shop.buy(SampleShop.monthly)
        let path = shop.subscriptionPath(record)
        try await shop.shop.shop.change { $0.paymentFailure = .all }
        try await shop.wait(300)
        let failed = try await shop.shop.open(path)
        #expect(failed.words.contains("Payment failed") && failed.words.contains("You go on until"))
        let change = "\(path)/change?product=\(AccountShop.yearly)"
        let changed = try await shop.shop.open(change)
        #expect(changed.words.contains("begins as soon as the payment goes through, for $49.99"))
        #expect(changed.words.contains("The next attempt charges you $49.99."))
        let cancel = try await shop.shop.open("\(path)/cancel")
        #expect(cancel.words.contains("You have it until 15 January 2027"))
        let cancelled = try await shop.browser.submit(cancel, "yes")
        #expect(cancelled.words.contains("Ends on 15 January 2027"))
        #expect(cancelled.words.contains("renewal is off, so the store does not try again."))
        #expect(try await shop.shop.open(change).words.contains("You are charged $49.99 today."))
        let resume = try await shop.shop.open("\(path)/resume")
        #expect(
            resume.words.contains("You are charged $4.99 today, and it renews until you cancel"))
        #expect(!resume.words.contains("Nothing is charged today."))
    }

    @Test func `who was asked about a higher price reads what follows`() async throws {
        let shop = try await AccountShop()
        try await shop.shop.signIn()
        let record = try await shop.buy(SampleShop.monthly)
        let path = shop.subscriptionPath(record)
        let order = record.entry.details
        _ = try await shop.services.offers.askConsent(
            PriceConsentDraft(
                account: order.account, app: order.app, productID: order.productID,
                currentPrice: order.unitPrice, newPrice: 6_990))
        let asked = try await shop.shop.open(path)
        #expect(
            asked.words.contains(
                "Ends on 15 February 2027, unless you agree to $6.99 in the app"))
        #expect(asked.words.contains("The app asks you whether you agree."))
        _ = try await shop.browser.submit(try await shop.shop.open("\(path)/cancel"), "yes")
        let resume = try await shop.shop.open("\(path)/resume")
        #expect(resume.words.contains("It is renewed on 15 February 2027, for $4.99"))
        #expect(
            resume.words.contains(
                "The price can go up to $6.99; by resuming you agree to that."))
        // One who has the page from before the question is shown the price first.
        let late = try await shop.browser.submit(resume, "yes", ["price": "4990 USD"])
        #expect(late.status == 422 && late.words.contains("The price is now 6.99 USD."))
        let resumed = try await shop.browser.submit(resume, "yes")
        #expect(resumed.words.contains("Renews on 15 February 2027, for $4.99"))
    }

    @Test func `subscriptions of others are not there, and forms of others change nothing`()
        async throws
    {
        let shop = try await AccountShop()
        try await shop.shop.signIn()
        let mine = try await shop.buy(SampleShop.monthly)
        try await shop.change(SampleShop.monthly) { $0.prices = ["USA": 4_990, "JPN": 500_000] }
        let other = try await shop.buy(SampleShop.monthly, by: TestStore.japanese)
        let (path, foreign) = (shop.subscriptionPath(mine), shop.subscriptionPath(other))
        for page in [foreign, "\(foreign)/cancel", "\(foreign)/resume", "\(path)/steal"] {
            #expect(try await shop.shop.open(page).status == 404, "\(page)")
        }
        let form = try await shop.shop.open("\(path)/cancel")
        let moved = PageBrowser.Page(
            status: 200, headers: form.headers, text: form.text,
            url: shop.shop.url("\(foreign)/cancel"))
        #expect(try await shop.browser.submit(moved, "yes").status == 404)
        for headers in [["Origin": "https://evil.example"], ["Origin": nil]] as [[String: String?]]
        {
            #expect(
                try await shop.browser.submit(form, "yes", headers: headers).status == 403)
        }
        #expect(try await shop.browser.submit(form, "yes", ["form": "x"]).status == 403)
        #expect(try await shop.browser.submit(form, "no").status == 400)
        for record in [mine, other] {
            #expect(try await subscription(shop, record)?.renews == true)
        }
        // Who has signed out meanwhile is asked who they are, and nothing is changed.
        let out = try await shop.shop.open("/us/account")
        _ = try await shop.browser.submit(out, "forget")
        let late = try await shop.browser.submit(form, "yes")
        #expect(late.status == 403 || late.words.contains("Sign in"))
        #expect(try await subscription(shop, mine)?.renews == true)
    }
}
