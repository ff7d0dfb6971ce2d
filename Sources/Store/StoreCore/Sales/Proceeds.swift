import StoreModel

/// What a publisher gets of what customers pay.
package enum Proceeds {
    /// The publisher's part of the price, in percent.
    package static let percent: Int64 = 70

    /// The proceeds of one unit: the publisher's part of its price, rounded half up to the
    /// currency's smallest unit.
    ///
    /// - Parameter price: of one unit, not negative.
    package static func ofOne(at price: Money) -> Money {
        let unit = smallestUnit(of: price.currency)
        // Whole smallest units first, so that no price is too large to be multiplied.
        let (whole, rest) = price.thousandths.quotientAndRemainder(dividingBy: 100 * unit)
        let rounded = (rest * percent * 2 + 100 * unit) / (200 * unit)
        return Money(
            thousandths: (whole * percent + rounded) * unit, currency: price.currency)
    }

    /// The smallest unit that a currency is paid in, in thousandths: 10 for cents. As ISO 4217
    /// has it.
    package static func smallestUnit(of currency: String) -> Int64 {
        if withoutFraction.contains(currency) { return 1000 }
        return withThousandths.contains(currency) ? 1 : 10
    }

    private static let withoutFraction: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV",
        "XAF", "XOF", "XPF",
    ]
    private static let withThousandths: Set<String> = [
        "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND",
    ]
}
