import StoreKernel

/// A step of the price list: one customer price in each storefront.
package struct PriceTier: Hashable, Sendable {
    /// `0` (free) to `87`, and the alternate tiers.
    package let identifier: String
    package let name: String
    private let prices: [String: Int64]

    /// Every tier, from the free one upwards, alternates last.
    package static let all: [PriceTier] = {
        let lines = priceTierTable.split(scalar: "\n").map { $0.split(scalar: "|") }
        let columns = lines[0].dropFirst(2).map(String.init)
        return lines.dropFirst().map { fields in
            precondition(fields.count == columns.count + 2, "price tier table: \(fields)")
            let figures = fields.dropFirst(2).map { Money.thousandths($0)! }
            return PriceTier(
                identifier: String(fields[0]), name: String(fields[1]),
                prices: Dictionary(uniqueKeysWithValues: zip(columns, figures)))
        }
    }()

    private static let byIdentifier: [String: PriceTier] = Dictionary(
        uniqueKeysWithValues: all.map { ($0.identifier, $0) })

    /// The tier with an identifier; nil where the price list has none.
    package static func named(_ identifier: String) -> PriceTier? { byIdentifier[identifier] }

    /// What a customer of the storefront pays.
    package func price(in storefront: Storefront) -> Money {
        let own = "\(storefront.currency)@\(storefront.country)"
        guard let thousandths = prices[own] ?? prices[storefront.currency] else {
            preconditionFailure("no price tier column for \(storefront.currency)")
        }
        return Money(thousandths: thousandths, currency: storefront.currency)
    }

    /// The lowest tier whose price in the storefront is exactly this one.
    package static func priced(_ price: Money, in storefront: Storefront) -> PriceTier? {
        all.first { $0.price(in: storefront) == price }
    }

    /// The lowest tier whose price in the storefront is closest to a price, which costs something.
    package static func closest(to price: Money, in storefront: Storefront) -> PriceTier {
        func distance(_ tier: PriceTier) -> Int64 {
            abs(tier.price(in: storefront).thousandths - price.thousandths)
        }
        let paid = all.filter { $0.price(in: storefront).thousandths > 0 }
        return paid.min { distance($0) < distance($1) } ?? all[0]
    }
}
