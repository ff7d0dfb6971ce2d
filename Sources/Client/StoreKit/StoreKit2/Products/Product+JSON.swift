import StoreModel
import StoreWire

// How the JSON of a product is read. It may come from a store that lies.
extension JSONValue {
    /// - Throws: `JSONBacking.Missing` if there is no member of this name that says something.
    func required(_ key: String) throws -> JSONValue {
        guard let value = self[key], value != .null else { throw JSONBacking.Missing(key) }
        return value
    }

    /// The price of an offer or a discount: `priceString`, else `price`, which is a number or a
    /// text; and `priceFormatted`.
    ///
    /// - Throws: `JSONBacking.Missing` if there is none, or one that is no price.
    func price() throws -> (Decimal, displayed: String) {
        let thousandths: Int64? =
            switch self["priceString"] ?? self["price"] {
            case .string(let text): Money.thousandths(text)
            case .number(let number): Int64(exactly: (number * 1000).rounded())
            default: nil
            }
        guard let thousandths, thousandths >= 0 else { throw JSONBacking.Missing("price") }
        guard let displayed = self["priceFormatted"]?.text else {
            throw JSONBacking.Missing("priceFormatted")
        }
        return (Decimal(thousandths) / 1000, displayed)
    }

    /// The period at a key.
    ///
    /// - Throws: `JSONBacking.Missing` if there is none that a subscription can have.
    func period(_ key: String) throws -> Product.SubscriptionPeriod {
        guard let period = self[key]?.text.flatMap({ Product.SubscriptionPeriod(iso8601: $0) })
        else { throw JSONBacking.Missing(key) }
        return period
    }
}

extension JSONBacking {
    /// The locale that a product's prices and periods are formatted with: the storefront's, with
    /// its currency.
    var priceLocale: Locale {
        let parts: [Substring] =
            self["attributes", "icuLocale"]?.text?.split(scalar: "@") ?? []
        guard parts.count == 2, let currency = parts[1].dropping(prefix: "currency="),
            let name = PriceLocale.identifier(String(parts[0]), currency: String(currency))
        else { return Locale(identifier: "xx_XX") }
        return Locale(identifier: name)
    }
}
