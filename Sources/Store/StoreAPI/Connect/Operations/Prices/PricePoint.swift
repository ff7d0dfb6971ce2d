import Foundation
import StoreModel
import StoreSecurity
import StoreWire

/// A price of a product that could be chosen: a tier of the price list in a territory.
///
/// Its identifier says all of it: base64url of `{"s":"<product>","t":"<territory>","p":"<tier>"}`,
/// as App Store Connect's does.
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
        guard let parts = OpaqueID.decode(id, names: ["p", "s", "t"]),
            let product = ProductNumber(parts["s"] ?? ""),
            let territory = parts["t"].flatMap({ Storefront.named($0) }),
            let tier = PriceTier.all.first(where: { $0.identifier == parts["p"] }),
            // There is one spelling of each.
            territory.code == parts["t"]
        else { return nil }
        self.init(product: product, territory: territory, tier: tier)
    }

    var id: String {
        OpaqueID.encode([
            "s": product.description, "t": territory.code, "p": tier.identifier,
        ])
    }

    /// What the customer pays.
    var customerPrice: String { tier.price(in: territory).decimal.description }

    /// All price points of a product in some territories, tier by tier.
    static func all(
        of product: ProductNumber, in territories: [Storefront] = Storefront.all
    ) -> [PricePoint] {
        territories.flatMap { territory in
            PriceTier.all.map { PricePoint(product: product, territory: territory, tier: $0) }
        }
    }
}

/// Identifiers that hold what they stand for: base64url of an object of texts.
enum OpaqueID {
    static func encode(_ parts: [String: String]) -> String {
        Base64URL.encode(JSONValue.object(parts.mapValues(JSONValue.string)).encoded())
    }

    /// Nil for anything but what `encode` makes of parts with these names.
    static func decode(_ id: String, names: Set<String>) -> [String: String]? {
        guard id.utf8.count <= 500, let data = Base64URL.decode(id),
            let members = (try? JSONValue(reading: data, depth: 1))?.members,
            Set(members.keys) == names
        else { return nil }
        let parts = members.compactMapValues(\.text)
        guard parts.count == names.count, encode(parts) == id else { return nil }
        return parts
    }
}
