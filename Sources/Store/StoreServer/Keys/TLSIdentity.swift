import Foundation
import StoreSecurity

/// What the store's server shows to clients that come over TLS, issued below the store's root.
package struct TLSIdentity: Sendable {
    /// The certificate and the one above it, in PEM; clients know the root.
    package let chain: String
    /// The private key in PEM (PKCS #8).
    package let key: String
    package let names: [ServerName]
    package let expires: Date
}

extension StoreKeys {
    /// The names by which clients of Apple's servers, sent here, still call them, and those of
    /// this machine.
    package static let serverNames = [
        "api.storekit.apple.com", "api.storekit-sandbox.apple.com",
        "api.storekit.itunes.apple.com", "api.storekit-sandbox.itunes.apple.com",
        "buy.itunes.apple.com", "sandbox.itunes.apple.com", "itunes.apple.com",
        "ax.itunes.apple.com", "search.itunes.apple.com", "api.appstoreconnect.apple.com",
        "appstoreconnect.apple.com", "feeds.itunes.apple.com", "local-testing-base-url",
        "localhost", "127.0.0.1", "::1",
    ]

    /// The server's key and certificate; made where there is none, and renewed where it is due,
    /// was revoked, or lacks a name. Cheap enough to be asked now and then by a server that
    /// wants to show the newest one.
    ///
    /// - Parameter names: host names and IP addresses beside `serverNames`. Those that the
    ///   certificate had before it keeps.
    /// - Throws: `StoreKeysError` for what is no name, and for keys that can't be changed.
    package func tlsIdentity(names: [String] = [], at date: Date) throws -> TLSIdentity {
        let wanted = try (Self.serverNames + names).map { text in
            guard let name = ServerName(text) else {
                throw StoreKeysError(
                    description: "\"\(text)\" is neither a host name nor an IP address")
            }
            return name
        }
        var unique: [ServerName] = []
        for name in wanted where !unique.contains(name) { unique.append(name) }
        let identity = try serverIdentity(unique, at: date)
        return TLSIdentity(
            chain: try identity.certificates.map { try $0.pem() }.joined(),
            key: try identity.key.pem(), names: identity.certificate.serverNames,
            expires: identity.end)
    }
}
