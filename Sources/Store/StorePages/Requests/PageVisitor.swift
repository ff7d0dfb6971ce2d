import Foundation
import StoreHTTP
import StoreModel

/// The browser that sends a request: its cookie, and where it comes from.
struct PageVisitor {
    /// Scheme and host that the browser reaches the store at.
    private let origin: String
    private let isSecure: Bool
    private let environment: StoreEnvironment

    /// - Parameter address: a base URL of the store, which the store has signed.
    init(address: String, environment: StoreEnvironment) {
        let url = URLComponents(string: address)
        let scheme = url?.scheme?.lowercased() == "https" ? "https" : "http"
        let usual = scheme == "https" ? 443 : 80
        let host = (url?.encodedHost ?? "").lowercased()
        let port = url?.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
        isSecure = scheme == "https"
        origin = "\(scheme)://\(host)\(port)"
        self.environment = environment
    }

    /// Each environment has accounts of its own, so it has a cookie of its own. The prefix
    /// makes browsers refuse one that another host of the domain, or plain HTTP, has set.
    private var cookieName: String {
        "\(isSecure ? "__Host-" : "")openstore-\(environment.word)"
    }

    /// The token that the browser carries; nil for none.
    func token(of request: HTTPRequest) -> String? {
        for field in request.headers.fields where field.name.lowercased() == "cookie" {
            for cookie in field.value.split(scalar: ";") {
                let sides = cookie.split(scalar: "=", maxSplits: 1)
                guard sides.count == 2,
                    sides[0].trimmingCharacters(in: .whitespaces) == cookieName
                else { continue }
                let token = sides[1].trimmingCharacters(in: .whitespaces)
                guard (32...128).contains(token.utf8.count) else { return nil }
                return token
            }
        }
        return nil
    }

    /// The header that gives the browser a token, for as long as it runs.
    func cookie(_ token: String) -> String {
        "\(cookieName)=\(token); Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }

    /// Whether a form was sent from a page of this store. Browsers say so themselves.
    func isOwnForm(_ request: HTTPRequest) -> Bool {
        if let stated = request.headers["Origin"] { return stated.lowercased() == origin }
        return request.headers["Sec-Fetch-Site"] == "same-origin"
    }
}

extension URLComponents {
    /// The host as it stands in `Origin`: international names encoded, IPv6 in brackets.
    fileprivate var encodedHost: String? {
        guard let host = encodedHostPart else { return nil }
        return host.contains(scalar: ":") && !host.hasPrefix(scalars: "[") ? "[\(host)]" : host
    }

    private var encodedHostPart: String? { percentEncodedHost ?? host }
}
