import Foundation

/// An amount: a whole number of thousandths of a currency's unit.
///
/// 0.99 dollars is 990 thousandths of `USD`, 120 yen are 120,000 of `JPY`. Amounts are
/// never converted between currencies.
package struct Money: Hashable, Sendable, Codable {
    /// Thousandths of the currency's unit.
    package var thousandths: Int64
    /// The ISO 4217 code.
    package var currency: String

    package init(thousandths: Int64, currency: String) {
        self.thousandths = thousandths
        self.currency = currency
    }

    /// The amount in units of the currency.
    package var decimal: Decimal { Decimal(thousandths) / 1000 }

    /// The amount times a count; nil where it would not fit.
    package func multiplied(by count: Int) -> Money? {
        let (product, overflow) = thousandths.multipliedReportingOverflow(by: Int64(count))
        return overflow ? nil : Money(thousandths: product, currency: currency)
    }

    /// The amount as people of a locale write it, for example `$0.99` or `¥120`.
    package func formatted(locale identifier: String) -> String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = Locale(identifier: "\(identifier)@currency=\(currency)")
        formatter.currencyCode = currency
        return formatter.string(from: NSDecimalNumber(decimal: decimal))
            ?? "\(decimal) \(currency)"
    }

    /// Thousandths of a plain decimal number such as `0.99`, `12` or `1.5`: digits, at
    /// most one period with one to three digits behind it. Nil for anything else.
    package static func thousandths(_ text: some StringProtocol) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
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
