/// What a server shows to clients over TLS, and the key with which it proves that it may. Both
/// are texts of PEM.
package struct ServerCertificate: Sendable, Hashable {
    /// The server's certificate and, behind it, those that vouch for it. Clients have the root.
    package var chain: String
    package var key: String

    package init(chain: String, key: String) {
        self.chain = chain
        self.key = key
    }
}
