import Foundation
import StoreHTTP

/// What a handler of the portal gives back.
package enum PortalAnswer: Sendable {
    /// A page; 422 for a form that comes back with what was wrong.
    case page(PortalPage, status: Int = 200)
    /// To another page by GET, so that nothing is sent twice.
    ///
    /// - Parameter notice: what the next page says first, for example "Saved."
    case redirect(to: String, notice: String? = nil)
    /// To another page, signed in: the browser gets the token of a session.
    case entering(session: String, to: String, notice: String? = nil)
    /// To another page, signed out.
    case leaving(to: String)
    /// Something to be saved as a file.
    case download(Data, type: String, name: String)
    /// An answer as it is: JSON for the portal's script, a picture.
    case response(HTTPResponse)

    /// A form that comes back with what was wrong.
    package static func again(_ page: PortalPage) -> PortalAnswer { .page(page, status: 422) }
}
