import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StorePages
import StoreTestSupport
import StoreWire
import Testing

/// What goes with every page, and who may call which route.
@Suite struct PageHeaderTests {
    static func expectAlone(_ headers: HTTPHeaders) throws {
        let policy = try #require(headers["Content-Security-Policy"])
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("form-action 'self'"))
        #expect(policy.contains("base-uri 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(headers["X-Frame-Options"] == "DENY")
        #expect(headers["X-Content-Type-Options"] == "nosniff")
        #expect(headers["Referrer-Policy"] == "same-origin")
        #expect(headers["Cache-Control"] == "no-store")
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `the table decides who may call a route`(environment: StoreEnvironment) async throws {
        let shop = try await TestStore(hasContent: false, isApproved: true)
        let client = try await PromptClient(
            shop, environment: environment, signedIn: TestStore.american)
        let known = try await client.ask(PromptClient.chapter())
        try await shop.addItem("The Clock", id: 700_001)
        let shown = try await client.ask(.item(itemId: 700_001, at: nil, ct: nil, pt: nil))
        let services = shop.store.services
        let account = try await services.accounts.account(
            email: TestStore.american, environment: environment)
        _ = try await services.accounts.change(account.id) { $0.asksToBuy = true }
        _ = try await client.send(
            "POST", DeviceRoute.purchases,
            WireCoding.encode(
                PurchaseRequest(
                    purchaseKey: PurchaseKey("purchase-key-1001")!,
                    productId: SampleShop.chapter, quantity: 1,
                    confirmedPrice: PromptClient.price, applicationUsername: nil)))
        let waiting = try #require(try await services.pending.waiting().first)
        let approval = try #require(try await services.approvals.path(of: waiting))
        let asset = try await client.page(known).text
            .firstMatch(of: /assets\/([0-9a-f]{16}\.css)/)?.1
        let loopback = LoopbackClient(port: shop.server.port)
        for row in PageRouteTable.rows {
            func call(_ word: String) async throws -> HTTPResponse {
                let path = row.pattern.replacing(/\{[a-z]+\}/, with: word)
                var request = HTTPRequest(
                    method: row.method.rawValue, path: environment.pathPrefix + path)
                if row.method == .post {
                    request.headers["Content-Type"] = "application/x-www-form-urlencoded"
                }
                return try await loopback.send(request)
            }
            let address = row.pattern.hasPrefix("/approvals/") ? approval : known.url
            let name = String(try #require(address.split(separator: "/").last))
            let stranger = try await call("unknown")
            #expect(stranger.status == 404, "\(row.pattern)")
            try Self.expectAlone(stranger.headers)
            switch row.access {
            case .anyone: #expect(try await call(String(try #require(asset))).status == 200)
            case .address:
                let page = try await call(name)
                #expect(page.status == 200)
                try Self.expectAlone(page.headers)
                #expect(page.headers["Content-Security-Policy"]?.contains("script-src") == false)
            case .form:
                let refused = try await call(name)
                #expect(refused.status == 403)
                try Self.expectAlone(refused.headers)
            case .item, .itemForm:
                // Of pages with other questions there is no such thing.
                #expect(try await call(name).status == 404)
                let item = String(try #require(shown.url.split(separator: "/").last))
                let page = try await call(item)
                let expected = row.access == .itemForm ? [403] : [200, 303]
                #expect(expected.contains(page.status), "\(row.pattern)")
                try Self.expectAlone(page.headers)
            }
        }
        #expect(Set(PageRouteTable.rows.map(\.operation)) == Set(PageRouteTable.Operation.allCases))
        #expect(try await client.state(known).state == .pending)
        #expect(try await services.pending.waiting().count == 1)
    }

    @Test func `pages have no scripts and no styles of their own`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        for request in [PromptClient.chapter(), .redeem, .signIn(email: nil)] as [PromptRequest] {
            let page = try await client.page(try await client.ask(request))
            for forbidden in ["<script", "<style", " style=", " on", "javascript:"] {
                let markup = page.text.matches(of: /<[^>]*>/).map { String($0.0) }
                #expect(!markup.contains { $0.contains(forbidden) }, "\(forbidden)")
            }
            #expect(page.text.contains("<html lang=\"en\">"))
            // Every field has its label.
            for field in page.text.matches(of: /<input id="([a-z]+)"/) {
                #expect(page.text.contains("<label for=\"\(field.1)\">"))
            }
        }
    }

    @Test func `assets are kept for ever under names that change with them`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let page = try await client.page(try await client.ask(.redeem))
        let names = page.text.matches(of: /\.\.\/(assets\/[0-9a-f]{16}\.[a-z]+)/).map(\.1)
        #expect(Set(names).count == 2)
        for name in names {
            let file = try await client.browser.open("\(shop.server.address)/sandbox/\(name)")
            #expect(file.status == 200)
            #expect(file.headers["Cache-Control"]?.contains("immutable") == true)
            #expect(file.text.utf8.count > 200)
        }
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `cookies are out of reach of scripts and of other sites`(
        environment: StoreEnvironment
    ) async throws {
        let shop = try await TestStore(hasContent: false, isApproved: true)
        for (address, name, suffix) in [
            (shop.server.address, "openstore-\(environment.word)", ""),
            ("https://store.example", "__Host-openstore-\(environment.word)", "; Secure"),
        ] {
            // Behind a proxy that speaks TLS, the profile names the address.
            let app = try await shop.store.database.read {
                try $0.sampleApp().id
            }
            let ticket = try await shop.store.services.prompts.ask(
                .signIn(email: nil), for: app, of: nil, in: environment,
                address: address + environment.pathPrefix)
            let page = try await LoopbackClient(port: shop.server.port).send(
                HTTPRequest(
                    method: "GET", path: "\(environment.pathPrefix)/prompts/\(ticket.pageToken)"))
            let cookie = try #require(page.headers["Set-Cookie"])
            #expect(cookie.hasPrefix("\(name)="))
            #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict\(suffix)"))
        }
    }

    @Test func `addresses of pages stay out of the log`() {
        #expect(PageRoutes.loggable("/sandbox/prompts/secret") == "/sandbox/prompts/…")
        #expect(PageRoutes.loggable("/prompts/\u{301}secret/x") == "/prompts/…")
        #expect(PageRoutes.loggable("/sandbox/approvals/secret") == "/sandbox/approvals/…")
        #expect(PageRoutes.loggable("/approvals/secret") == "/approvals/…")
        #expect(PageRoutes.loggable("/device/v1/prompts/7") == "/device/v1/prompts/7")
    }
}
