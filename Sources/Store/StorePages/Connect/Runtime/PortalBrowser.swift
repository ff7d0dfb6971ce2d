import Foundation
import StoreHTTP
import StoreModel

/// The browser that sends a request: its cookie, and whether a form is from a page of ours.
struct PortalBrowser: Sendable {
    private static let cookieName = "openstore-connect"
    private static let securePrefix = "__Host-"
    /// How long the sentence for the next page waits, in seconds.
    private static let noticeAge = 30

    private let request: HTTPRequest
    private var headers: HTTPHeaders { request.headers }

    init(_ request: HTTPRequest) {
        self.request = request
    }

    /// Whether the browser speaks TLS, with the store or with a proxy in front of it. Who
    /// lies about it changes nothing but the attributes of a cookie of their own.
    var isSecure: Bool {
        if let origin = headers["Origin"], origin != "null" {
            return origin.lowercased().hasPrefix(scalars: "https:")
        }
        return request.isSecure
    }

    /// Scheme, host and port by which the browser reaches the store, for links that are
    /// passed on.
    var origin: String { request.origin(isSecure: isSecure) }

    /// The same for what the store signs; nil where only the browser says it.
    var trustedOrigin: String? { request.trustedOrigin(isSecure: isSecure) }

    /// The token of the browser's session; nil for none.
    var session: String? { token(Self.cookieName) }

    /// The token of a browser that nobody has signed in with, which its forms carry. Apart
    /// from the session's: who follows a link from elsewhere comes without cookies, and must
    /// not lose the session over it.
    var visit: String? { token(Self.cookieName + "-visit") }

    /// The header that gives the browser the token of a session, until it is closed or the
    /// session ends.
    func setting(session: String) -> String { "\(name)=\(session)\(attributes)" }

    func setting(visit: String) -> String { "\(name)-visit=\(visit)\(attributes)" }

    /// The header that takes the session from the browser.
    var clearing: String { clearing("") }

    /// The sentence that the last answer left for this page.
    var notice: String? {
        let plain = Self.cookieName + "-notice"
        guard let value = cookie(Self.securePrefix + plain) ?? cookie(plain),
            value.utf8.count <= 1024,
            let text = value.removingPercentEncoding, !text.isEmpty
        else { return nil }
        return text
    }

    /// The header that leaves a sentence for the next page; nil takes it away.
    func setting(notice: String?) -> String {
        guard let notice else { return clearing("-notice") }
        let encoded = notice.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        return "\(name)-notice=\(encoded ?? ""); Max-Age=\(Self.noticeAge)\(attributes)"
    }

    /// The header that takes a cookie away, under the name by which the browser has it.
    private func clearing(_ rest: String) -> String {
        let plain = Self.cookieName + rest
        let isPrefixed = cookie(Self.securePrefix + plain) != nil
        return (isPrefixed ? Self.securePrefix : "") + plain + "=; Max-Age=0"
            + Self.attributes(isSecure: isPrefixed || isSecure)
    }

    var isOwnForm: Bool { request.isOwnForm }

    private var name: String { (isSecure ? Self.securePrefix : "") + Self.cookieName }

    private var attributes: String { Self.attributes(isSecure: isSecure) }

    private static func attributes(isSecure: Bool) -> String {
        "; Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }

    /// The name with the prefix wins: no other host, and no page without TLS, can set it. Where
    /// the proxy says that there is TLS, it is the only one. Where it says nothing, pages were
    /// given the plain name, since only what forms send has an `Origin` to tell TLS by.
    private func token(_ name: String) -> String? {
        let token =
            cookie(Self.securePrefix + name) ?? (request.isSecure ? nil : cookie(name))
        guard let token, (32...128).contains(token.utf8.count) else { return nil }
        return token
    }

    private func cookie(_ name: String) -> String? {
        for field in headers.fields where field.name.lowercased() == "cookie" {
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
