import Foundation
import StoreCore
import StoreHTTP

/// A request to the portal, from whomever.
package struct PortalVisit: Sendable {
    package let request: HTTPRequest
    package let services: PortalServices
    /// What the browser sent with the request, and how it is reached.
    let browser: PortalBrowser
    /// The token that forms are bound to: of the session, or on open pages of the visit.
    package let token: String
    /// The fields of a POST; empty otherwise.
    package let form: FormFields
    /// The files of a form that was sent with some, by the names of their fields.
    package let files: [String: MultipartForm.File]

    /// What stood in the place of the route's `{…}`, in order.
    package func parameter(_ index: Int) -> String {
        index < request.parameters.count ? request.parameters[index] : ""
    }

    /// The first parameter of the path.
    package var id: String { parameter(0) }

    /// A value of the query; nil where it is missing or empty.
    package func query(_ name: String) -> String? {
        let value = request.query.first { $0.name == name }?.value
        return value?.isEmpty == false ? value : nil
    }

    /// What the forms of this session carry.
    package var formToken: String {
        services.tokens.formToken(of: token, on: Self.formScope)
    }

    /// What form tokens are good for: any form of the portal in the same session.
    static let formScope = "connect"

    /// Who is signed in in this browser; nil for nobody. For open pages, which have no
    /// visitor yet.
    package func signedIn() async throws -> ConnectVisitor? {
        guard let session = browser.session else { return nil }
        return try await services.sessions.visitor(token: session)
    }
}

/// A request of somebody who is signed in, acts for a team or as staff, and holds the
/// route's permission.
package struct PortalCall: Sendable {
    package let visit: PortalVisit
    package let visitor: ConnectVisitor
    /// Hands this to the services.
    package let actor: ConnectActor

    package var request: HTTPRequest { visit.request }
    package var services: PortalServices { visit.services }
    package var form: FormFields { visit.form }
    package var files: [String: MultipartForm.File] { visit.files }
    package var id: String { visit.id }

    package func parameter(_ index: Int) -> String { visit.parameter(index) }
    package func query(_ name: String) -> String? { visit.query(name) }

    /// The path that was asked for, for example `/connect/apps`.
    package var path: String { request.path }

    /// The number of the page that a list is asked for, from 1.
    package var page: Int {
        guard let text = query("page"), text.utf8.count < 8, let page = Int(text), page > 0 else {
            return 1
        }
        return page
    }
}
