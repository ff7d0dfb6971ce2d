import StoreModel

/// What a publisher gets of what customers pay. Payouts are not the store's.
package enum Proceeds {
    /// The publisher's part of the price, in percent.
    package static let percent: Int64 = 70

    /// The proceeds of one unit: the publisher's part of its price, rounded half up to the
    /// currency's smallest unit.
    ///
    /// - Parameter price: of one unit, not negative.
    package static func ofOne(at price: Money) -> Money {
        let unit = Money.smallestUnit(of: price.currency)
        // Whole smallest units first, so that no price is too large to be multiplied.
        let (whole, rest) = price.thousandths.quotientAndRemainder(dividingBy: 100 * unit)
        let rounded = (rest * percent * 2 + 100 * unit) / (200 * unit)
        return Money(
            thousandths: (whole * percent + rounded) * unit, currency: price.currency)
    }
}
