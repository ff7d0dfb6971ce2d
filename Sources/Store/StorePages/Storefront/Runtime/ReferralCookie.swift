import Foundation
import StoreCore
import StoreModel

/// What a browser remembers of the link that a customer came by: who is credited for what the
/// customer buys.
///
/// It is checked and not signed: whoever can change their own cookie can as well follow a link
/// with any token in it, which is all that a forged cookie would amount to.
enum ReferralCookie {
    /// The longest cookie: forty bytes of a campaign are three times as many.
    private static let lengthLimit = 200
    /// What stands in the cookie as it is; everything else is percent-encoded.
    private static let plain = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")

    /// What the query of a link names; nil where there is nothing usable.
    static func referral(of query: [(name: String, value: String)]) -> Referral? {
        func value(_ token: ReferralToken) -> String? {
            query.first { $0.name == token.rawValue }?.value
        }
        let referral = Referral(
            affiliateToken: value(.affiliate), campaign: value(.campaign),
            provider: value(.provider)
        ).checked
        return referral.affiliateToken == nil ? nil : referral
    }

    /// The cookie's value: seconds since 1970, then the parts, each with a letter before it.
    static func text(_ referral: Referral, at date: Date) -> String {
        var parts = [String(Int64(clamping: date.timeIntervalSince1970))]
        if let token = referral.affiliateToken { parts.append("a" + token) }
        if let campaign = referral.campaign?.addingPercentEncoding(withAllowedCharacters: plain) {
            parts.append("c" + campaign)
        }
        if let provider = referral.provider { parts.append("p" + provider) }
        return parts.joined(separator: "!")
    }

    /// Browsers that restore their windows keep the cookies of a visit.
    private static let longestVisit: TimeInterval = 86_400

    /// What a cookie says; nil for one that is too old, from the future, or none of ours.
    ///
    /// - Parameter duration: how old it may be; 0 for one that ends with the visit.
    static func referral(of text: String, at date: Date, duration: TimeInterval) -> Referral? {
        guard text.utf8.count <= lengthLimit else { return nil }
        let parts = text.split(scalar: "!", omittingEmptySubsequences: false)
        guard let first = parts.first, first.utf8.count <= 12, let seconds = Int64(first) else {
            return nil
        }
        let age = date.timeIntervalSince1970 - TimeInterval(seconds)
        guard age >= -1, age <= (duration == 0 ? longestVisit : duration) else { return nil }
        var referral = Referral()
        for piece in parts.dropFirst() {
            guard let value = String(piece.dropFirst()).removingPercentEncoding else {
                return nil
            }
            switch piece.first {
            case "a": referral.affiliateToken = value
            case "c": referral.campaign = value
            case "p": referral.provider = value
            default: return nil
            }
        }
        return referral.checked.affiliateToken == nil ? nil : referral.checked
    }
}
