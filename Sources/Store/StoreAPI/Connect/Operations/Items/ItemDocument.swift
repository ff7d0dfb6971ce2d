import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ItemDetails {
    /// What a document says of an item that is to be made.
    ///
    /// - Throws: `ConnectRefusal` for what is no value of an item.
    init(_ data: RequestResource) throws {
        let kind = try data.value("kind", "a kind of items", ItemKind.init(rawValue:))
        let locale = data.optionalText("primaryLocale") ?? "en_US"
        self.init(kind: kind, title: "", genres: [], primaryLocale: locale)
        texts = [:]
        app = try data.optionalOne("app").map { try ResourceType.app($0) }
        try change(by: data)
    }

    /// Makes the changes that a document asks for; what it does not name stays.
    ///
    /// - Throws: `ConnectRefusal` for what is no value of an item.
    mutating func change(by data: RequestResource) throws {
        if let locale = data.optionalText("primaryLocale") { primaryLocale = locale }
        if let texts = data.attributes["texts"]?.elements { self.texts = try Self.texts(texts) }
        if let genres = data.attributes["genreIds"]?.elements {
            self.genres = genres.compactMap(\.integer)
        }
        if data.has("explicitness") {
            explicitness = try data.value(
                "explicitness", "explicit, cleaned or notExplicit", Explicitness.init(rawValue:))
        }
        if let prices = data.attributes["prices"] {
            self.prices = try ItemPrices(prices, field: "prices")
        }
        if let prices = data.attributes["rentalPrices"] {
            rentalPrices =
                prices == .null ? nil : try ItemPrices(prices, field: "rentalPrices")
        }
        for field in ItemField.all where data.has(field.name) {
            field.form.set(data.attributes[field.name] ?? .null, of: &self)
        }
        if data.hasRelationship("artist") {
            artist = try data.optionalOne("artist").map { try ResourceType.artistID($0) }
        }
        if data.hasRelationship("parent") {
            parent = try data.optionalOne("parent").map { try ResourceType.itemID($0) }
        }
    }

    private static func texts(_ elements: [JSONValue]) throws -> [String: ItemText] {
        var texts: [String: ItemText] = [:]
        for element in elements {
            guard let locale = element["locale"]?.text, let title = element["title"]?.text else {
                throw ConnectRefusal(
                    .invalid, rule: "required", field: "texts",
                    "A text lacks its locale or its title.", help: "Send both with each text.")
            }
            guard texts[locale] == nil else {
                throw ConnectRefusal(
                    .invalid, rule: "textTwice", field: "texts",
                    "There are two texts in \(locale).", help: "Send one for each locale.")
            }
            texts[locale] = ItemText(
                title: title, subtitle: element["subtitle"]?.text ?? "",
                description: element["description"]?.text ?? "",
                shortDescription: element["shortDescription"]?.text ?? "",
                releaseNotes: element["releaseNotes"]?.text ?? "")
        }
        return texts
    }
}

extension ItemField.Form {
    /// Takes over a value of a document, which was checked by the description; null takes away
    /// what was there.
    fileprivate func set(_ value: JSONValue, of details: inout ItemDetails) {
        switch self {
        case .text(let path), .url(let path): details[keyPath: path] = value.text
        case .texts(let path):
            details[keyPath: path] = (value.elements ?? []).compactMap(\.text)
        case .flag(let path): details[keyPath: path] = value.flag
        case .number(let path): details[keyPath: path] = value.integer
        case .count(let path): details[keyPath: path] = value.integer.map { Int64($0) }
        case .time(let path): details[keyPath: path] = value.text.flatMap(Date.init(iso8601:))
        }
    }
}

extension ItemPrices {
    /// - Parameter field: the attribute, for refusals.
    fileprivate init(_ value: JSONValue, field: String) throws {
        func refusal(_ rule: String, _ problem: String, _ help: String) -> ConnectRefusal {
            ConnectRefusal(.invalid, rule: rule, field: field, problem, help: help)
        }
        func territory(_ code: String?) throws -> String {
            guard let code, Storefront.named(code)?.code == code else {
                throw refusal(
                    "territoryUnknown", "There is no such territory.",
                    "Send codes of three letters, such as USA.")
            }
            return code
        }
        var own: [String: Int64] = [:]
        for price in value["own"]?.elements ?? [] {
            let code = try territory(price["territory"]?.text)
            guard let amount = price["price"]?.text.flatMap(Money.thousandths) else {
                throw refusal(
                    "priceForm", "The price of \(code) is no amount.",
                    "Write it such as 0.99, without a currency.")
            }
            guard own.updateValue(amount, forKey: code) == nil else {
                throw refusal(
                    "priceTwice", "\(code) has two prices.", "Send one for each territory.")
            }
        }
        let sold = try value["territories"]?.elements.map { elements in
            Set(try elements.map { try territory($0.text) })
        }
        self.init(tier: value["tier"]?.text, own: own, storefronts: sold)
    }
}
