import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Questions from the app's device to the customer's page and back, over sockets.
struct PromptFlowTests {
    @Test(arguments: StoreEnvironment.allCases)
    func `signing in on the page gives the device a session once`(
        environment: StoreEnvironment
    ) async throws {
        let shop = try await TestStore(hasContent: false, isApproved: true)
        var client = try await PromptClient(shop, environment: environment)
        let prompt = try await client.ask(.signIn(email: nil))
        #expect(prompt.url.hasPrefix("\(shop.server.address)\(environment.pathPrefix)/prompts/"))
        #expect(try await client.state(prompt).state == .pending)

        let page = try await client.page(prompt)
        #expect(page.words.contains("Sample shop wants to sign you in"))
        #expect(page.words.contains("[Environment: Sandbox]") == (environment == .sandbox))
        let done = try await client.browser.submit(
            page, "signIn",
            ["email": " Haruki@Example.com ", "password": TestStore.password])
        #expect(done.status == 200)
        #expect(done.words.contains("Signed In"))

        let answer = try await client.state(prompt)
        let session = try #require(answer.session)
        #expect(answer.state == .signedIn)
        #expect(session.email == TestStore.japanese)
        #expect(session.storefront == "JPN")
        #expect(try await client.state(prompt) == PromptStateAnswer(state: .collected))
        // The session is one of the account.
        client.token = session.token
        #expect(try await client.send("GET", DeviceRoute.unfinished).status == 200)
    }

