import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// The routes of the portal, to be added to the store's router.
package struct PortalRoutes: Sendable {
    /// What the portal lies below.
    package static let prefix = "/connect"
    /// What lies there and is not the portal's, but the API's.
    private static let apiFolders = [
        "/connect/v1/", "/connect/v2/", "/connect/v3/", "/connect/openstore/",
    ]

    private let gate: PortalGate

    package init(services: PortalServices) {
        gate = PortalGate(
            services: services, layout: PortalLayout(files: PortalFiles(naming: services.tokens)))
    }

    package func routes() -> [Router.Route] {
        let files = gate.layout.files
        var routes = PortalRouteTable.routes.map { (route: PortalRoute) -> Router.Route in
            Router.Route(
                route.method, Self.prefix + route.pattern,
                admission: { request in await gate.refusal(of: request, by: route) }
            ) { request in
                .later { await gate.respond(route, request) }
            }
        }
        routes.append(
            Router.Route(.get, Self.prefix + "/assets/{name}") { request in
                .now(files.response(named: request.parameters.first ?? "") ?? gate.unknown(request))
            })
        routes.append(
            Router.Route(.get, Self.prefix) { _ in .now(.portalRedirect(to: PortalPath.start)) })
        return routes
    }

    /// The page for an address below `/connect/` where there is nothing; nil for addresses of
    /// the API.
    package func unknownPage(_ request: HTTPRequest) -> HTTPResponse? {
        isPage(request.path) ? gate.unknown(request) : nil
    }

    /// The page that says that what was sent is too large; nil for addresses of the API.
    ///
    /// - Parameter limit: the most bytes that a request may have.
    package func pageTooLarge(_ path: String, limit: Int) -> HTTPResponse? {
        isPage(path) ? gate.tooLarge(limit) : nil
    }

    /// The largest body that a page takes at a path by `POST` and puts on disk while it comes in,
    /// bytes; nil for paths whose forms are small.
    package static func largestBody(_ path: String) -> Int? {
        path.hasPrefix(scalars: "\(PortalSection.items.path)/") && path.hasSuffix(scalars: "/media")
            ? ItemMediaPages.formLimit : nil
    }

    private func isPage(_ path: String) -> Bool {
        path.hasPrefix(scalars: Self.prefix + "/")
            && !Self.apiFolders.contains { path.hasPrefix(scalars: $0) }
    }

    /// A path as it may stand in a log: links that are good once are secrets.
    package static func loggable(_ path: String) -> String {
        for prefix in [PortalPath.first + "/", "/connect/invitations/"]
        where path.hasPrefix(scalars: prefix) {
            return prefix + "…"
        }
        return path
    }
}
