import Foundation
import StoreCore
import StoreFeed
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

@Suite struct FeedJobTests {
    private static let day: TimeInterval = 86_400

    @Test func `a full export each week, and what changed on other days`() async throws {
        let shop = try await FeedShop()
        _ = try await shop.store.services.feedPartners.create(name: "Search", by: .machine)
        let job = FeedJob(store: shop.store, address: "https://store.example.com")
        var made: [String] = []
        // From Thursday on, for two weeks, every six hours.
        for _ in 0..<(14 * 4) {
            if let report = try await job.runIfDue() {
                made.append("\(report.mode.rawValue.prefix(1))\(report.dayDigits.suffix(4))")
            }
            shop.clock.advance(by: Self.day / 4)
        }
        #expect(
            made == [
                "F0121", "I0122", "I0123", "I0124", "I0125", "I0126", "F0127", "I0128", "I0129",
                "I0130", "I0131", "I0201", "I0202", "F0203",
            ])
        let folder = shop.store.feedFolder
        #expect(folder.weeks().map(\.digits) == ["20160120", "20160127", "20160203"])
        #expect(folder.days(in: CalendarDay("2016-01-27")!).count == 6)
    }

    @Test func `a store without active partners makes none`() async throws {
        let shop = try await FeedShop()
        let job = FeedJob(store: shop.store, address: "https://store.example.com")
        #expect(try await job.runIfDue() == nil)
        let partners = shop.store.services.feedPartners
        let (partner, _) = try await partners.create(name: "Search", by: .machine)
        _ = try await partners.change(partner.id, isActive: false, by: .machine)
        #expect(try await job.runIfDue() == nil)
        _ = try await partners.change(partner.id, isActive: true, by: .machine)
        #expect(try await job.runIfDue()?.mode == .full)
    }

    @Test func `a partner that is approved does not wait for the next look`() async throws {
        let shop = try await FeedShop()
        let jobs = JobService(database: shop.store.database, clock: shop.clock)
        func isDue() async throws -> Bool {
            let taken = try await jobs.take(.exportingFeed, every: 900, as: "test")
            if let taken { try await jobs.complete(taken) }
            return taken != nil
        }
        #expect(try await isDue())
        #expect(try await !isDue())
        let partners = shop.store.services.feedPartners
        let (partner, _) = try await partners.create(name: "Search", by: .machine)
        #expect(try await isDue())
        _ = try await partners.change(partner.id, isActive: false, by: .machine)
        #expect(try await !isDue())
        _ = try await partners.change(partner.id, isActive: true, by: .machine)
        #expect(try await isDue())
    }

    @Test func `a store that slept makes one export for all the time`() async throws {
        let shop = try await FeedShop()
        _ = try await shop.store.services.feedPartners.create(name: "Search", by: .machine)
        let job = FeedJob(store: shop.store, address: "https://store.example.com")
        _ = try await job.runIfDue()
        shop.clock.advance(by: 30 * Self.day)
        #expect(try await job.runIfDue()?.mode == .full)
        #expect(try await job.runIfDue() == nil)
        // A clock that goes back makes nothing; by more than a day, somebody has to know.
        shop.clock.advance(by: -Self.day)
        #expect(try await job.runIfDue() == nil)
        shop.clock.advance(by: -19 * Self.day)
        let error = await #expect(throws: FeedError.self) { try await job.runIfDue() }
        #expect(error?.code == .clock)
    }

    @Test func `who comes second leaves it to the first`() async throws {
        let shop = try await FeedShop()
        _ = try await shop.store.services.feedPartners.create(name: "Search", by: .machine)
        let job = FeedJob(store: shop.store, address: "https://store.example.com")
        async let one = job.runIfDue()
        async let other = job.runIfDue()
        let reports = try await [one, other].compactMap { $0 }
        #expect(reports.count == 1)
        #expect(shop.store.feedFolder.weeks().count == 1)
    }
}
