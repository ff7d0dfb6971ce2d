import StoreModel
import StoreWire

// How the JSON of a product is read. It may come from a store that lies.
extension JSONValue {
    /// - Throws: `JSONBacking.Missing` if there is no member of this name that says something.
    func required(_ key: String) throws -> JSONValue {
        guard let value = self[key], value != .null else { throw JSONBacking.Missing(key) }
        return value
    }

    /// - Throws: `JSONBacking.Missing` if there is no text of this name.
    func requiredText(_ key: String) throws -> String {
        guard let text = self[key]?.text else { throw JSONBacking.Missing(key) }
        return text
    }

    /// The price of an offer or a discount: `priceString`, else `price`, which is a number or a
    /// text; and `priceFormatted`, which is made of it if it is not there.
    ///
    /// - Throws: `JSONBacking.Missing` if there is none, or one that is no price.
    func price(in locale: CatalogueLocale?) throws -> (Decimal, DisplayPrice) {
        let thousandths: Int64? =
            switch self["priceString"] ?? self["price"] {
            case .string(let text): Money.thousandths(text)
            case .number(let number): Int64(exactly: (number * 1000).rounded())
            default: nil
            }
        guard let thousandths, thousandths >= 0 else { throw JSONBacking.Missing("price") }
        let price = Decimal(thousandths) / 1000
        if let text = self["priceFormatted"]?.text { return (price, .written(text)) }
        guard let locale else { throw JSONBacking.Missing("priceFormatted") }
        let amount = Money(thousandths: thousandths, currency: locale.currency)
        return (price, .amount(amount, locale: locale.name))
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

/// A price as people of a storefront write it.
///
/// The store sends amounts. To format one takes longer than to read the rest of a product, so it
/// is done when the price is looked at.
enum DisplayPrice: Hashable, Sendable {
    case written(String)
    case amount(Money, locale: String)

    var text: String {
        switch self {
        case .written(let text): text
        case .amount(let amount, let locale): amount.formatted(locale: locale)
        }
    }
}

/// What `icuLocale` says in a product's JSON: the storefront's locale and currency.
struct CatalogueLocale {
    /// For example `ja_JP`.
    let name: String
    let currency: String
    /// The whole, for `Locale`.
    let identifier: String

    /// Nil if there is none, or text that is none.
    init?(attributes: JSONValue?) {
        let parts: [Substring] = attributes?["icuLocale"]?.text?.split(scalar: "@") ?? []
        guard parts.count == 2, let code = parts[1].dropping(prefix: "currency="),
            let whole = PriceLocale.identifier(String(parts[0]), currency: String(code))
        else { return nil }
        (name, currency, identifier) = (String(parts[0]), String(code), whole)
    }
}

extension JSONBacking {
    /// The locale that a product's prices and periods are formatted with: the storefront's, with
    /// its currency.
    var priceLocale: Locale {
        Locale(
            identifier: CatalogueLocale(attributes: self["attributes"])?.identifier ?? "xx_XX")
    }
}
