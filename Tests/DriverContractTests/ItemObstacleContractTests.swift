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
        let scene = try await ItemSaleScene(driver)
        let shown = StorefrontService(database: scene.database)
        let before = try await scene.database.storefrontGeneration()
        #expect(try await shown.item(scene.book, in: .unitedStates)?.obstacle == nil)
        let agreements = AgreementService(database: scene.database, clock: scene.clock)
        _ = try await agreements.terminate(.paidApps, of: scene.team, by: .machine)
        #expect(try await scene.database.storefrontGeneration() > before)
        #expect(
            try await shown.item(scene.book, in: .unitedStates)?.obstacle == .noPaidAgreement)
        #expect(try await shown.item(scene.app, in: .unitedStates)?.obstacle == nil)
        let refused = try await refusal(ItemSaleRefusal.self) {
            try await scene.buy(scene.book, by: scene.ada)
        }
        #expect(refused == .obstacle(.noPaidAgreement))
    }

    @Test(arguments: StoreDriver.all)
    func `an album is sold with the first of its songs that has a file`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(driver)
        func withFiles() async throws -> Set<ItemID> {
            try await scene.database.read { [scene] in
                try $0.itemMedia.withFiles([scene.album, scene.song, scene.book])
            }
        }
        #expect(try await withFiles() == [scene.album, scene.song, scene.book])
        try await scene.database.write { [scene] in
            var song = try #require(try $0.items.item(scene.song))
            song.state = .draft
            try $0.items.update(song, at: SeededShop.date)
        }
        #expect(try await withFiles() == [scene.song, scene.book])
    }
}
