import Foundation
import StoreHTTP

/// A certificate for a few names and the root that issued it, made by OpenSSL's tool.
package struct TestCertificate: Sendable {
    package let certificate: ServerCertificate
    /// A file with the root, as clients are given it.
    package let root: URL
    private let folder: TemporaryFolder

    package init(_ names: [String], lastingDays days: Int = 2) async throws {
        guard let openssl = CommandLineTool.openssl else { throw LoopbackError("no openssl") }
        folder = try TemporaryFolder()
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        let list = names.map {
            $0.allSatisfy { $0.isNumber || $0 == "." } ? "IP:\($0)" : "DNS:\($0)"
        }
        for arguments in [
            key + [
                "-x509", "-keyout", "root-key.pem", "-out", "root.pem", "-days", "\(days)",
                "-subj", "/CN=Test Root", "-addext", "basicConstraints=critical,CA:TRUE",
                "-addext", "keyUsage=critical,keyCertSign,cRLSign",
            ],
            key + [
                "-x509", "-keyout", "key.pem", "-out", "leaf.pem", "-days", "\(days)",
                "-CA", "root.pem", "-CAkey", "root-key.pem", "-subj", "/CN=Test Server",
                "-addext", "subjectAltName=\(list.joined(separator: ","))",
                "-addext", "basicConstraints=critical,CA:FALSE",
                "-addext", "extendedKeyUsage=serverAuth",
            ],
        ] {
            let (status, output) = try await openssl.run(["req"] + arguments, in: folder.url)
            guard status == 0 else { throw LoopbackError(output) }
        }
        root = folder.file("root.pem")
        certificate = ServerCertificate(
            chain: try String(contentsOf: folder.file("leaf.pem"), encoding: .utf8),
            key: try String(contentsOf: folder.file("key.pem"), encoding: .utf8))
    }
}
