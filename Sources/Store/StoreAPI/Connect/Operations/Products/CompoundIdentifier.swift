import Foundation
import StoreModel
import StoreSecurity

/// The identifier of a resource that has no row of its own: what it belongs to and what tells
/// it from others there, as base64url of JSON, as App Store Connect's price points are.
struct CompoundIdentifier: Sendable, Codable, Hashable {
    /// The product's number.
    private var s: String
    /// A territory.
    var t: String?
    /// A tier of the price list.
    var p: String?
    /// Thousandths, where the price is no tier's.
    var a: Int64?
    /// The first day, as seconds since 1970.
    var d: Int64?
    /// A language as the store keeps it.
    var l: String?
    /// A revision.
    var v: Int64?

    init(_ product: ProductNumber) {
        s = product.description
    }

    /// Nil for text that is none of ours.
    init?(_ text: String) {
        guard text.utf8.count <= 400, let data = Base64URL.decode(text),
            let value = try? JSONDecoder().decode(Self.self, from: data), value.text == text
        else { return nil }
        self = value
    }

    var product: ProductNumber? { ProductNumber(s) }

    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? Base64URL.encode(encoder.encode(self))) ?? ""
    }
}
