import Foundation
import StoreModel

extension ListedItem {
    /// What the search API writes for what can't be bought by itself.
    private static let notSold: Double = -1

    /// Prices as the line says them: a tier, by storefront, or one price of one storefront,
    /// whose tier then holds everywhere.
    func itemPrices(_ one: Double?) throws -> ItemPrices {
        var result = ItemPrices()
        if let priceTier {
            result.tier = String(priceTier.value)
        } else if prices == nil, let one, one != Self.notSold {
            result = try single(one)
        } else if prices == nil, wrapperType == "track", kind == ItemKind.podcast.rawValue {
            result.tier = "0"
        }
        if let prices { result.own = try Self.thousandths(prices, "prices") }
        if let storefronts {
            result.storefronts = Set(try storefronts.map { try Self.code($0, "storefronts") })
        }
        return result
    }

    /// The tier of a price in the line's country; the price itself there where it is none of
    /// the price list.
    func single(_ amount: Double) throws -> ItemPrices {
        let storefront = try self.storefront()
        let price = Money(
            thousandths: try Self.thousandths(amount, "price"), currency: storefront.currency)
        if price.thousandths == 0 { return .free }
        if let tier = PriceTier.priced(price, in: storefront) {
            return ItemPrices(tier: tier.identifier)
        }
        return ItemPrices(own: [storefront.code: price.thousandths])
    }

    private func storefront() throws -> Storefront {
        guard let country else {
            guard let currency, currency != Storefront.unitedStates.currency else {
                return .unitedStates
            }
            guard let first = Storefront.all.first(where: { $0.currency == currency }) else {
                throw ItemRules.refusal(
                    "currency", "currency", "No storefront sells in \(quoted(currency)).",
                    "Give prices by storefront instead.")
            }
            return first
        }
        guard let known = Storefront.named(country) else {
            throw ItemRules.refusal(
                "storefront", "country", "There is no storefront \(quoted(country)).",
                "Use the letters of ISO 3166-1, for example US or USA.")
        }
        return known
    }

    static func thousandths(_ prices: [String: Double], _ field: String) throws -> [String: Int64] {
        var own: [String: Int64] = [:]
        for (name, amount) in prices {
            own[try code(name, field)] = try thousandths(amount, field)
        }
        return own
    }

    private static func thousandths(_ amount: Double, _ field: String) throws -> Int64 {
        guard amount >= 0, amount <= Double(Money.highestPrice) / 1000 else {
            throw ItemRules.refusal(
                "price", field, "\(amount) is not a price.",
                "Give an amount from 0 to \(Money.highestPrice / 1000).")
        }
        // What is not a whole number of thousandths would be rounded to another price.
        let thousandths = (amount * 1000).rounded()
        guard abs(amount * 1000 - thousandths) < 0.001 else {
            throw ItemRules.refusal(
                "price", field, "\(amount) is not a price.",
                "Give at most three digits behind the point.")
        }
        return Int64(thousandths)
    }

    private static func code(_ name: String, _ field: String) throws -> String {
        guard let storefront = Storefront.named(name) else {
            throw ItemRules.refusal(
                "storefront", field, "There is no storefront \(quoted(name)).",
                "Use the letters of ISO 3166-1, for example US or USA.")
        }
        return storefront.code
    }
}
