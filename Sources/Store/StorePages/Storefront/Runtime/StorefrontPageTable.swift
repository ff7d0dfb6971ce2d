import StoreHTTP
import StoreModel

/// Who may call a route of the pages for customers.
package enum StorefrontAccess: String, Sendable, Hashable, CaseIterable {
    /// Anyone who can reach the store: the page is the same for everybody, but for its slots.
    case anyone
    /// Anyone; what the page shows depends on who is signed in.
    case visitor
    /// Whoever is signed in and has got the item.
    case owner
    /// Whoever is signed in, for what is theirs; others are led to the page for signing in.
    case customer
    /// A form that a page has given to this browser.
    case form
}

/// Every route of the pages for customers with who may call it, below each environment and
/// country.
///
/// This is the only list: the routes are made from it, and a test walks it.
package enum StorefrontPageTable {
    package enum Operation: String, Sendable, Hashable, CaseIterable {
        case home
        case product
        case shortProduct
        case artist
        case shortArtist
        case genre
        case shortGenre
        case chart
        case find
        case countries
        case showOffer
        case buy
        case showReview
        case review
        case vote
        case showAccount
        case account
        case download
        case showOrders
        case showOrder
        case showRefund
        case askRefund
        case showSubscriptions
        case showSubscription
        case showSubscriptionStep
        case takeSubscriptionStep
        case showFamily
        case showDeparture
        case depart
    }

    package struct Row: Sendable, Hashable {
        package let method: HTTPMethod
        /// What follows the country.
        package let pattern: String
        package let access: StorefrontAccess
        package let operation: Operation
    }

    package static let rows: [Row] = [
        Row(method: .get, pattern: "", access: .anyone, operation: .home),
        Row(
            method: .get, pattern: "/{kind}/{slug}/{id}", access: .anyone, operation: .product),
        Row(method: .get, pattern: "/{kind}/{id}", access: .anyone, operation: .shortProduct),
        Row(method: .get, pattern: "/artist/{slug}/{id}", access: .anyone, operation: .artist),
        Row(method: .get, pattern: "/artist/{id}", access: .anyone, operation: .shortArtist),
        Row(method: .get, pattern: "/genre/{slug}/{id}", access: .anyone, operation: .genre),
        Row(method: .get, pattern: "/genre/{id}", access: .anyone, operation: .shortGenre),
        Row(method: .get, pattern: "/charts/{kind}", access: .anyone, operation: .chart),
        Row(method: .get, pattern: "/find", access: .anyone, operation: .find),
        Row(method: .get, pattern: "/countries", access: .anyone, operation: .countries),
        Row(method: .get, pattern: "/buy/{id}", access: .visitor, operation: .showOffer),
        Row(method: .post, pattern: "/buy/{id}", access: .form, operation: .buy),
        Row(method: .get, pattern: "/review/{id}", access: .visitor, operation: .showReview),
        Row(method: .post, pattern: "/review/{id}", access: .form, operation: .review),
        Row(method: .post, pattern: "/vote/{id}", access: .form, operation: .vote),
        Row(method: .get, pattern: "/account", access: .visitor, operation: .showAccount),
        Row(method: .post, pattern: "/account", access: .form, operation: .account),
        Row(method: .get, pattern: "/downloads/{id}", access: .owner, operation: .download),
        Row(method: .get, pattern: "/account/orders", access: .customer, operation: .showOrders),
        Row(
            method: .get, pattern: "/account/orders/{order}", access: .customer,
            operation: .showOrder),
        Row(
            method: .get, pattern: "/account/orders/{order}/refund", access: .customer,
            operation: .showRefund),
        Row(
            method: .post, pattern: "/account/orders/{order}/refund", access: .form,
            operation: .askRefund),
        Row(
            method: .get, pattern: "/account/subscriptions", access: .customer,
            operation: .showSubscriptions),
        Row(
            method: .get, pattern: "/account/subscriptions/{order}", access: .customer,
            operation: .showSubscription),
        Row(
            method: .get, pattern: "/account/subscriptions/{order}/{step}", access: .customer,
            operation: .showSubscriptionStep),
        Row(
            method: .post, pattern: "/account/subscriptions/{order}/{step}", access: .form,
            operation: .takeSubscriptionStep),
        Row(method: .get, pattern: "/account/family", access: .customer, operation: .showFamily),
        Row(
            method: .get, pattern: "/account/family/{member}", access: .customer,
            operation: .showDeparture),
        Row(
            method: .post, pattern: "/account/family/{member}", access: .form, operation: .depart),
    ]

    /// What customers do with a subscription, as it stands in addresses.
    package static let steps: Set<String> = Set(SubscriptionStep.allCases.map(\.rawValue))

    /// The countries as they stand in addresses.
    package static let countries: Set<String> = Set(
        Storefront.all.map { $0.country.lowercased() })

    /// The kinds as they stand in addresses.
    package static let kinds: Set<String> = Set(ItemKind.allCases.map(\.pathSegment))

    /// The kinds that a segment stands for; none for an unknown one.
    package static func kinds(of segment: String) -> Set<ItemKind> {
        Set(ItemKind.allCases.filter { $0.pathSegment == segment })
    }
}
