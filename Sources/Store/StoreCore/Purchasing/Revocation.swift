import Foundation
import StoreDatabase
import StoreModel

/// The fact that a customer may not use what was bought any longer.
package struct Revocation: Sendable, Hashable, Codable {
    /// As the signed transactions have it.
    package enum Reason: String, Sendable, Codable, CaseIterable {
        /// Something is wrong with the app.
        case developerIssue
        case other
    }

    /// How it ended, as the signed transactions have it.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case full = "REFUND_FULL"
        case prorated = "REFUND_PRORATED"
        /// Whoever bought it shares it no longer.
        case family = "FAMILY_REVOKE"
    }

    /// All of what was charged.
    package static let everything = 100_000

    package var transaction: TransactionID
    package var reason: Reason
    package var date: Date
    package var kind: Kind = .full
    /// How much of what was charged was given back, in thousandths of a per cent.
    package var percentage: Int = Revocation.everything
}

extension Revocation: Record {
    package static let table: StaticString = "ledger_revocation"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        transaction = try column("id", \.transaction, .key)
        reason = try column("reason", \.reason)
        date = try column("date", \.date)
        kind = try column("type", \.kind)
        percentage = try column("percentage", \.percentage)
    }
}

extension Revocation.Reason: TextColumnValue {}
extension Revocation.Kind: TextColumnValue {}

extension Revocation {
    /// What goes back of a price, rounded half up to the currency's smallest unit.
    ///
    /// - Parameters:
    ///   - percentage: in thousandths of a per cent.
    ///   - price: of one, not negative.
    package static func part(_ percentage: Int, of price: Money) -> Money {
        guard percentage < everything else { return price }
        let (part, unit) = (Int64(percentage), Money.smallestUnit(of: price.currency))
        let all = Int64(everything)
        // Whole smallest units first, so that no price is too large to be multiplied.
        let (whole, rest) = price.thousandths.quotientAndRemainder(dividingBy: all * unit)
        let rounded = (rest * part * 2 + all * unit) / (2 * all * unit)
        return Money(thousandths: (whole * part + rounded) * unit, currency: price.currency)
    }

    /// What the customer got back of a purchase: the part of each one's price. Reports of sales
    /// count it so.
    package func amount(of details: LedgerDraft) -> Money {
        Self.amount(kind == .family ? 0 : percentage, of: details)
    }

    /// What a part of what was charged is.
    ///
    /// - Parameter percentage: in thousandths of a per cent.
    package static func amount(_ percentage: Int, of details: LedgerDraft) -> Money {
        guard details.charged.thousandths > 0 else {
            return Money(thousandths: 0, currency: details.charged.currency)
        }
        var amount = part(percentage, of: details.unitPrice)
        amount.thousandths *= Int64(details.quantity)
        return amount
    }
}