    /// A thief of the password could keep answered prompts, and get sessions from them after it was
    /// changed.
    @Test func `a sign-in from before a new password gives no session after it`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop)
        let prompt = try await client.ask(.signIn(email: nil))
        let page = try await client.page(prompt)
        let done = try await client.browser.submit(
            page, "signIn", ["email": TestStore.american, "password": TestStore.password])
        #expect(done.words.contains("Signed In"))
        let resets = shop.store.services.people.passwordResets
        let issued = try await resets.issue(
            email: TestStore.american, in: .sandbox,
            by: ConnectActor(kind: .machine, team: nil, roles: [.operator]))
        _ = try await resets.set(
            "quite another password", token: issued.token, address: nil)
        #expect(try await client.state(prompt) == PromptStateAnswer(state: .collected))
    }

    @Test func `a session is not started with a password that was changed meanwhile`() async throws
    {
        let shop = try await TestStore(hasContent: false)
        let services = shop.store.services
        let account = try await services.accounts.authenticate(
            email: TestStore.american, password: TestStore.password, environment: .sandbox)
        #expect(try await services.pageSessions.start(account) != nil)
        try await shop.store.database.write {
            try $0.accounts.setPasswordHash("another", of: account.id)
        }
        #expect(try await services.pageSessions.start(account) == nil)
    }

    @Test func `the page of an owned product says that it is free, and names no price`()
        async throws
    {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let order = PurchaseRequest(
            purchaseKey: try #require(PurchaseKey("purchase-key-000001")),
            productId: SampleShop.chapter, quantity: 1, confirmedPrice: PromptClient.price,
            applicationUsername: nil)
        let sold = try await client.send(
            "POST", DeviceRoute.purchases, WireCoding.encode(order))
        try #require(sold.status == 200)
        let page = try await client.page(try await client.ask(PromptClient.chapter()))
        #expect(page.words.contains("Do you want to buy one “The first chapter” for $0.00?"))
        #expect(page.words.contains("You own this: it is free."))
        #expect(!page.words.contains("$1.99"))
    }

    @Test func `a purchase is confirmed with the password, then without it`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let first = try await client.ask(PromptClient.chapter(quantity: 2))
        let page = try await client.page(first)
        #expect(page.words.contains("Do you want to buy 2 × “The first chapter” for $3.98?"))
        #expect(page.fields["email"] == TestStore.american)
        #expect(page.buttons == ["yes", "no"])
        let done = try await client.browser.submit(
            page, "yes", ["password": TestStore.password])
        #expect(done.words.contains("Confirmed"))
        #expect(try await client.state(first) == PromptStateAnswer(state: .yes))

        let second = try await client.page(try await client.ask(PromptClient.chapter()))
        #expect(second.fields["password"] == nil)
        #expect(second.words.contains("Account: \(TestStore.american)"))
        let bought = try await client.browser.submit(second, "yes")
        #expect(bought.words.contains("Confirmed"))

        // Until the customer signs out of the browser.
        let third = try await client.page(try await client.ask(PromptClient.chapter()))
        let asked = try await client.browser.submit(third, "forget")
        #expect(asked.fields["password"] == "")
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `the sheet of a subscription links to the page on which it is cancelled`(
        environment: StoreEnvironment
    ) async throws {
        let shop = try await TestStore(hasContent: false, isApproved: true)
        let client = try await PromptClient(
            shop, environment: environment, signedIn: TestStore.american)
        let price = Money(thousandths: 4990, currency: "USD")
        let page = try await client.page(
            try await client.ask(
                .confirm(productId: SampleShop.monthly, quantity: 1, price: price)))
        let link = try #require(page.text.firstMatch(of: /<a href="([^"]*)"[^>]*>at any time/))
        let path = String(link.1)
        #expect(path == environment.pathPrefix + "/us/account/subscriptions")
        let done = try await client.browser.submit(page, "yes", ["password": TestStore.password])
        #expect(done.words.contains("Confirmed"))
        let account = try await client.browser.open(shop.server.address + path)
        #expect(account.status == 200 && account.words.contains("Subscriptions"))
    }

    @Test func `another account's browser has to show the password`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let signIn = try await client.page(try await client.ask(.signIn(email: nil)))
        _ = try await client.browser.submit(
            signIn, "signIn", ["email": TestStore.japanese, "password": TestStore.password])
        let prompt = try await client.ask(PromptClient.chapter())
        let page = try await client.page(prompt)
        #expect(page.fields["password"] == "")
        let refused = try await client.browser.submit(page, "yes", ["password": ""])
        #expect(refused.status == 422)
        #expect(try await client.state(prompt).state == .pending)
        _ = try await client.browser.submit(page, "yes", ["password": TestStore.password])
        #expect(try await client.state(prompt).state == .yes)
    }

    @Test(arguments: [PromptClient.chapter(), .redeem, .signIn(email: nil)] as [PromptRequest])
    func `giving up needs no password`(request: PromptRequest) async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let prompt = try await client.ask(request)
        let done = try await client.browser.submit(try await client.page(prompt), "no")
        #expect(done.words.contains("Cancelled"))
        #expect(try await client.state(prompt) == PromptStateAnswer(state: .no))
    }

    @Test func `a code is delivered as it was typed`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let prompt = try await client.ask(.redeem)
        let page = try await client.page(prompt)
        for wrong in ["", "two words", "ÄÖÜ", String(repeating: "x", count: 65)] {
            let refused = try await client.browser.submit(
                page, "redeem", ["code": wrong, "password": TestStore.password])
            #expect(refused.status == 422, "\(wrong)")
        }
        let done = try await client.browser.submit(
            page, "redeem", ["code": " SPRING-<&>-26 ", "password": TestStore.password])
        #expect(done.words.contains("Code Sent"))
        #expect(
            try await client.state(prompt)
                == PromptStateAnswer(state: .code, code: "SPRING-<&>-26"))
    }

    @Test(
        arguments: [
            ("yes", TestStore.password, PromptStateCode.yes),
            ("no", TestStore.password, .no), ("no", "", .pending), ("later", "", .later),
        ] as [(String, String, PromptStateCode)])
    func `a higher price is agreed to, declined, or left open`(
        answer: String, password: String, state: PromptStateCode
    ) async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let prompt = try await client.ask(
            .consent(
                productId: SampleShop.chapter, currentPrice: PromptClient.price,
                newPrice: Money(thousandths: 2990, currency: "USD")))
        let page = try await client.page(prompt)
        #expect(page.words.contains("$1.99"))
        #expect(page.words.contains("$2.99"))
        _ = try await client.browser.submit(page, answer, ["password": password])
        #expect(try await client.state(prompt).state == state)
    }

    @Test func `the page speaks the storefront's language about the product`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.japanese)
        let price = try await yen(client)
        let page = try await client.page(
            try await client.ask(
                .confirm(productId: SampleShop.chapter, quantity: 1, price: price)))
        #expect(page.text.contains("<bdi lang=\"ja-JP\">第一章</bdi>"))
        #expect(page.words.contains(price.formatted(locale: "ja_JP")))
    }

    private func yen(_ client: PromptClient) async throws -> Money {
        let response = try await client.send(
            "POST", DeviceRoute.products,
            WireCoding.encode(ProductsRequest(productIds: [SampleShop.chapter])))
        let answer = try WireCoding.decode(ProductsAnswer.self, from: response.data)
        return try #require(answer.products.first).price
    }

    @Test func `a waiting device hears the answer when it is given`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let prompt = try await client.ask(PromptClient.chapter())
        async let answer = client.end(of: prompt)
        let waiters = shop.store.services.promptWaiters
        try await until { waiters.count > 0 }
        _ = try await client.browser.submit(try await client.page(prompt), "no")
        #expect(try await answer.state == .no)
        #expect(waiters.count == 0)
    }

    @Test func `a decision of another process is heard too`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let prompt = try await client.ask(PromptClient.chapter())
        let id = try #require(PromptID(prompt.id))
        async let answer = client.end(of: prompt)
        try await until { shop.store.services.promptWaiters.count > 0 }
        // Written past the services, as another process does.
        try await shop.store.database.write {
            try $0.prompts.record(.decided(.no), of: id, at: Date())
        }
        #expect(try await answer.state == .no)
    }

    @Test func `a stopping store sends waiting devices away`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let prompt = try await client.ask(PromptClient.chapter())
        async let answer = client.state(prompt, wait: 45)
        let waiters = shop.store.services.promptWaiters
        try await until { waiters.count > 0 }
        // Stopping blocks until every request has its answer.
        async let stopped: Void = onThread { shop.server.stop() }
        do {
            let state = try await answer.state
            Issue.record("answered with \(state.rawValue)")
        } catch let error as WireError {
            #expect(error.code == .storeUnavailable)
            // Not what those hear whom the store could not wait for any longer.
            #expect(error.message.contains("lets nobody wait"))
        }
        try await stopped
    }

    @Test func `of many that wait for one prompt only the newest does`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let prompt = try await client.ask(PromptClient.chapter())
        try await withThrowingTaskGroup(of: PromptStateCode.self) { group in
            for _ in 0..<12 {
                group.addTask { try await client.state(prompt, wait: 45).state }
            }
            // The others are sent away at once, and don't come back by themselves.
            for _ in 0..<11 { #expect(try await group.next() == .pending) }
            #expect(shop.store.services.promptWaiters.count <= 1)
            _ = try await client.browser.submit(try await client.page(prompt), "no")
            #expect(try await group.next() == .no)
        }
    }
}
