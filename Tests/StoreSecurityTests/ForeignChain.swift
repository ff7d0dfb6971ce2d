import Foundation
import StoreSecurity
import StoreTestSupport
import Testing

/// A chain as openssl makes it, which can leave out and put in what the store never would.
struct ForeignChain {
    /// One of the three certificates: its curve, and its extensions in openssl's notation.
    struct Part {
        var curve = "P-256"
        var extensions: [String: String]

        func without(_ name: String) -> Part { with(name, nil) }

        func with(_ name: String, _ value: String?) -> Part {
            var part = self
            part.extensions[name] = value
            return part
        }

        func on(_ curve: String) -> Part {
            var part = self
            part.curve = curve
            return part
        }
    }

    static let root = Part(extensions: [
        "basicConstraints": "critical,CA:TRUE", "keyUsage": "critical,keyCertSign,cRLSign",
        "subjectKeyIdentifier": "hash",
    ])
    static let intermediate = Part(extensions: [
        "basicConstraints": "critical,CA:TRUE,pathlen:0",
        "keyUsage": "critical,keyCertSign,cRLSign", "subjectKeyIdentifier": "hash",
        "authorityKeyIdentifier": "keyid:always", CertificateMarker.intermediate: "ASN1:NULL",
    ])
    static let leaf = Part(extensions: [
        "basicConstraints": "critical,CA:FALSE", "keyUsage": "critical,digitalSignature",
        "subjectKeyIdentifier": "hash", "authorityKeyIdentifier": "keyid:always",
        CertificateMarker.leaf: "ASN1:NULL",
    ])

    let folder: TemporaryFolder
    let root: Certificate
    let intermediate: Certificate
    let leaf: Certificate

    init(
        root: Part = Self.root, intermediate: Part = Self.intermediate, leaf: Part = Self.leaf,
        digest: String = "sha256"
    ) async throws {
        folder = try TemporaryFolder()
        let tool = try #require(CommandLineTool.openssl)
        let folder = folder
        func run(_ words: [String]) async throws {
            let result = try await tool.run(words, in: folder.url)
            try #require(result.status == 0, "\(words) \(result.output)")
        }
        func make(_ name: String, _ part: Part, issuer: String?) async throws -> Certificate {
            try await run([
                "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(part.curve)",
                "-out", "\(name).key",
            ])
            // What is left out is said, because newer versions add identifiers by themselves.
            var extensions = part.extensions
            for identifier in ["subjectKeyIdentifier", "authorityKeyIdentifier"] {
                extensions[identifier] = extensions[identifier] ?? "none"
            }
            try folder.write(
                "\(name).ext",
                extensions.map { "\($0.key) = \($0.value)\n" }.sorted().joined())
            try await run([
                "req", "-new", "-key", "\(name).key", "-subj", "/O=Example/CN=Test \(name)", "-out",
                "\(name).csr",
            ])
            let signing =
                issuer.map { ["-CA", "\($0).pem", "-CAkey", "\($0).key"] }
                ?? ["-signkey", "\(name).key"]
            try await run(
                ["x509", "-req", "-in", "\(name).csr"] + signing + [
                    "-\(digest)", "-set_serial", "\(Int.random(in: 1..<1 << 40))", "-days", "3650",
                    "-extfile", "\(name).ext", "-out", "\(name).pem",
                ])
            return try Certificate(
                pem: String(contentsOf: folder.file("\(name).pem"), encoding: .utf8))
        }
        self.root = try await make("root", root, issuer: nil)
        self.intermediate = try await make("intermediate", intermediate, issuer: "root")
        self.leaf = try await make("leaf", leaf, issuer: "intermediate")
    }

    /// A statement signed by the leaf's key, which is one on P-256.
    func statement(third: Certificate? = nil) throws -> String {
        let key = try SigningKey(
            pem: String(contentsOf: folder.file("leaf.key"), encoding: .utf8))
        return try JWSSigner(key: key, chain: [leaf, intermediate, third ?? root])
            .sign(Data("{}".utf8))
    }

    /// A statement under the leaf with any signature at all.
    func statement(algorithm: String, signature: Data) throws -> String {
        let x5c = try [leaf, intermediate, root].map { try $0.der().base64EncodedString() }
        let header = try JSONSerialization.data(
            withJSONObject: ["alg": algorithm, "x5c": x5c])
        return "\(Base64URL.encode(header)).\(Base64URL.encode(Data("{}".utf8)))."
            + Base64URL.encode(signature)
    }

    func verify(_ jws: String, at date: Date = Date()) throws {
        _ = try JWSVerifier(root: root).verify(jws) { _ in date }
    }
}
