import StoreCore

/// The places of the side navigation.
package enum PortalSection: String, Sendable, CaseIterable {
    case apps, identifiers, profiles, sandbox, sales, users, agreements, keys, activity
    case review, teams, staff

    package var title: String {
        switch self {
        case .apps: "Apps"
        case .identifiers: "Identifiers"
        case .profiles: "Profiles"
        case .sandbox: "Sandbox"
        case .sales: "Sales and Trends"
        case .users: "Users and Access"
        case .agreements: "Agreements"
        case .keys: "Keys"
        case .activity: "Activity"
        case .review: "Review"
        case .teams: "Teams"
        case .staff: "Staff"
        }
    }

    /// Its page, as the pattern of its route.
    package var pattern: String { "/\(rawValue)" }
    package var path: String { PortalRoutes.prefix + pattern }

    /// Whether it is for the store's staff.
    package var isForStaff: Bool {
        switch self {
        case .review, .teams, .staff: true
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
