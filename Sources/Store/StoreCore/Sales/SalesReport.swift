import StoreModel

/// What a line of a report is about; nil for what it isn't broken down by.
package struct SalesKey: Sendable, Hashable {
    package var day: SalesDay?
    package var app: AppID?
    /// Of the app's; nil for an item of the storefront.
    package var product: ProductID?
    package var item: Item?
    /// The code of the storefront.
    package var territory: String?

    /// An item of the storefront; an app's item stands beside its `app`.
    package struct Item: Sendable, Hashable {
        package var id: ItemID
        /// In its primary language, as it is now.
        package var title: String

        package init(id: ItemID, title: String) {
            self.id = id
            self.title = title
        }
    }

    /// What was sold, for people: the product's identifier, or the item's title and number.
    package var subject: String? {
        product?.text ?? item.map { "\($0.title) (id\($0.id))" }
    }
}

/// Sales at one price, and refunds of one part of it, as the ledger and the sales of items add them up.
package struct SalesRow: Sendable, Hashable {
    package var key: SalesKey
    package var unitPrice: Money
    /// Units that were charged for.
    package var sold: Int64
    /// Units that were free, by their price or by an offer code.
    package var free: Int64
    /// Units, of those charged for and of those that were free, that were taken back, less those
    /// whose refund was reversed. One of which a part was given back counts as one.
    package var refundedSold: Int64
    package var refundedFree: Int64
    /// How much of the price went back with each unit of those, in thousandths of a per cent.
    package var refundedPart: Int = Revocation.everything
}

/// Amounts in one currency, thousandths.
package struct SalesAmounts: Sendable, Hashable {
    /// What customers paid.
    package var sales: Int64 = 0
    /// What they got back, less what they had to return: below zero where that is more.
    package var refunded: Int64 = 0
    /// The publisher's part of what was paid and not given back. It is below zero where more
    /// was given back in the time than paid.
    package var proceeds: Int64 = 0

    package init(sales: Int64 = 0, refunded: Int64 = 0, proceeds: Int64 = 0) {
        self.sales = sales
        self.refunded = refunded
        self.proceeds = proceeds
    }
}

/// Added-up sales. Amounts of different currencies are never added.
package struct SalesTotals: Sendable, Hashable {
    package var units: Int64 = 0
    /// Below zero where more refunds were reversed in the time than given.
    package var refunds: Int64 = 0
    /// By currency.
    package var amounts: [String: SalesAmounts] = [:]

    package mutating func add(_ row: SalesRow) {
        // Prices have a bound; figures of a database that was made without it end nothing.
        units = units.clampedSum(row.sold).clampedSum(row.free)
        refunds = refunds.clampedSum(row.refundedSold).clampedSum(row.refundedFree)
        guard row.sold != 0 || row.refundedSold != 0 else { return }
        let back = Revocation.part(row.refundedPart, of: row.unitPrice)
        let earned = Proceeds.ofOne(at: row.unitPrice).thousandths.clampedProduct(row.sold)
        let returned = Proceeds.ofOne(at: back).thousandths.clampedProduct(row.refundedSold)
        var amounts = amounts[row.unitPrice.currency] ?? SalesAmounts()
        amounts.sales = amounts.sales.clampedSum(
            row.unitPrice.thousandths.clampedProduct(row.sold))
        amounts.refunded = amounts.refunded.clampedSum(
            back.thousandths.clampedProduct(row.refundedSold))
        amounts.proceeds = amounts.proceeds.clampedSum(earned).clampedSum(
            returned.clampedProduct(-1))
        self.amounts[row.unitPrice.currency] = amounts
    }

    /// The currencies, in the alphabet's order.
    package var currencies: [String] { amounts.keys.sorted() }
}

/// The answer to a question about sales.
package struct SalesReport: Sendable, Hashable {
    package struct Line: Sendable, Hashable {
        package let key: SalesKey
        package var totals: SalesTotals
    }

    /// As many lines as a report may have: it is made whole for each page that is shown of it.
    package static let lineLimit = 20_000

    package let query: SalesQuery
    /// In the order of day, app, product, item and territory.
    package private(set) var lines: [Line] = []
    package private(set) var total = SalesTotals()

    package init(_ query: SalesQuery) {
        self.query = query
    }

    /// Adds what was sold at one price; rows of the same key come one after the other.
    package mutating func add(_ row: SalesRow) {
        total.add(row)
        if lines.last?.key != row.key {
            lines.append(Line(key: row.key, totals: SalesTotals()))
        }
        lines[lines.count - 1].totals.add(row)
    }

    /// The lines with a day, and one without sales for each day that has none, in order.
    package var everyDay: [Line] {
        let known = Dictionary(lines.map { ($0.key.day, $0) }) { first, _ in first }
        return (query.first.number...query.last.number).map { number in
            let day = SalesDay(number: number)
            return known[day] ?? Line(key: SalesKey(day: day), totals: SalesTotals())
        }
    }

    /// The lines with the most units first.
    package var byUnits: [Line] {
        lines.enumerated().sorted { left, right in
            (right.element.totals.units, left.offset) < (left.element.totals.units, right.offset)
        }.map(\.element)
    }
}
