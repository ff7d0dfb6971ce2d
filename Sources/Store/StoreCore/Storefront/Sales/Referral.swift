import StoreDatabase
import StoreModel

/// Who sent a customer, as a link or the app's parameters said.
package struct Referral: Sendable, Hashable, Codable {
    /// The affiliate's token, `at`.
    package var affiliateToken: String?
    /// The campaign, `ct`.
    package var campaign: String?
    /// The provider of analytics, `pt`.
    package var provider: String?

    package init(affiliateToken: String? = nil, campaign: String? = nil, provider: String? = nil) {
        self.affiliateToken = affiliateToken
        self.campaign = campaign
        self.provider = provider
    }

    package var isEmpty: Bool { affiliateToken == nil && campaign == nil && provider == nil }

    /// Only what is well formed of it.
    ///
    /// A link with nonsense in it sells as any other: whoever follows a link has not written it.
    /// So what is wrong is left out, not refused.
    package var checked: Referral {
        func checked(_ text: String?, _ token: ReferralToken) -> String? {
            text.flatMap { token.accepts($0) ? $0 : nil }
        }
        return Referral(
            affiliateToken: checked(affiliateToken, .affiliate),
            campaign: checked(campaign, .campaign), provider: checked(provider, .provider))
    }
}

extension Referral: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        affiliateToken = try column("affiliate_token", \.affiliateToken)
        campaign = try column("campaign", \.campaign)
        provider = try column("provider", \.provider)
    }
}
