import Foundation
import StoreSecurity

extension DiagnosticsReport {
    /// Seconds before its end from which on a certificate of TLS is told of: nobody but the operator
    /// renews it.
    private static let notice: TimeInterval = 14 * 86_400

    /// Looks at the certificate that the store shows to those who connect over TLS.
    ///
    /// - Parameter file: the store's own first, then those that vouch for it.
    package mutating func checkServerCertificate(in file: URL, at now: Date) {
        guard let text = try? String(contentsOf: file, encoding: .utf8),
            let chain = try? Certificate.all(pem: text), let own = chain.first,
            let validity = own.validity
        else {
            return add(
                .broken, "tls", "the certificate can't be read", at: file.path,
                "give a file in PEM with the server's certificate first")
        }
        let end = validity.upperBound
        if end <= now {
            add(
                .broken, "tls", "the certificate ended \(end.formatted(.iso8601))", at: file.path,
                "renew it, and reload the store")
        } else if validity.lowerBound > now {
            add(
                .broken, "tls",
                "the certificate begins \(validity.lowerBound.formatted(.iso8601))", at: file.path,
                "set the clock of the machine, or give one that is valid")
        } else if end.timeIntervalSince(now) < Self.notice {
            add(
                .warning, "tls", "the certificate ends \(end.formatted(.iso8601))", at: file.path,
                "renew it, and reload the store")
        }
        if !zip(chain, chain.dropFirst()).allSatisfy({ $0.isIssued(by: $1) }) {
            add(
                .broken, "tls", "the certificates don't vouch for one another in their order",
                at: file.path, "put the server's first, and behind each the one that issued it")
        }
        passed("tls", "\(chain.count) certificates")
    }
}
