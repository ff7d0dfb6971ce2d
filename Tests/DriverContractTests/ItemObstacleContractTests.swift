import Foundation
import StoreCore
import StoreModel
import Testing

/// What keeps items from being sold, over every driver.
@Suite(.usesDrivers) struct ItemObstacleContractTests {
    @Test(arguments: StoreDriver.all)
    func `the end of an agreement makes the storefront's pages old`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let shown = StorefrontService(database: fixture.database)
        let before = try await fixture.database.storefrontGeneration()
        #expect(try await shown.item(fixture.book, in: .unitedStates)?.obstacle == nil)
        let agreements = AgreementService(database: fixture.database, clock: fixture.clock)
        _ = try await agreements.terminate(.paidApps, of: fixture.team, by: .machine)
        #expect(try await fixture.database.storefrontGeneration() > before)
        #expect(
            try await shown.item(fixture.book, in: .unitedStates)?.obstacle == .noPaidAgreement)
        #expect(try await shown.item(fixture.app, in: .unitedStates)?.obstacle == nil)
        let refused = try await refusal(ItemSaleRefusal.self) {
            try await fixture.buy(fixture.book, by: fixture.ada)
        }
        #expect(refused == .obstacle(.noPaidAgreement))
    }

    @Test(arguments: StoreDriver.all)
    func `an album is sold with the first of its songs that has a file`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        func withFiles() async throws -> Set<ItemID> {
            try await fixture.database.read { [fixture] in
                try $0.itemMedia.withFiles([fixture.album, fixture.song, fixture.book])
            }
        }
        #expect(try await withFiles() == [fixture.album, fixture.song, fixture.book])
        try await fixture.database.write { [fixture] in
            var song = try #require(try $0.items.item(fixture.song))
            song.state = .draft
            try $0.items.update(song, at: SeededShop.date)
        }
        #expect(try await withFiles() == [fixture.song, fixture.book])
    }
}
