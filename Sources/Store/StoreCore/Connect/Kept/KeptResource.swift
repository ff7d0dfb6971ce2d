import Foundation
import StoreModel

/// A resource that the store keeps as the API gave it.
package struct KeptResource: Sendable, Hashable {
    /// A UUID in small letters; for what an app has once, the app's number.
    package let id: String
    package let kind: KeptKind
    package let app: AppID
    package let owner: KeptOwner
    package var attributes: [String: KeptValue]
    /// What relationships refer to, beside the owner.
    package var links: [String: [String]]
    package let created: Date

    /// What is there once only; the identifier where nothing is.
    package var name: String {
        guard !kind.key.isEmpty else { return id }
        return kind.key.map { field in
            attributes[field]?.text ?? links[field]?.first ?? ""
        }.joined(separator: " ")
    }

    package var territory: String? { links["territory"]?.first }

    /// What `links` has the tier of a price point under, which no relationship shows.
    package static let tier = "tier"

    /// What `links` has the secret under that the codes of a batch follow from; no relationship shows it.
    package static let codeSecret = "codeSecret"
    var secret: String? { links[Self.codeSecret]?.first }
    /// How many codes a batch has, or how many customers redeem a code.
    var codeCount: Int { attributes["numberOfCodes"]?.number ?? 0 }
}

/// A batch of codes for an offer of a subscription, or one code for many customers.
struct KeptCode {
    let resource: KeptResource
    let product: ProductID
    /// The offer's name.
    let offer: String

    /// Whether customers of an environment redeem them: of both where none is named.
    func isMeant(for environment: StoreEnvironment) -> Bool {
        let name = resource.attributes["environment"]?.text
        return name == nil || name == environment.rawValue.uppercased()
    }

    /// What customers redeem: until the end of the last day, unless it was made inactive.
    ///
    /// - Parameter key: by which its uses are counted. It is nothing that a customer can type.
    func offerCode(_ key: String, uses: Int) -> OfferCode {
        let day = resource.attributes["expirationDate"]?.text.flatMap { CalendarDay($0) }
        let isActive = resource.attributes["active"] != .flag(false)
        return OfferCode(
            code: key, app: resource.app, productID: product, uses: uses,
            end: isActive
                ? day?.beginning.addingTimeInterval(86_400) ?? .distantFuture : .distantPast,
            offer: offer)
    }
}

/// What a kept resource belongs to.
package enum KeptOwner: Sendable, Hashable {
    case app(AppID)
    case product(ProductNumber)
    case kept(String)
}

/// A resource to be kept.
package struct KeptDraft: Sendable, Hashable {
    package var kind: KeptKind
    /// A fresh UUID in small letters.
    package var id: String
    package var attributes: [String: KeptValue]
    package var links: [String: [String]]
    /// Prices that are made along with it.
    package var prices: [KeptDraft]

    package init(
        kind: KeptKind, id: String, attributes: [String: KeptValue],
        links: [String: [String]] = [:], prices: [KeptDraft] = []
    ) {
        self.kind = kind
        self.id = id
        self.attributes = attributes
        self.links = links
        self.prices = prices
    }
}
