import Foundation
import StoreHTTP
import StoreModel

/// The browser of a customer who walks through the store: its cookies, and whether a form is
/// from a page of ours.
struct StorefrontBrowser: Sendable {
    private static let securePrefix = "__Host-"

    private let request: HTTPRequest
    private let environment: StoreEnvironment

    init(_ request: HTTPRequest, in environment: StoreEnvironment) {
        self.request = request
        self.environment = environment
    }

    /// Whether the browser speaks TLS, with the store or with a proxy in front of it.
    private var isSecure: Bool {
        if let origin = request.headers["Origin"], origin != "null" {
            return origin.lowercased().hasPrefix(scalars: "https:")
        }
        return request.isSecure
    }

    /// Scheme, host and port by which the browser reaches the store.
    var origin: String { request.origin(isSecure: isSecure) }

    /// The same cookie as the one of the pages with questions: who has signed in there has
    /// signed in here.
    private var sessionName: String { "openstore-\(environment.word)" }
    private var visitName: String { "openstore-visit-\(environment.word)" }
    private var referralName: String { "openstore-from-\(environment.word)" }

    /// The token of the browser's session; nil for none.
    var session: String? { token(sessionName) }

    /// The token of a browser without a session, which its forms carry. Apart from the session's:
    /// who follows a link from elsewhere comes without that cookie, and must not lose the session
    /// over it.
    var visit: String? { token(visitName) }

    private func token(_ name: String) -> String? {
        let found =
            cookie(Self.securePrefix + name) ?? (request.isSecure ? nil : cookie(name))
        guard let found, (32...128).contains(found.utf8.count) else { return nil }
        return found
    }

    /// Who sent the customer, as a link said a while ago; nil for nobody.
    var referral: String? {
        cookie(Self.securePrefix + referralName)
            ?? (request.isSecure ? nil : cookie(referralName))
    }

    /// The header that gives the browser the token of a session, for as long as it runs.
    func setting(session: String) -> String { setting(sessionName, session) }

    func setting(visit: String) -> String { setting(visitName, visit) }

    private func setting(_ name: String, _ token: String) -> String {
        "\(isSecure ? Self.securePrefix : "")\(name)=\(token)"
            + "; Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }

    /// The header that lets the browser remember who sent the customer. Links come from other
    /// sites, so it is sent along by them as well.
    ///
    /// - Parameter seconds: how long; `nil` until the browser is closed.
    func setting(referral: String, seconds: Int?) -> String {
        "\(isSecure ? Self.securePrefix : "")\(referralName)=\(referral)"
            + (seconds.map { "; Max-Age=\($0)" } ?? "")
            + "; Path=/; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
    }

    var isOwnForm: Bool { request.isOwnForm }

    private func cookie(_ name: String) -> String? {
        for field in request.headers.fields where field.name.lowercased() == "cookie" {
            for cookie in field.value.split(scalar: ";") {
                let sides = cookie.split(scalar: "=", maxSplits: 1)
                guard sides.count == 2, sides[0].trimmingCharacters(in: .whitespaces) == name
                else { continue }
                return sides[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return nil
    }
}
