/// What an item costs where: a price tier, prices of single storefronts beside it, and the
/// storefronts that sell it.
///
/// Kept as JSON in one column: a shop of a million items has no row per item and storefront.
package struct ItemPrices: Sendable, Hashable, Codable {
    /// The tier's identifier; nil where only the storefronts below have prices. Tier `0` is free.
    package var tier: String?
    /// Prices instead of the tier's, thousandths of the storefront's currency, by its alpha-3 code.
    package var own: [String: Int64]
    /// The alpha-3 codes of the storefronts that sell it; nil for all that have a price.
    package var storefronts: Set<String>?

    package init(tier: String? = nil, own: [String: Int64] = [:], storefronts: Set<String>? = nil) {
        self.tier = tier
        self.own = own
        self.storefronts = storefronts
    }

    /// Free, everywhere.
    package static let free = ItemPrices(tier: "0")

    /// The price in a storefront; nil where it is not sold there.
    package func price(in storefront: Storefront) -> Money? {
        if let storefronts, !storefronts.contains(storefront.code) { return nil }
        if let thousandths = own[storefront.code] {
            return Money(thousandths: thousandths, currency: storefront.currency).payable
        }
        return tier.flatMap { PriceTier.named($0) }?.price(in: storefront)
    }

    /// Whether it has no price anywhere: only to look at, such as a song that is sold with its
    /// album only.
    package var isForShow: Bool { tier == nil && own.isEmpty }

    /// Whether customers of a storefront see it: it is sold there, or shown without a price.
    package func isShown(in storefront: Storefront) -> Bool {
        if let storefronts, !storefronts.contains(storefront.code) { return false }
        return tier != nil || own.isEmpty || own[storefront.code] != nil
    }

    /// The codes of the storefronts that show it; nil for all of them.
    package var shownIn: [String]? {
        if tier != nil || own.isEmpty { return storefronts?.sorted() }
        return own.keys.filter { storefronts?.contains($0) ?? true }.sorted()
    }

    /// Whether nobody pays for it. What is only shown is not free.
    package var isFree: Bool {
        if isForShow { return false }
        return (tier == nil || tier == "0") && own.values.allSatisfy { $0 == 0 }
    }

    /// Whether it costs nothing in some storefronts, and something in others.
    package var isFreeSomewhere: Bool {
        (tier == "0" || own.values.contains(0)) && !isFree
    }

    /// The codes of all storefronts that sell it.
    package var soldIn: [String] {
        Storefront.all.filter { price(in: $0) != nil }.map(\.code)
    }
}

extension ItemPrices {
    private enum CodingKeys: String, CodingKey {
        case tier, own, storefronts
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            tier: try values.decodeIfPresent(String.self, forKey: .tier),
            own: try values.decodeIfPresent([String: Int64].self, forKey: .own) ?? [:],
            storefronts: try values.decodeIfPresent(Set<String>.self, forKey: .storefronts))
    }

    /// Leaves out what is not said.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(tier, forKey: .tier)
        if !own.isEmpty { try values.encode(own, forKey: .own) }
        try values.encodeIfPresent(storefronts?.sorted(), forKey: .storefronts)
    }
}
