import Foundation
import StoreModel
import StoreServer

/// The environment in which programs talk to a store where they mean Apple's servers.
struct InterceptVariables: Sendable {
    /// Host and port.
    let proxy: String
    /// The file with the root certificate of the interception.
    let root: String
    /// Addresses of the store, which are reached without the proxy.
    let store: [String]

    init(proxy: String, root: String, store: [String]) {
        self.proxy = proxy
        self.root = root
        self.store = store
    }

    init(_ note: InterceptionNote) {
        self.init(proxy: note.proxy, root: note.root, store: note.store)
    }

    /// The variables, each once, in the order in which they are shown.
    ///
    /// - Parameter environment: what there is; hosts that it exempts from proxies stay so, where
    ///   these are none of Apple's.
    func values(over environment: [String: String]) -> [(name: String, value: String)] {
        let exempt = exempt(
            (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
                .split { $0 == "," || $0 == " " }.map(String.init)
        ).joined(separator: ",")
        // curl and others know the small spelling of http_proxy only.
        var values: [(name: String, value: String)] = []
        for name in ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] {
            values.append((name, "http://\(proxy)"))
        }
        for name in ["NO_PROXY", "no_proxy"] { values.append((name, exempt)) }
        for name in Self.rootNames { values.append((name, root)) }
        // Node looks at the others only where it is told to.
        values.append(("NODE_USE_ENV_PROXY", "1"))
        return values
    }

    /// Python's requests; OpenSSL, and with it Python and Ruby, and Go; curl; Node.
    private static let rootNames = [
        "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
    ]

    /// Hosts that are reached without the proxy.
    private func exempt(_ inherited: [String]) -> [String] {
        let own = store.compactMap { URL(string: $0)?.host }.map { host in
            host.hasPrefix(scalars: "[") ? String(host.dropFirst().dropLast()) : host
        }
        let kept = inherited.filter { entry in
            !InterceptedHosts.apples.contains { Self.covers(entry, $0) }
        }
        var hosts: [String] = []
        for host in InterceptedHosts.loopback + own + kept where !hosts.contains(host) {
            hosts.append(host)
        }
        return hosts
    }

    /// Whether an entry of `NO_PROXY` exempts a host, as any of the programs may read it.
    private static func covers(_ entry: String, _ host: String) -> Bool {
        guard entry != "*" else { return true }
        let name = entry.lowercased().split(scalar: ":").first.map {
            $0.drop { "*.".contains($0) }
        }
        guard let name, !name.isEmpty else { return false }
        return host == name || host.hasSuffix(scalars: ".\(name)")
    }
}
