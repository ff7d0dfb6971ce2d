import Foundation
import StoreSecurity
import StoreTestSupport
import Testing

/// A chain that is valid now, its responder, and openssl, which asks and judges.
struct TestResponder {
    static let address = "http://127.0.0.1:8080/ocsp"

    let folder: TemporaryFolder
    let tool: CommandLineTool
    let root: Certificate
    let intermediate: Certificate
    let leaf: Certificate
    let responder: OCSPResponder
    let now: Date

    /// - Parameters:
    ///   - now: the time of the machine, which openssl goes by.
    ///   - status: what is told about every certificate of the chain.
    init(
        at now: Date = Date(),
        status: @escaping @Sendable () throws -> CertificateStatus = { .good }
    ) throws {
        self.now = now
        folder = try TemporaryFolder()
        tool = try #require(CommandLineTool.openssl)
        let start = now.addingTimeInterval(-3600)
        func issue(
            _ role: CertificateRole, _ key: SigningKey, _ issuer: CertificateIssuer?
        ) throws -> Certificate {
            try Certificate.issue(
                role: role, name: "Test \(role)", organization: "Example", key: key,
                issuer: issuer, start: start, days: 30,
                ocspAddress: issuer == nil ? nil : Self.address)
        }
        let rootKey = try SigningKey.generate()
        let intermediateKey = try SigningKey.generate()
        let root = try issue(.root, rootKey, nil)
        let intermediate = try issue(.intermediate, intermediateKey, (root, rootKey))
        let leaf = try issue(.leaf, SigningKey.generate(), (intermediate, intermediateKey))
        let known = [intermediate.serial, leaf.serial]
        responder = OCSPResponder(authorities: [
            OCSPResponder.Authority(certificate: root, key: rootKey),
            OCSPResponder.Authority(certificate: intermediate, key: intermediateKey),
        ]) { serial, issuer in
            guard known.contains(serial) else { return .unknown }
            #expect((serial == leaf.serial) == (try issuer.der() == intermediate.der()))
            return try status()
        }
        (self.root, self.intermediate, self.leaf) = (root, intermediate, leaf)
        for (name, certificate) in [
            ("root", root), ("intermediate", intermediate), ("leaf", leaf),
        ] { try folder.write("\(name).pem", certificate.pem()) }
    }

    /// What stands behind `-issuer` for a certificate of the chain.
    static func issuer(of name: String) -> String {
        name == "intermediate" ? "root.pem" : "intermediate.pem"
    }

    /// The request of openssl about a certificate of the chain.
    func request(
        _ name: String, issuer: String? = nil, digest: String = "sha1", nonce: Bool = false
    ) async throws -> Data {
        let result = try await tool.run(
            [
                "ocsp", "-issuer", issuer ?? Self.issuer(of: name), "-\(digest)", "-cert",
                "\(name).pem", nonce ? "-nonce" : "-no_nonce", "-reqout", "request.der",
            ], in: folder.url)
        try #require(result.status == 0, "\(result.output)")
        return try Data(contentsOf: folder.file("request.der"))
    }

    /// What openssl says of an answer, checked against the root.
    func judge(
        _ answer: Data, about name: String, digest: String = "sha1", options: [String] = []
    ) async throws -> String {
        try folder.write("answer.der", answer)
        return try await tool.run(
            [
                "ocsp", "-issuer", Self.issuer(of: name), "-\(digest)", "-cert", "\(name).pem",
                "-respin", "answer.der", "-CAfile", "root.pem",
            ] + (options.isEmpty ? ["-no_nonce"] : options), in: folder.url
        ).output
    }
}
