import Foundation
import StoreModel

/// What an affiliate earns with one sale.
package struct AffiliateCredit: Sendable, Hashable {
    package var affiliate: Int64
    package var commission: Money

    package init(affiliate: Int64, commission: Money) {
        self.affiliate = affiliate
        self.commission = commission
    }

    /// The affiliate's share of a price, rounded down to the currency's smallest unit; nil for
    /// one who is not credited, and for what affiliates buy by links of their own.
    ///
    /// - Parameter buyer: the email address of the account, in lower case as both are kept.
    package init?(_ affiliate: Affiliate, for price: Money, buyer: String) {
        guard affiliate.isActive, affiliate.email != buyer else { return nil }
        let unit = Money.smallestUnit(of: price.currency)
        let whole = Int64(AffiliateRules.wholeShare)
        // In parts, so that no price is too large to be multiplied.
        let (tens, rest) = price.thousandths.quotientAndRemainder(dividingBy: whole)
        let share = Int64(affiliate.basisPoints)
        let exact = tens * share + rest * share / whole
        self.init(
            affiliate: affiliate.id,
            commission: Money(thousandths: exact / unit * unit, currency: price.currency))
    }
}

/// Rules for affiliates and their tokens.
package enum AffiliateRules {
    /// Hundredths of a percent in the whole.
    package static let wholeShare = 10_000
    package static let nameLength = 100
    package static let tokenLengths = ReferralToken.affiliateLengths

    /// Whether a text can be an affiliate's token.
    package static func isToken(_ text: String) -> Bool { ReferralToken.affiliate.accepts(text) }

    static func token(_ text: String) throws -> String {
        guard isToken(text) else {
            throw ConnectRefusal(
                .invalid, rule: "affiliateToken", field: "token",
                "\(quoted(text)) can't be the token of links.",
                help: "Use \(tokenLengths.lowerBound) to \(tokenLengths.upperBound) letters and "
                    + "digits, without accents.")
        }
        return text
    }

    static func name(_ text: String) throws -> String {
        try ConnectText.checked(text, field: "name", name: "name", in: 1...nameLength)
    }

    static func share(_ basisPoints: Int) throws -> Int {
        guard (0...wholeShare).contains(basisPoints) else {
            throw ConnectRefusal(
                .invalid, rule: "affiliateShare", field: "basisPoints",
                "\(basisPoints) hundredths of a percent are no share of a price.",
                help: "Give 0 to \(wholeShare); 700 are 7 percent.")
        }
        return basisPoints
    }
}
