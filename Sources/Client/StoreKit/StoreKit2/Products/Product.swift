import StoreWire

/// A product of this store, in the language and currency of the customer's storefront.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct Product: Identifiable, Sendable {
    /// The type of a product identifier.
    public typealias ID = String

    let backing: JSONBacking

    /// The identifier that the app asked for.
    public let id: String
    /// What kind of product it is.
    public let type: Product.ProductType
    /// The name, in the storefront's language; empty if it has none.
    public let displayName: String
    /// The description, in the storefront's language.
    public let description: String
    /// What one costs, in units of the storefront's currency.
    public let price: Decimal
    /// ``price`` as people of the storefront write it, such as `$0.99`.
    public var displayPrice: String { shownPrice.text }
    /// Whether the customer's family may use it too.
    public let isFamilyShareable: Bool
    /// What makes it a subscription that renews by itself; `nil` for other products.
    public let subscription: Product.SubscriptionInfo?

    private let shownPrice: DisplayPrice

    /// - Throws: `JSONBacking.Missing` if the JSON lacks what every product has.
    init(_ backing: JSONBacking) throws {
        let attributes: JSONValue = backing["attributes"] ?? .null
        let offer: JSONValue = attributes["offers"]?.elements?.first ?? .null
        self.backing = backing
        id = try attributes.required("offerName").text ?? ""
        type = ProductType(rawValue: try attributes.required("kind").text ?? "")
        displayName = attributes["name"]?.text ?? ""
        description = attributes["description"]?["standard"]?.text ?? ""
        (price, shownPrice) = try offer.price(in: CatalogueLocale(attributes: attributes))
        isFamilyShareable = attributes["isFamilyShareable"] == 1
        subscription = type.renews ? try SubscriptionInfo(backing, attributes: attributes) : nil
    }

    /// The product as JSON, in the form of the App Store's catalogue.
    ///
    /// The product's identifier is `attributes.offerName`; `id` is the store's number for it.
    public var jsonRepresentation: Data {
        backing.value.withDisplayPrices()?.encoded() ?? backing.data
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product: Hashable {
    /// Equal if the JSON is.
    public static func == (a: Product, b: Product) -> Bool { a.backing == b.backing }

    /// Hashes the JSON.
    public func hash(into hasher: inout Hasher) { hasher.combine(backing) }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product: CustomDebugStringConvertible {
    /// The product as JSON, for people.
    public var debugDescription: String {
        JSONBacking(data: jsonRepresentation, value: backing.value).prettyText
    }
}
