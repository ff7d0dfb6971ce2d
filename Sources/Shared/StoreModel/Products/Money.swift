import Foundation
import StoreKernel

/// An amount: a whole number of thousandths of a currency's unit.
///
/// 0.99 dollars is 990 thousandths of `USD`, 120 yen are 120,000 of `JPY`. There are
/// no exchange rates: amounts are never converted between currencies.
package struct Money: Hashable, Sendable, Codable {
    /// Thousandths of the currency's unit.
    package var thousandths: Int64
    /// The ISO 4217 code.
    package var currency: String

    package init(thousandths: Int64, currency: String) {
        self.thousandths = thousandths
        self.currency = currency
    }

    /// - Throws: `DecodingError` where the currency is not three capital letters.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        thousandths = try container.decode(Int64.self, forKey: .thousandths)
        currency = try container.decodeCurrency(forKey: .currency)
    }

    /// The amount in units of the currency.
    package var decimal: Decimal { Decimal(thousandths) / 1000 }

    /// The amount times a count; nil where it would not fit.
    package func multiplied(by count: Int) -> Money? {
        let (product, overflow) = thousandths.multipliedReportingOverflow(by: Int64(count))
        return overflow ? nil : Money(thousandths: product, currency: currency)
    }

    /// The highest price of one, in thousandths of any currency: twenty million units. The
    /// highest tier is below 15 million rupiah. 460 million sales at this price still add up to
    /// an `Int64`.
    package static let highestPrice: Int64 = 20_000_000_000

    /// Why nobody can be charged this amount, as a clause; nil for one that can be a price.
    ///
    /// What is no multiple of the currency's smallest unit, such as 0.999 dollars, no payment
    /// can move.
    package var priceProblem: String? {
        let unit = Self.smallestUnit(of: currency)
        if thousandths < 0 { return "no price is below zero" }
        if thousandths > Self.highestPrice {
            return "no price is above \(Self.highestPrice / 1000)"
        }
        if thousandths % unit != 0 {
            return "prices in \(currency) are multiples of \(Decimal(unit) / 1000)"
        }
        return nil
    }

    /// The amount without what is finer than the currency's smallest unit: 0.99 dollars of 0.995.
    ///
    /// Prices are multiples of the unit by now. One that was kept before is shown, asked for and
    /// charged alike.
    package var payable: Money {
        Money(
            thousandths: thousandths - thousandths % Self.smallestUnit(of: currency),
            currency: currency)
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

    /// The amount as people of a locale write it, for example `$0.99` or `¥120`.
    ///
    /// Any text is safe as locale and currency: what has another form than those have is not
    /// shown, and the amount is written as in `0.99 USD`.
    package func formatted(locale identifier: String) -> String {
        guard let name = PriceLocale.identifier(identifier, currency: currency) else {
            return "\(decimal) \(PriceLocale.isCurrency(currency) ? currency : "¤")"
        }
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = Locale(identifier: name)
        formatter.currencyCode = currency
        return formatter.string(from: NSDecimalNumber(decimal: decimal))
            ?? "\(decimal) \(currency)"
    }

    /// Thousandths of a plain decimal number such as `0.99`, `12` or `1.5`: digits, at
    /// most one period with one to three digits behind it. Nil for anything else.
    package static func thousandths(_ text: some StringProtocol) -> Int64? {
        let parts = text.split(scalar: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, !whole.isEmpty, whole.utf8.count <= 12
        else { return nil }
        let fraction = parts.count == 2 ? String(parts[1]) : "0"
        guard (1...3).contains(fraction.utf8.count) else { return nil }
        let digits = String(whole) + fraction
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        let padded = fraction + String(repeating: "0", count: 3 - fraction.utf8.count)
        guard let units = Int64(whole), let rest = Int64(padded) else { return nil }
        return units * 1000 + rest
    }
}

extension FixedWidthInteger {
    /// The number without its fraction, or the nearest one that fits; 0 for what is no number.
    /// `init(_:)` ends the process for those.
    package init(clamping value: Double) {
        self =
            Self(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : value < 0 ? .min : 0)
    }
}

extension Int64 {
    /// The sum, or the number nearest to it where that does not fit.
    package func clampedSum(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The product, or the number nearest to it where that does not fit.
    package func clampedProduct(_ other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) != (other < 0) ? .min : .max) : product
    }
}
