import StoreCore

/// The places of the side navigation.
package enum PortalSection: String, Sendable, CaseIterable {
    case apps, items
    case customerReviews = "customer-reviews"
    case identifiers, profiles, sandbox, sales
    case itemSales = "item-sales"
    case refunds
    case users, agreements, keys, activity
    case review, teams, staff, affiliates
    case feedPartners = "feed-partners"

    package var title: String {
        switch self {
        case .apps: "Apps"
        case .items: "Items"
        case .customerReviews: "Customer Reviews"
        case .identifiers: "Identifiers"
        case .profiles: "Profiles"
        case .sandbox: "Sandbox"
        case .sales: "Sales and Trends"
        case .itemSales: "Item Sales"
        case .refunds: "Refunds"
        case .users: "Users and Access"
        case .agreements: "Agreements"
        case .keys: "Keys"
        case .activity: "Activity"
        case .review: "Review"
        case .teams: "Teams"
        case .staff: "Staff"
        case .affiliates: "Affiliates"
        case .feedPartners: "Feed Partners"
        }
    }

    /// Its page, as the pattern of its route.
    package var pattern: String { "/\(rawValue)" }
    package var path: String { PortalRoutes.prefix + pattern }

    /// Whether it is for the store's staff.
    package var isForStaff: Bool {
        switch self {
        case .review, .teams, .staff, .affiliates, .feedPartners: true
        default: false
        }
    }

    /// Whether its page is there and open to somebody.
    package func isOpen(to actor: ConnectActor) -> Bool {
        PortalRouteTable.routes.contains { route in
            guard route.method == .get, route.pattern == pattern else { return false }
            return switch route.access {
            case .open, .person: true
            case .permission(let permission): actor.allows(permission)
            }
        }
    }
}
