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
        let fixture = try await ItemSaleFixture(driver)
        func clear() async throws {
            try await fixture.database.write {
                try $0.testers.recordClearing(of: fixture.tester.id, at: SeededShop.date)
            }
        }
        // Clearing nothing takes nothing that comes later.
        try await clear()
        let album = try await fixture.buy(fixture.album, by: fixture.tester)
        let real = try await fixture.buy(fixture.album, by: fixture.ada)
        _ = try await fixture.reviews.write(
            ReviewDraft(rating: 2), on: fixture.song, by: fixture.tester)
        #expect(try await fixture.sales.owned(fixture.song, by: fixture.tester.id) == album)
        try await clear()
        #expect(try await fixture.sales.owned(fixture.album, by: fixture.tester.id) == nil)
        #expect(try await fixture.sales.owned(fixture.song, by: fixture.tester.id) == nil)
        #expect(
            try await fixture.sales.ownedItems(
                of: [fixture.album, fixture.song], by: fixture.tester.id) == [])
        #expect(try await fixture.sales.right(to: fixture.song, of: fixture.tester) == .notOwned)
        let none = try await fixture.sales.purchases(of: fixture.tester.id, PageRequest(limit: 5))
        #expect(none.items == [] && none.total == 0)
        #expect(try await !fixture.reviews.canReview(fixture.song, by: fixture.tester))
        // Testers of the team may always say what they think of its apps.
        #expect(try await fixture.reviews.canReview(fixture.app, by: fixture.tester))
        // The publisher sees what was, and that nothing is left to take back.
        let kept = try await fixture.sales.sales(
            item: fixture.album, PageRequest(limit: 5), by: fixture.member(.admin))
        #expect(kept.items.map(\.id) == [real.id, album.id])
        #expect(kept.items.map(\.isCleared) == [false, true])
        let refused = try await refusal(ConnectRefusal.self) {
            try await fixture.sales.refund(album.id, by: fixture.member(.admin))
        }
        #expect(refused?.rule == "saleCleared")
        let again = try await fixture.buy(fixture.album, by: fixture.tester)
        #expect(again.id != album.id && !again.isCleared)
        #expect(try await fixture.sales.owned(fixture.song, by: fixture.tester.id) == again)
        // Others' are theirs.
        #expect(try await fixture.sales.owned(fixture.album, by: fixture.ada.id) == real)
    }

    @Test(arguments: StoreDriver.all)
    func `testers download what their own team sells, and what is free`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        for item in [fixture.album, fixture.otherBook] {
            for account in [fixture.tester, fixture.ada] {
                #expect(try await fixture.sales.right(to: item, of: account) == .notOwned)
                try await fixture.buy(item, by: account)
            }
        }
        #expect(try await fixture.sales.right(to: fixture.song, of: fixture.tester) == .given)
        #expect(
            try await fixture.sales.right(to: fixture.otherBook, of: fixture.tester) == .withheld)
        #expect(try await fixture.sales.right(to: fixture.otherBook, of: fixture.ada) == .given)
        // Made by the operator, for no team.
        let guest = try await fixture.customer(1, with: fixture.otherBook, in: .sandbox)
        #expect(try await fixture.sales.right(to: fixture.otherBook, of: guest) == .given)
        let team = fixture.otherTeam
        let free = try await fixture.database.write { repositories in
            try repositories.items.insert(
                ItemDetails(kind: .ebook, title: "Gift", genres: [38]), id: nil, of: team,
                state: .onSale, at: SeededShop.date
            ).id
        }
        _ = try await fixture.sales.buy(
            free, expecting: Money(thousandths: 0, currency: "USD"), by: fixture.tester)
        #expect(try await fixture.sales.right(to: free, of: fixture.tester) == .given)
    }
}
