import StoreModel

/// A price of a product that could be chosen: a tier of the price list in a territory.
///
/// Its identifier says all of it, see `CompoundIdentifier`.
struct PricePoint: Sendable, Hashable {
    let product: ProductNumber
    let territory: Storefront
    let tier: PriceTier

    init(product: ProductNumber, territory: Storefront, tier: PriceTier) {
        self.product = product
        self.territory = territory
        self.tier = tier
    }

    /// Nil for text that is no identifier of a price point.
    init?(_ id: String) {
        guard let key = CompoundIdentifier(id), let product = key.product,
            let territory = key.t.flatMap(Storefront.named),
            let tier = key.p.flatMap(PriceTier.named),
            // There is one spelling of each.
            territory.code == key.t
        else { return nil }
        self.init(product: product, territory: territory, tier: tier)
        guard self.id == id else { return nil }
    }

    var id: String {
        var key = CompoundIdentifier(product)
        key.t = territory.code
        key.p = tier.identifier
        return key.text
    }

    /// All price points of a product in some territories.
    static func all(
        of product: ProductNumber, in territories: [Storefront] = Storefront.all
    ) -> [PricePoint] {
        territories.flatMap { territory in
            PriceTier.all.map { PricePoint(product: product, territory: territory, tier: $0) }
        }
    }
}
