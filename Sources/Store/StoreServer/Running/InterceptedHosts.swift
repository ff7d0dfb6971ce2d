import Foundation
import StoreAPI
import StoreSecurity

/// The hosts that the interception takes over.
package enum InterceptedHosts {
    package static let apples = AppleHost.all.map(\.name)
    package static let loopback = ["localhost", "127.0.0.1", "::1"]

    /// The names that clients may mean the store by: Apple's, this machine's, and those of the
    /// store's own addresses, each once.
    package static func names(of addresses: [String]) -> [ServerName] {
        let own = addresses.compactMap { URL(string: $0)?.host }
        var names: [ServerName] = []
        for host in apples + loopback + own {
            // What is no host name is in no certificate; a pattern is no host.
            guard let name = ServerName(host), !host.hasPrefix(scalars: "*"),
                !names.contains(name)
            else { continue }
            names.append(name)
        }
        return names
    }

    /// Checks that a root can vouch for these hosts and for no other, before a program is told to
    /// trust it.
    ///
    /// - Parameters:
    ///   - root: what the interception at a store has for its root.
    ///   - addresses: of that store.
    /// - Throws: `UntrustworthyRoot`.
    package static func check(_ root: Certificate, of addresses: [String]) throws {
        let store = addresses.joined(separator: ", ")
        guard let permitted = root.permittedServerNames else {
            throw UntrustworthyRoot(
                description:
                    "The root of the interception at \(store) is good for any host: it has "
                    + "no critical name constraints. No program is told to trust it; start the "
                    + "store again with this version of openstore.")
        }
        let others = permitted.subtracting(names(of: addresses)).map(\.description).sorted()
        guard others.isEmpty else {
            throw UntrustworthyRoot(
                description:
                    "The root of the interception at \(store) is good for other hosts too: "
                    + "\(others.prefix(5).joined(separator: ", ")). No program is told to trust it; "
                    + "name the store by its own address, as openstore serve was told it.")
        }
    }
}

/// A root that could vouch for hosts which nobody means to hand over.
package struct UntrustworthyRoot: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}
