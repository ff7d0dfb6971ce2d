import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// Newer versions of content, as devices hear of them and of the old ones' end.
struct ContentVersionTests {
    private static let chapter = ProductID(SampleShop.chapter)!
    private let clock = SettableClock()
    private let shop: TestStore

    init() async throws {
        shop = try await TestStore(isApproved: true, clock: clock, noiseBytes: 1000)
    }

    private func importContent(_ version: String, isApproved: Bool) async throws {
        let folder = try TemporaryFolder()
        _ = try await shop.store.importCatalog(
            configuration: SampleShop.configuration,
            content: SampleShop.writeContent(into: folder, version: version, noiseBytes: 10),
            bundleID: SampleShop.bundleID, isApproved: isApproved)
    }

    private func events(
        _ client: APIClient, after: Int64, wait: Int = 0
    ) async throws -> EventsAnswer {
        let response = try await client.events([("after", "\(after)"), ("wait", "\(wait)")])
        return try WireCoding.decode(EventsAnswer.self, from: response.data)
    }

    private func download(_ client: APIClient, version: String) async throws -> HTTPResponse {
        let bought = try await client.buy(APIClient.chapter(1))
        return try await client.send(
            "POST", DeviceRoute.downloads("\(bought.transactionId)"),
            WireCoding.encode(
                DownloadRequest(
                    contentIdentifier: SampleShop.chapter, version: ContentVersion(version)!)))
    }

    @Test func `testers hear of a version that is ready, customers of one that is approved`()
        async throws
    {
        let tester = try await APIClient.signedIn(shop)
        let customer = try await APIClient.signedIn(shop, environment: .production)
        let start = try await shop.store.database.lastEvent().number
        async let heard = events(tester, after: start, wait: 45)
        // Also where something below throws, the request that waits comes to its end.
        let services = shop.store.services
        defer { services.events.stop() }
        try await until { services.events.waiting > 0 }
        try await importContent("2.0", isApproved: false)
        let news = try await heard.events
        #expect(news.map(\.kind) == [.contentVersion])
        #expect(news.map(\.productId) == [SampleShop.chapter])
        #expect(try await events(customer, after: start).events.isEmpty)
        try await importContent("2.0", isApproved: true)
        #expect(try await events(customer, after: start).events.map(\.kind) == [.contentVersion])
        #expect(try await events(tester, after: start).events == news)
    }

    @Test func `one row tells everybody, whoever owns the product`() async throws {
        let american = try await APIClient.signedIn(shop)
        let japanese = try await APIClient.signedIn(shop, as: TestStore.japanese)
        let start = try await shop.store.database.lastEvent().number
        try await importContent("2.0", isApproved: false)
        #expect(try await shop.store.database.lastEvent().number == start + 1)
        for client in [american, japanese] {
            #expect(try await events(client, after: start).cursor == start + 1)
        }
    }

    @Test func `a version that is downloaded is kept, one that nobody wants ends with a hint`()
        async throws
    {
        try await importContent("2.0", isApproved: true)
        var client = try await APIClient.signedIn(shop)
        let day: TimeInterval = 86_400
        for _ in 1...3 {
            clock.advance(by: 29 * day)
            // Sessions don't last so long.
            try await client.signIn(TestStore.american)
            // Each permission counts, although only one an hour is written down.
            for _ in 1...2 { #expect(try await download(client, version: "1.0").status == 200) }
            _ = try await shop.store.collect(.standard)
        }
        clock.advance(by: 30 * day)
        try await client.signIn(TestStore.american)
        #expect(try await shop.store.collect(.standard).versions.count == 1)
        let response = try await download(client, version: "1.0")
        #expect(response.status == 404)
        let error = try response.failure()
        #expect(error.code == .contentNotFound)
        #expect(error.message.contains("restore the purchase"))
        #expect(try await download(client, version: "2.0").status == 200)
    }

    @Test func `a permission is written down once an hour for all devices`() async throws {
        let client = try await APIClient.signedIn(shop)
        func lastPermit() async throws -> Date? {
            try await shop.store.database.read { repositories in
                let app = try repositories.sampleApp().id
                let records = try repositories.content.records(of: Self.chapter, in: app)
                return try #require(records.first).lastPermit
            }
        }
        let start = clock.now()
        let generation = try await shop.store.database.catalogGeneration()
        for (pause, expected) in [(0, 0), (1800, 0), (1799, 0), (1, 3600)] as [(Double, Double)] {
            clock.advance(by: pause)
            #expect(try await download(client, version: "1.0").status == 200)
            #expect(try await lastPermit() == start.addingTimeInterval(expected))
        }
        // No app reads its catalog again for that.
        #expect(try await shop.store.database.catalogGeneration() == generation)
    }
}
