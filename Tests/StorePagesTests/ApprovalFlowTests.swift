import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// From the order that waits to the guardian's decision, over sockets.
struct ApprovalFlowTests {
    private static let proof = ["password": ApprovalClient.password]

    @Test(arguments: StoreEnvironment.allCases)
    func `a guardian approves with the password, and the order is sold`(
        environment: StoreEnvironment
    ) async throws {
        let client = try await ApprovalClient(environment: environment)
        let page = try await client.page()
        #expect(page.status == 200)
        for expected in [
            TestStore.american, "2 × ", "Credits", "$1.98", "Sample shop", "Do you allow it?",
        ] {
            #expect(page.words.contains(expected), "\(expected)")
        }
        #expect(page.words.contains("[Environment: Sandbox]") == (environment == .sandbox))
        #expect(page.fields["email"] == ApprovalClient.guardian)
        #expect(page.fields["password"] == "")
        #expect(try await client.ledger().isEmpty)

        let done = try await client.browser.submit(page, "yes", Self.proof)
        #expect(done.status == 200)
        #expect(done.words.contains("Approved"))
        #expect(done.buttons.isEmpty)
        #expect(try await client.ledger().map(\.details.quantity) == [2])
        #expect(try await client.send().status == 200)
        #expect(try await client.browser.open(page.url).words.contains("Approved"))
    }

    @Test func `a guardian declines, and nothing is sold`() async throws {
        let client = try await ApprovalClient()
        let page = try await client.page()
        let done = try await client.browser.submit(page, "no", Self.proof)
        #expect(done.words.contains("Declined"))
        let refused = try await client.send()
        let error = try WireCoding.decode(WireError.self, from: refused.data)
        #expect(error.code == .purchaseDeclined)
        #expect(try await client.ledger().isEmpty)
        #expect(try await client.waiting().isEmpty)
    }

    @Test func `deciding twice shows the first decision`() async throws {
        let client = try await ApprovalClient()
        let page = try await client.page()
        _ = try await client.browser.submit(page, "no", Self.proof)
        let late = try await client.browser.open(page.url)
        #expect(late.words.contains("Declined"))
        // Two pages that were open at once.
        let (first, second) = (try await client.page(2), try await client.page(2))
        let approved = try await client.browser.submit(first, "yes", Self.proof)
        #expect(approved.words.contains("Approved"))
        let again = try await client.browser.submit(second, "no", Self.proof)
        #expect(again.words.contains("Approved"))
        #expect(try await client.ledger().count == 1)
    }

    @Test
    func `a browser that the guardian has signed in with needs no password until it signs out`()
        async throws
    {
        let client = try await ApprovalClient()
        try await client.signInGuardian()
        let first = try await client.browser.submit(try await client.page(1), "yes")
        #expect(first.words.contains("Approved"))
        let known = try await client.page(2)
        #expect(known.fields["password"] == nil)
        #expect(known.words.contains("Account: \(ApprovalClient.guardian)"))
        let forgotten = try await client.browser.submit(known, "forget")
        #expect(forgotten.fields["password"] == "")
        #expect(try await client.browser.submit(known, "yes").status == 422)
        #expect(try await client.ledger().count == 1)
        let approved = try await client.browser.submit(forgotten, "yes", Self.proof)
        #expect(approved.words.contains("Approved"))
    }

    @Test func `a password decides about one purchase, and signs the browser in nowhere`()
        async throws
    {
        // The guardian may have typed it on the device of whoever asks.
        let client = try await ApprovalClient()
        let page = try await client.page(1)
        let before = client.browser.cookies
        _ = try await client.browser.submit(page, "yes", Self.proof)
        #expect(client.browser.cookies == before)
        let next = try await client.page(2)
        #expect(next.fields["password"] == "")
        #expect(try await client.browser.submit(next, "yes").status == 422)
        #expect(try await client.ledger().count == 1)
    }

    @Test func `nobody decides after a day`() async throws {
        let clock = SettableClock()
        let client = try await ApprovalClient(clock: clock)
        let page = try await client.page()
        clock.advance(by: 24 * 3600 - 1)
        #expect(try await client.browser.open(page.url).status == 200)
        clock.advance(by: 1)
        for late in [
            try await client.browser.open(page.url),
            try await client.browser.submit(page, "yes", Self.proof),
        ] {
            #expect(late.status == 410)
            #expect(late.words.contains("Nobody decided within a day."))
            #expect(late.buttons.isEmpty)
        }
        #expect(try await client.ledger().isEmpty)
    }

    @Test func `what is not sold any longer can only be declined`() async throws {
        let client = try await ApprovalClient()
        let page = try await client.page()
        try await client.shop.store.database.write { repositories in
            let app = try repositories.sampleApp()
            try repositories.catalog.setState(
                .removedFromSale, of: ProductID(SampleShop.credits)!, in: app.id)
        }
        let refused = try await client.browser.submit(page, "yes", Self.proof)
        #expect(refused.status == 422)
        #expect(refused.words.contains("can only be declined"))
        let declined = try await client.browser.submit(refused, "no", Self.proof)
        #expect(declined.words.contains("Declined"))
        #expect(try await client.ledger().isEmpty)
    }

    @Test func `without a guardian, whoever has the address decides`() async throws {
        let client = try await ApprovalClient(hasGuardian: false)
        let page = try await client.page()
        #expect(page.fields["password"] == nil)
        #expect(page.words.contains("whoever has the address of this page can"))
        let done = try await client.browser.submit(page, "yes")
        #expect(done.words.contains("Approved"))
        #expect(try await client.ledger().count == 1)
    }

    @Test func `customers without a guardian don't hear of the page that would let them approve`()
        async throws
    {
        let client = try await ApprovalClient(environment: .production, hasGuardian: false)
        #expect(try await client.ask() == nil)
        let waiting = try #require(try await client.waiting().first)
        let path = try #require(
            try await client.shop.store.services.approvals.path(of: waiting))
        let page = try await client.browser.open(client.shop.server.address + path)
        #expect(
            try await client.browser.submit(page, "yes").words.contains("Approved"))
    }

    @Test func `the operator names the page for the address that guardians use`() async throws {
        let client = try await ApprovalClient()
        let known = try #require(try await client.ask())
        let waiting = try #require(try await client.waiting().first)
        let approvals = client.shop.store.services.approvals
        let base = client.shop.server.address + "/sandbox"
        #expect(try await approvals.path(of: waiting) == String(known.dropFirst(base.count)))
        #expect(
            try await approvals.path(of: waiting, address: base)
                == String(known.dropFirst(base.count)))
        let other = try #require(
            try await approvals.path(of: waiting, address: "https://store.example/sandbox"))
        let page = try await client.browser.open(base + other)
        #expect(page.headers["Set-Cookie"]?.hasPrefix("__Host-openstore-sandbox=") == true)
        let refused = try await client.browser.submit(page, "yes", Self.proof)
        #expect(refused.status == 403)
        let taken = try await client.browser.submit(
            page, "yes", Self.proof, headers: ["Origin": "https://store.example"])
        #expect(taken.words.contains("Approved"))
    }
}
