import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Walks the table of routes: who may not call one is refused, and nothing happens.
@Suite struct RouteAccessTests {
    /// What is wrong with a caller. All but the first are refused somewhere.
    enum Caller: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case allRight, nobodySignedIn
        case noProfile, garbageProfile, profileOfOtherStore, expiredProfile, profileOfElsewhere
        case garbageToken, tokenOfElsewhere, signedOut, noDevice

        var testDescription: String { rawValue }
    }

    /// The refusal that the access asks for; nil where the caller is let in.
    static func expected(_ caller: Caller, _ row: DeviceRouteTable.Row) -> String? {
        let forAccount = row.access == .account
        switch row.access {
        case .grant: return "401 grantMissing"
        case .anyone, .customer: return expectedWithoutApp(caller, row)
        case .app, .account: break
        }
        switch caller {
        case .allRight: return nil
        case .nobodySignedIn: return forAccount ? "401 notSignedIn" : nil
        case .noProfile: return "401 profileMissing"
        case .garbageProfile, .profileOfOtherStore: return "403 profileUntrusted"
        case .expiredProfile: return "403 profileExpired"
        // Apps are told product by product what is wrong with their profile.
        case .profileOfElsewhere: return row.operation == .products ? nil : "403 wrongEnvironment"
        case .garbageToken, .tokenOfElsewhere, .signedOut: return "401 notSignedIn"
        case .noDevice:
            if row.operation == .renewDownload { return "403 grantForged" }
            return forAccount ? "400 deviceMissing" : nil
        }
    }

    /// The same where no app asks: profiles are no matter, and whoever signs in needs no session.
    private static func expectedWithoutApp(
        _ caller: Caller, _ row: DeviceRouteTable.Row
    ) -> String? {
        switch caller {
        case .nobodySignedIn: row.access == .customer ? "401 notSignedIn" : nil
        case .garbageToken, .tokenOfElsewhere, .signedOut:
            row.operation == .customerSignIn ? nil : "401 notSignedIn"
        default: nil
        }
    }

    /// Makes the caller out of a signed-in client.
    static func spoil(
        _ client: inout APIClient, _ caller: Caller, clock: SettableClock
    ) async throws {
        let elsewhere = client.environment == .sandbox ? StoreEnvironment.production : .sandbox
        switch caller {
        case .allRight: break
        case .nobodySignedIn: client.token = nil
        case .noProfile: client.profile = nil
        case .garbageProfile: client.profile = "no.profile.atall"
        case .profileOfOtherStore:
            let other = try await TestStore(
                hasContent: false, clock: clock, hasOwnKeys: true)
            client.profile = try await other.profile(environment: client.environment)
        case .expiredProfile:
            client.profile = try await client.shop.profile(
                environment: client.environment, days: 1)
            clock.advance(by: 86_400)
        case .profileOfElsewhere:
            client.profile = try await client.shop.profile(environment: elsewhere)
        case .garbageToken: client.token = "garbage"
        case .tokenOfElsewhere:
            client.token = try await APIClient.signedIn(client.shop, environment: elsewhere).token
        case .signedOut:
            #expect(try await client.send("DELETE", DeviceRoute.session).status == 204)
        case .noDevice: client.device = nil
        }
    }

    /// A request that would succeed, and that writes wherever the route writes.
    static func request(
        _ row: DeviceRouteTable.Row, bought: TransactionPayload, prompt: PromptAnswer,
        item: ItemID, app: ItemID, review: ReviewID, download: DownloadAnswer
    ) throws -> (path: String, body: Data) {
        let id =
            switch row.operation {
            case .awaitAnswer, .abandon: prompt.id
            case .checkItem, .itemPage, .itemReviews, .buyItem, .itemFile, .writeReview,
                .removeReview:
                item.description
            case .showApp, .buyApp, .deliverApp: app.description
            case .voteOnReview: review.description
            case .consent: "1"
            default: "\(bought.transactionId)"
            }
        let path =
            row.pattern.replacingOccurrences(of: "{id}", with: id)
            .replacingOccurrences(of: "{digest}", with: String(repeating: "a", count: 64))
        let body: any Encodable =
            switch row.operation {
            case .signIn, .customerSignIn:
                SignInRequest(email: TestStore.american, password: TestStore.password)
            case .products: ProductsRequest(productIds: [SampleShop.badge])
            case .quote: QuoteRequest(productId: SampleShop.badge)
            case .purchase: APIClient.credits(50)
            case .restore:
                RestoreRequest(
                    restoreKey: PurchaseKey("restore-key-10000")!, applicationUsername: nil)
            case .download:
                DownloadRequest(
                    contentIdentifier: SampleShop.chapter, version: ContentVersion("1.0")!)
            case .renewDownload: DownloadRenewalRequest(token: download.token ?? "")
            case .receipt, .transactionReceipt:
                ReceiptRequest(deviceIdentifier: Data([1]), applicationVersion: "1")
            case .ask: PromptRequest.signIn(email: nil)
            case .redeem:
                RedemptionRequest(
                    purchaseKey: PurchaseKey("redemption-key-1")!, code: "free-credits-1")
            case .consent: ConsentRequest(agreed: true)
            case .history: DeviceHistoryRequest(revision: nil)
            case .requestRefund: DeviceRefundRequest(reason: nil, comment: nil)
            case .signOut, .unfinished, .subscriptions, .appTransaction, .finish, .content, .events,
                .awaitAnswer, .abandon,
                .checkItem, .itemPage, .itemReviews, .itemFile, .removeReview, .customerSignOut,
                .findApps, .showApp, .deliverApp:
                [String: String]()
            case .buyApp: AppPurchaseRequest(price: 0, currency: "USD")
            case .buyItem:
                ItemOrderRequest(
                    price: Money(thousandths: 1990, currency: "USD"), at: nil, ct: nil, pt: nil)
            case .writeReview: ReviewRequest(rating: 4, title: "", body: "", nickname: "")
            case .voteOnReview: ReviewVoteRequest(isHelpful: true)
            }
        let hasBody = row.method == .post && row.operation != .finish
        return (path, hasBody ? try WireCoding.encode(body) : Data())
    }

    @Test(arguments: Caller.allCases, StoreEnvironment.allCases)
    func `the table decides who may call a route`(
        caller: Caller, environment: StoreEnvironment
    ) async throws {
        let clock = SettableClock()
        let shop = try await TestStore(isApproved: true, clock: clock, noiseBytes: 1000)
        // A finished purchase, which could be restored, and one to finish and download.
        var client = try await APIClient.signedIn(shop, environment: environment)
        try await client.finish(try await client.buy(APIClient.badge(1)))
        let bought = try await client.buy(APIClient.chapter(2))
        let entry = try #require(try await shop.ledger(in: environment).first)
        let credits = ProductID(SampleShop.credits)!
        try await shop.store.services.offers.add([
            OfferCode(
                code: "FREECREDITS1", app: entry.details.app, productID: credits, uses: 1,
                end: clock.now().addingTimeInterval(3600))
        ])
        _ = try await shop.store.services.offers.askConsent(
            PriceConsentDraft(
                account: entry.details.account, app: entry.details.app, productID: credits,
                currentPrice: Money(thousandths: 990, currency: "USD"), newPrice: 1990))
        let prompt: PromptAnswer = try await client.post(DeviceRoute.prompts, PromptRequest.redeem)
        let item = try await shop.addItem("Item", tier: nil, own: ["USA": 1990, "JPN": 200_000])
        try await shop.giveFile(Data("%PDF-1.4\n".utf8), named: "item.pdf", to: item)
        let app = try await shop.sellApp()
        let review = try await shop.addReview(
            5, of: item, by: TestStore.japanese, in: environment)
        let download: DownloadAnswer = try await client.post(
            DeviceRoute.downloads("\(bought.transactionId)"), Buyer.request())
        try await Self.spoil(&client, caller, clock: clock)

        var rows = DeviceRouteTable.rows
        // Last, because it ends the session that the others need.
        for last in [DeviceOperation.signOut, .customerSignOut] {
            rows.append(rows.remove(at: try #require(rows.firstIndex { $0.operation == last })))
        }
        for row in rows {
            let (path, body) = try Self.request(
                row, bought: bought, prompt: prompt, item: item, app: app, review: review,
                download: download)
            if caller == .allRight, row.operation == .customerSignOut {
                client.token = try await APIClient.signedIn(shop, environment: environment).token
            }
            let before = try await LedgerSnapshot(of: shop)
            let response = try await client.send(
                row.method.rawValue, path, body,
                headers: [DeviceRoute.promptHeader: prompt.secret],
                query: row.operation == .findApps ? [("name", "Shop")] : [])
            guard let expected = Self.expected(caller, row) else {
                #expect((200..<300).contains(response.status), "\(row.pattern)")
                continue
            }
            let refusal = Refusal(status: response.status, error: try response.failure())
            #expect(refusal.name == expected, "\(row.pattern)")
            #expect(!refusal.error.message.isEmpty)
            #expect(
                (response.headers["WWW-Authenticate"] == "Bearer")
                    == (expected == "401 notSignedIn"), "\(row.pattern)")
            #expect(try await LedgerSnapshot(of: shop) == before, "\(row.pattern)")
        }
        if caller == .allRight {
            // Purchase, restore and redemption have written, so the requests above were good
            // ones.
            #expect(try await LedgerSnapshot(of: shop).count == 6)
            #expect(Set(rows.map(\.operation)) == Set(DeviceOperation.allCases))
        }
    }

    @Test func `a device's identifier has at most 64 characters`() async throws {
        let shop = try await TestStore(hasContent: false)
        var client = try await APIClient.signedIn(shop)
        client.device = String(repeating: "d", count: 65)
        let refusal = try await client.refusal("GET", DeviceRoute.unfinished)
        #expect(refusal.name == "400 malformedRequest")
        #expect(refusal.error.message.contains(DeviceRoute.deviceHeader))
    }
}
