import Foundation
import StoreSecurity
@testable import StoreServer
import StoreTestSupport
import Testing

@Suite("TLS identity") struct TLSIdentityTests {
    private let disk: KeysOnDisk

    init() async throws {
        disk = try await .prepared()
    }

    private func leaf(_ identity: TLSIdentity) throws -> Certificate {
        try Certificate(pem: identity.chain)
    }

    @Test func `it is made when it is asked for, and kept`() throws {
        let keys = try disk.open()
        let first = try keys.tlsIdentity(at: KeysOnDisk.start)
        let second = try disk.open().tlsIdentity(at: KeysOnDisk.days(200))
        #expect(first.chain == second.chain && first.key == second.key)
        #expect(Set(first.names.map(\.description)) == Set(StoreKeys.serverNames))
    }

    @Test func `names that are added come into a certificate over the same key`() throws {
        let keys = try disk.open()
        let first = try keys.tlsIdentity(names: ["Store.Example.COM"], at: KeysOnDisk.start)
        #expect(first.names.contains(.dns("store.example.com")))
        let second = try keys.tlsIdentity(
            names: ["192.0.2.7", "[2001:DB8:0::7]", "*.example.com"], at: KeysOnDisk.start)
        #expect(second.key == first.key)
        #expect(second.chain != first.chain)
        #expect(
            Set(second.names).isSuperset(of: [
                .dns("store.example.com"), .address("192.0.2.7"), .address("2001:db8::7"),
                .dns("*.example.com"), .dns("buy.itunes.apple.com"), .dns("localhost"),
            ]))
        #expect(try keys.tlsIdentity(at: KeysOnDisk.start).chain == second.chain)
    }

    @Test(arguments: [
        "", " ", "a b", "a,DNS:b", "a;b", "-a", "a-", "a..b", ".a", "*", "a.*", "\u{0}",
        "ä.example.com", "256.1.1.1:80", "a\nb", "http://a", String(repeating: "a", count: 64),
    ])
    func `what is no name is refused`(name: String) throws {
        let keys = try disk.open()
        #expect(throws: StoreKeysError.self) {
            try keys.tlsIdentity(names: [name], at: KeysOnDisk.start)
        }
        #expect(try keys.currentCertificates()[.server] == nil)
    }

    @Test func `it is renewed with a fresh key in its last third, by the day's job too`() throws {
        let keys = try disk.open()
        let first = try keys.tlsIdentity(names: ["a.example.com"], at: KeysOnDisk.start)
        let asked = try disk.open().tlsIdentity(at: KeysOnDisk.days(270))
        #expect(asked.key != first.key)
        #expect(asked.names.contains(.dns("a.example.com")))
        #expect(asked.expires == KeysOnDisk.days(270 + 397).addingTimeInterval(-3600))
        #expect(try keys.renewDue(at: KeysOnDisk.days(480)).isEmpty)
        let new = try keys.renewDue(at: KeysOnDisk.days(640))
        #expect(new.map(\.name).contains("OpenStoreKit Server"))
        #expect(try keys.tlsIdentity(at: KeysOnDisk.days(640)).key != asked.key)
    }

    @Test func `it carries no marker of signed data, so that it can't sign any`() throws {
        let keys = try disk.open()
        let identity = try keys.tlsIdentity(at: KeysOnDisk.start)
        let leaf = try leaf(identity)
        #expect(!leaf.hasExtension(CertificateMarker.leaf))
        #expect(!leaf.hasExtension(CertificateMarker.intermediate))
        let intermediate = keys.intermediate.current().certificate
        let signer = try JWSSigner(
            key: SigningKey(pem: identity.key), chain: [leaf, intermediate, keys.root])
        let statement = try signer.sign(Data("{}".utf8))
        #expect(throws: SecurityError(.untrusted, "")) {
            try JWSVerifier(root: keys.root).verify(statement) { _ in KeysOnDisk.start }
        }
    }

    @Test(.enabled(if: CommandLineTool.openssl != nil, "needs openssl"))
    func `strict rules accept it as a server under each of its names`() async throws {
        let tool = try #require(CommandLineTool.openssl)
        // The tool goes by the time of the machine.
        let disk = try await KeysOnDisk.prepared(SystemClock())
        let keys = try disk.open(at: Date())
        let identity = try keys.tlsIdentity(names: ["192.0.2.7"], at: Date())
        try disk.folder.write("root.pem", keys.root.pem())
        try disk.folder.write("chain.pem", identity.chain)
        func verify(_ options: [String]) async throws -> String {
            try await tool.run(
                [
                    "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "root.pem",
                    "-untrusted", "chain.pem",
                ] + options + ["chain.pem"], in: disk.folder.url
            ).output
        }
        for name in identity.names {
            let option = if case .dns = name { "-verify_hostname" } else { "-verify_ip" }
            #expect(try await verify([option, "\(name)"]) == "chain.pem: OK\n")
        }
        #expect(try await !verify(["-verify_hostname", "apple.com"]).contains("OK"))
        let text = try await tool.run(
            ["x509", "-in", "chain.pem", "-noout", "-text"], in: disk.folder.url
        ).output
        for part in [
            "TLS Web Server Authentication", "Digital Signature", "CA:FALSE",
            "X509v3 Subject Key Identifier", "X509v3 Authority Key Identifier",
        ] { #expect(text.contains(part), "\(part) is missing from\n\(text)") }
    }
}
