import StoreModel
import Testing

@testable import StoreCore

@Suite struct PopularityRulesTests {
    private func metrics(
        _ sales: [PopularityMetrics.Sales], rating: [Int] = [0, 0, 0, 0, 0]
    ) -> PopularityMetrics {
        PopularityMetrics(
            item: ItemID(number: 1), popularity: 0, gross: 0, sales: sales,
            rating: RatingSummary(counts: rating))
    }

    @Test func `what sells today counts more than what sold long ago`() {
        let usa = Storefront.unitedStates
        let new = metrics([.init(storefront: usa, month: 5, year: 5, all: 5, revenue: 0)])
        let year = metrics([.init(storefront: usa, month: 0, year: 5, all: 5, revenue: 0)])
        let old = metrics([.init(storefront: usa, month: 0, year: 0, all: 5, revenue: 0)])
        #expect(PopularityRules.popularity(new) == 50)
        #expect(PopularityRules.popularity(year) == 15)
        #expect(PopularityRules.popularity(old) == 5)
    }

    @Test func `stars count, single ones don't`() {
        #expect(PopularityRules.popularity(metrics([], rating: [9, 0, 0, 0, 0])) == 0)
        #expect(PopularityRules.popularity(metrics([], rating: [0, 0, 0, 0, 8])) == 8)
        #expect(PopularityRules.popularity(metrics([])) == 0)
    }

    @Test func `revenue is compared by the prices of one tier`() {
        let dollars = metrics([
            .init(storefront: .unitedStates, month: 1, year: 1, all: 1, revenue: 9_990)
        ])
        let yen = metrics([
            .init(storefront: .named("JPN")!, month: 1, year: 1, all: 1, revenue: 1_200_000)
        ])
        #expect(PopularityRules.gross(dollars) == 9_990)
        #expect(PopularityRules.gross(yen) == 9_990)
    }
}
