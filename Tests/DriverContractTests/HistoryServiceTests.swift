import Foundation
import StoreCore
import StoreModel
import Testing

/// Pages of customers' histories, as publishers' servers ask for them.
@Suite(.inTurns) struct HistoryServiceTests {
    /// A shop in which Ada has bought many credits, each a second after the one before it.
    private struct Scene {
        let database: OpenedDatabase
        let shop: SeededShop
        let subject: HistorySubject
        var history: HistoryService { HistoryService(database: database) }

        init(_ driver: StoreDriver, _ count: Int) async throws {
            let database = try driver.install().open()
            let shop = try await SeededShop(in: database)
            self.database = database
            self.shop = shop
            subject = HistorySubject(account: shop.ada.id, app: shop.app.id)
            for start in stride(from: 0, to: count, by: 5000) {
                try await database.write { repositories in
                    for number in start..<min(count, start + 5000) {
                        var draft = shop.purchase(number, type: .consumable)
                        draft.date = SeededShop.date.addingTimeInterval(TimeInterval(number))
                        _ = try repositories.ledger.insert(draft)
                    }
                }
            }
        }

        /// Revisions are numbers in order: what a server has seen so many transactions behind.
        func page(
            after count: Int, _ change: (inout HistoryQuery) -> Void = { _ in }
        ) async throws -> HistoryPage {
            var query = HistoryQuery()
            change(&query)
            return try await history.history(
                of: subject, query, after: HistoryRevision(number: Int64(count)))
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a filter that takes nothing is done after so many rows, and goes on where it stopped`(
        driver: StoreDriver
    ) async throws {
        let scene = try await Scene(driver, HistoryService.walkLimit + 500)
        let first = try await scene.page(after: 0) { $0.types = [.nonConsumable] }
        #expect(first.records.isEmpty && first.hasMore)
        #expect(first.revision.number == Int64(HistoryService.walkLimit))
        let last = try await scene.page(after: Int(first.revision.number)) {
            $0.types = [.nonConsumable]
        }
        #expect(last.records.isEmpty && !last.hasMore)
        #expect(last.revision.number == Int64(HistoryService.walkLimit) + 500)
    }

    @Test(arguments: StoreDriver.all)
    func `a filter finds what lies far behind, page by page, and nothing twice`(
        driver: StoreDriver
    ) async throws {
        let scene = try await Scene(driver, 3000)
        // The last 30 of 3,000.
        let start = SeededShop.date.addingTimeInterval(2970)
        var pages: [HistoryPage] = []
        repeat {
            pages.append(
                try await scene.page(after: Int(pages.last?.revision.number ?? 0)) {
                    $0.start = start
                })
        } while pages.last?.hasMore == true
        #expect(pages.map(\.records.count) == [0, 20, 10])
        let dates = pages.flatMap(\.records).map(\.entry.details.date)
        #expect(dates == (0..<30).map { start.addingTimeInterval(TimeInterval($0)) })
    }

    @Test(arguments: StoreDriver.all)
    func `a page costs the same wherever it lies, however long the history is`(
        driver: StoreDriver
    ) async throws {
        let (short, long) = (try await Scene(driver, 50), try await Scene(driver, 20_000))
        func cost(_ scene: Scene, after count: Int) async throws -> Duration {
            var best = Duration.seconds(100)
            for _ in 0..<15 {
                let start = ContinuousClock.now
                #expect(try await scene.page(after: count).records.count == 20)
                best = min(best, ContinuousClock.now - start)
            }
            return best
        }
        let usual = try await cost(short, after: 10)
        for place in [0, 10_000, 19_900] {
            // Reading all that lies before it would take hundreds of times as long.
            let there = try await cost(long, after: place)
            #expect(there < usual * 8, "\(there) after \(place), \(usual) usually")
        }
    }
}
