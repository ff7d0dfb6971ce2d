import StoreCore
import StoreHTTP

/// A route of the portal: where it is, who may call it, and what it does.
///
/// ```swift
/// extension PortalRouteTable {
///     static let testers: [PortalRoute] = [
///         .get("/sandbox/testers", .manageTesters, TesterPages.list),
///         .post("/sandbox/testers/{id}/delete", .manageTesters, TesterPages.delete),
///     ]
/// }
/// ```
///
/// What a handler may rely on: the person is signed in, acts for a team or as staff, and
/// holds the permission; of a POST, that the form was given to this very session by a page
/// of this store. It must not answer GET with a change.
package struct PortalRoute: Sendable {
    /// Who may call it.
    package enum Access: Sendable, Hashable {
        /// Anyone who can reach the store: files, signing in.
        case open
        /// Whoever is signed in, also before a team is chosen.
        case person
        case permission(ConnectPermission)
    }

    package typealias Handler = @Sendable (PortalCall) async throws -> PortalAnswer
    package typealias OpenHandler = @Sendable (PortalVisit) async throws -> PortalAnswer

    /// What answers.
    enum Action: Sendable {
        case open(OpenHandler)
        case person(PersonHandler)
        case call(Handler)
    }

    package typealias PersonHandler =
        @Sendable (PortalVisit, ConnectVisitor) async throws -> PortalAnswer

    package let method: HTTPMethod
    /// The path behind `/connect`, for example `/apps/{id}`.
    package let pattern: String
    package let access: Access
    let action: Action

    private init(_ method: HTTPMethod, _ pattern: String, _ access: Access, _ action: Action) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.action = action
    }

    /// A page.
    package static func get(
        _ pattern: String, _ permission: ConnectPermission, _ handler: @escaping Handler
    ) -> PortalRoute {
        PortalRoute(.get, pattern, .permission(permission), .call(handler))
    }

    /// What a form asks for.
    package static func post(
        _ pattern: String, _ permission: ConnectPermission, _ handler: @escaping Handler
    ) -> PortalRoute {
        PortalRoute(.post, pattern, .permission(permission), .call(handler))
    }

    /// What the portal's script sends: a form token in the header `X-Form-Token`, a body of
    /// any type, at most as long as the server takes.
    package static func put(
        _ pattern: String, _ permission: ConnectPermission, _ handler: @escaping Handler
    ) -> PortalRoute {
        PortalRoute(.put, pattern, .permission(permission), .call(handler))
    }

    /// For whoever is signed in, also before a team is chosen.
    package static func person(
        _ method: HTTPMethod, _ pattern: String, _ handler: @escaping PersonHandler
    ) -> PortalRoute {
        PortalRoute(method, pattern, .person, .person(handler))
    }

    /// For anybody.
    package static func open(
        _ method: HTTPMethod, _ pattern: String, _ handler: @escaping OpenHandler
    ) -> PortalRoute {
        PortalRoute(method, pattern, .open, .open(handler))
    }
}
