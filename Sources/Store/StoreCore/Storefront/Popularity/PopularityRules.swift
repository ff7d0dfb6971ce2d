import StoreModel

/// How popular items are, from metrics.
package enum PopularityRules {
    /// A sale of the last month counts ten, one of the last year three, an older one one; each
    /// rating counts as many as it has stars above one, divided by four.
    ///
    /// So what sells today comes before what sold long ago, and the figure that each sale and
    /// rating adds in between (`ItemSaleRules.popularity`) is the one of a month.
    package static func popularity(_ metrics: PopularityMetrics) -> Int64 {
        var points: Int64 = 0
        for sales in metrics.sales {
            points += 10 * sales.month + 3 * (sales.year - sales.month) + (sales.all - sales.year)
        }
        let stars = metrics.rating.counts.enumerated().reduce(0) { $0 + $1.offset * $1.element }
        return max(0, points + Int64(stars) / 4)
    }

    /// What an item earned in the last month, comparable between currencies: thousandths of a
    /// US dollar, by the prices of one tier of the price list.
    package static func gross(_ metrics: PopularityMetrics) -> Int64 {
        metrics.sales.reduce(0) { sum, sales in
            let price = reference.price(in: sales.storefront).thousandths
            guard price > 0 else { return sum }
            let own = Double(sales.revenue) / Double(price)
            let dollars = own * Double(reference.price(in: .unitedStates).thousandths)
            return sum + Int64(min(max(0, dollars), 1e15).rounded())
        }
    }

    private static let reference: PriceTier = PriceTier.named("10")!
}
