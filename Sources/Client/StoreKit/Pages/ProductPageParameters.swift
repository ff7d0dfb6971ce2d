import StoreModel

/// Who sent the customer to an item, as an app says it.
struct ItemReferral: Sendable, Hashable {
    var affiliateToken: String?
    var campaignToken: String?
    var providerToken: String?

    /// The address with the names that links to the store carry it by.
    func added(to url: URL) -> URL {
        let values = [("at", affiliateToken), ("ct", campaignToken), ("pt", providerToken)]
        let items = values.compactMap { name, value in
            value.map { URLQueryItem(name: name, value: $0) }
        }
        return items.isEmpty ? url : url.appending(queryItems: items)
    }
}

/// What an app asks ``SKStoreProductViewController`` for.
struct ProductPageParameters: Sendable, Hashable {
    let item: Int64
    var referral = ItemReferral()
    /// What was left out, in sentences: who looks at an item has not written the token.
    private(set) var dropped: [String] = []

    /// - Throws: an error of the domain `OpenStoreErrorDomain` that names the parameter and
    ///   what is wrong with it.
    init(_ parameters: [String: Any]) throws {
        let key = SKStoreProductParameterITunesItemIdentifier
        guard let value = parameters[key] else {
            throw StorePageLookup.problem(
                "The parameters lack SKStoreProductParameterITunesItemIdentifier.")
        }
        guard let number = Self.number(value) ?? (value as? String).flatMap({ Int64($0) }),
            number > 0
        else {
            throw StorePageLookup.problem(
                "\(value) is no item identifier: it has to be a whole number above 0.")
        }
        item = number
        for rule in Self.rules {
            guard let value = parameters[rule.key], !rule.accepts(value) else { continue }
            throw StorePageLookup.problem(
                "\(rule.name) is “\(value)”, a \(type(of: value)); it has to be \(rule.wanted).")
        }
        referral.affiliateToken = token(
            .affiliate, parameters[SKStoreProductParameterAffiliateToken], "AffiliateToken")
        referral.campaignToken = token(
            .campaign, parameters[SKStoreProductParameterCampaignToken], "CampaignToken")
        referral.providerToken = token(
            .provider, parameters[SKStoreProductParameterProviderToken], "ProviderToken")
    }

    private mutating func token(_ kind: ReferralToken, _ value: Any?, _ name: String) -> String? {
        // Apps pass on what they have, which may be nothing.
        guard let text = value as? String, !text.isEmpty else { return nil }
        guard !kind.accepts(text) else { return text }
        dropped.append(
            "SKStoreProductParameter\(name) “\(text.terminalText())” is left out: a token the store knows has "
                + "\(kind.rule).")
        return nil
    }

    // MARK: Values

    /// A whole number; nil for anything else, truth values among it.
    private static func number(_ value: Any) -> Int64? {
        guard type(of: value) != Bool.self, let number = value as? NSNumber,
            let rounded = Int64(exactly: number.doubleValue)
        else { return nil }
        // From 2^53 on, a double does not tell neighbours apart.
        return rounded.magnitude < 1 << 53 ? rounded : Int64(number.stringValue)
    }

    private static func isText(_ value: Any, limit: Int) -> Bool {
        guard let text = value as? String, text.utf8.count <= limit else { return false }
        return text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// What a parameter has to be.
    private struct Rule: Sendable {
        let key: String
        let name: String
        let wanted: String
        let accepts: @Sendable (Any) -> Bool

        static func token(_ key: String, _ name: String) -> Rule {
            Rule(key: key, name: "SKStoreProductParameter" + name, wanted: "a string") {
                $0 is String
            }
        }

        static func text(_ key: String, _ name: String, limit: Int = 255) -> Rule {
            Rule(
                key: key, name: "SKStoreProductParameter" + name,
                wanted: "a string of at most \(limit) bytes without control characters"
            ) { isText($0, limit: limit) }
        }

        static func uuid(_ key: String, _ name: String) -> Rule {
            Rule(key: key, name: "SKStoreProductParameter" + name, wanted: "a UUID") { value in
                value is UUID || value is NSUUID
                    || (value as? String).flatMap { UUID(uuidString: $0) } != nil
            }
        }

        static func number(_ key: String, _ name: String, _ range: ClosedRange<Int64>) -> Rule {
            Rule(
                key: key, name: "SKStoreProductParameter" + name,
                wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)"
            ) { value in ProductPageParameters.number(value).map { range.contains($0) } ?? false }
        }
    }

    private static let rules: [Rule] = [
        .text(SKStoreProductParameterProductIdentifier, "ProductIdentifier"),
        .uuid(
            SKStoreProductParameterCustomProductPageIdentifier, "CustomProductPageIdentifier"),
        .token(SKStoreProductParameterAffiliateToken, "AffiliateToken"),
        .token(SKStoreProductParameterCampaignToken, "CampaignToken"),
        .token(SKStoreProductParameterProviderToken, "ProviderToken"),
        .text(SKStoreProductParameterAdvertisingPartnerToken, "AdvertisingPartnerToken"),
        .text(
            SKStoreProductParameterAdNetworkAttributionSignature,
            "AdNetworkAttributionSignature", limit: 1024),
        .number(
            SKStoreProductParameterAdNetworkCampaignIdentifier, "AdNetworkCampaignIdentifier",
            0...Int64.max),
        .number(
            SKStoreProductParameterAdNetworkSourceIdentifier, "AdNetworkSourceIdentifier",
            0...9999),
        .text(SKStoreProductParameterAdNetworkIdentifier, "AdNetworkIdentifier"),
        .uuid(SKStoreProductParameterAdNetworkNonce, "AdNetworkNonce"),
        .number(
            SKStoreProductParameterAdNetworkTimestamp, "AdNetworkTimestamp", 0...Int64.max),
        .number(
            SKStoreProductParameterAdNetworkSourceAppStoreIdentifier,
            "AdNetworkSourceAppStoreIdentifier", 0...Int64.max),
        .text(SKStoreProductParameterAdNetworkVersion, "AdNetworkVersion"),
    ]
}
