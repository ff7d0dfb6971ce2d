import Foundation
import StoreCore
import StoreModel
import Testing

/// What testers get of the storefront, and what becomes of it.
@Suite(.usesDrivers) struct ItemSaleTesterTests {
    @Test(arguments: StoreDriver.all)
    func `clearing a tester's history takes the items, which can be bought again`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(driver)
        func clear() async throws {
            try await scene.database.write {
                try $0.testers.recordClearing(of: scene.tester.id, at: SeededShop.date)
            }
        }
        // Clearing nothing takes nothing that comes later.
        try await clear()
        let album = try await scene.buy(scene.album, by: scene.tester)
        let real = try await scene.buy(scene.album, by: scene.ada)
        _ = try await scene.reviews.write(
            ReviewDraft(rating: 2), on: scene.song, by: scene.tester)
        #expect(try await scene.sales.owned(scene.song, by: scene.tester.id) == album)
        try await clear()
        #expect(try await scene.sales.owned(scene.album, by: scene.tester.id) == nil)
        #expect(try await scene.sales.owned(scene.song, by: scene.tester.id) == nil)
        #expect(
            try await scene.sales.ownedItems(
                of: [scene.album, scene.song], by: scene.tester.id) == [])
        #expect(try await scene.sales.right(to: scene.song, of: scene.tester) == .notOwned)
        let none = try await scene.sales.purchases(of: scene.tester.id, PageRequest(limit: 5))
        #expect(none.items == [] && none.total == 0)
        #expect(try await !scene.reviews.canReview(scene.song, by: scene.tester))
        // Testers of the team may always say what they think of its apps.
        #expect(try await scene.reviews.canReview(scene.app, by: scene.tester))
        // The publisher sees what was, and that nothing is left to take back.
        let kept = try await scene.sales.sales(
            item: scene.album, PageRequest(limit: 5), by: scene.member(.admin))
        #expect(kept.items.map(\.id) == [real.id, album.id])
        #expect(kept.items.map(\.isCleared) == [false, true])
        let refused = try await refusal(ConnectRefusal.self) {
            try await scene.sales.refund(album.id, by: scene.member(.admin))
        }
        #expect(refused?.rule == "saleCleared")
        let again = try await scene.buy(scene.album, by: scene.tester)
        #expect(again.id != album.id && !again.isCleared)
        #expect(try await scene.sales.owned(scene.song, by: scene.tester.id) == again)
        // Others' are theirs.
        #expect(try await scene.sales.owned(scene.album, by: scene.ada.id) == real)
    }

    @Test(arguments: StoreDriver.all)
    func `testers download what their own team sells, and what is free`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(driver)
        for item in [scene.album, scene.otherBook] {
            for account in [scene.tester, scene.ada] {
                #expect(try await scene.sales.right(to: item, of: account) == .notOwned)
                try await scene.buy(item, by: account)
            }
        }
        #expect(try await scene.sales.right(to: scene.song, of: scene.tester) == .given)
        #expect(try await scene.sales.right(to: scene.otherBook, of: scene.tester) == .withheld)
        #expect(try await scene.sales.right(to: scene.otherBook, of: scene.ada) == .given)
        // Made by the operator, for no team.
        let guest = try await scene.customer(1, with: scene.otherBook, in: .sandbox)
        #expect(try await scene.sales.right(to: scene.otherBook, of: guest) == .given)
        let team = scene.otherTeam
        let free = try await scene.database.write { repositories in
            try repositories.items.insert(
                ItemDetails(kind: .ebook, title: "Gift", genres: [38]), id: nil, of: team,
                state: .onSale, at: SeededShop.date
            ).id
        }
        _ = try await scene.sales.buy(
            free, expecting: Money(thousandths: 0, currency: "USD"), by: scene.tester)
        #expect(try await scene.sales.right(to: free, of: scene.tester) == .given)
    }
}
