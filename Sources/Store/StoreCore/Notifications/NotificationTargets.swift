import Foundation

/// Where notifications may be sent to.
///
/// Publishers choose the addresses, and the store calls them from inside of its operator's network:
/// without rules, whoever has an app could reach what only the operator should (server-side request
/// forgery).
package enum NotificationTargets: Sendable, Hashable {
    /// Servers on the internet, over HTTPS.
    case internet
    /// Also over HTTP, and on private networks and this machine: for development.
    case anywhere

    /// Looks at an address when a publisher gives it. A host's name is looked at when something is
    /// sent, for where it leads can change.
    ///
    /// - Throws: `ConnectRefusal`.
    package func check(_ url: String, field: String) throws {
        guard let (problem, help) = problem(with: url) else { return }
        throw ConnectRefusal(
            .invalid, rule: "notificationTarget", field: field,
            "\(quoted(url)) \(problem).", help: help)
    }

    /// Why nothing is sent to a URL, behind its name; nil where nothing speaks against it.
    package func problem(with url: String) -> (problem: String, help: String)? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            let host = parts.host, !host.isEmpty, scheme == "https" || scheme == "http"
        else {
            return (
                "is not an address", "Give an address such as https://example.com/notifications."
            )
        }
        guard self == .internet else { return nil }
        guard scheme == "https" else {
            return (
                "is not an HTTPS address", "Give one that begins with https://\(Self.elsewhere)."
            )
        }
        if let port = parts.port, !permits(port: port) {
            return (
                "has port \(port), to which no notifications are sent",
                "Use port 443, or one from 1024 on\(Self.elsewhere)."
            )
        }
        let name = host.lowercased().trimmingCharacters(in: ["."])
        let isLocal = name == "localhost" || name.hasSuffix(scalars: ".localhost")
        let kind = isLocal ? .loopback : NetworkAddress(text: name)?.kind
        guard let kind, !permits(kind) else { return nil }
        return (
            "leads to \(kind.phrase)",
            "Give the address of a server on the internet\(Self.elsewhere)."
        )
    }

    /// How other addresses are allowed.
    private static let elsewhere =
        "; for development the store's operator can allow others (serve or demo --serve with "
        + "--allow-local-notifications)"

    /// Whether anything is sent to addresses of a kind.
    package func permits(_ kind: NetworkAddress.Kind) -> Bool {
        switch self {
        case .internet: kind == .global
        case .anywhere: true
        }
    }

    package func permits(port: Int) -> Bool {
        switch self {
        case .internet: port == 443 || (1024...65_535).contains(port)
        case .anywhere: true
        }
    }
}
