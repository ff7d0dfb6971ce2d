import Foundation
import StoreBackup
import StoreKernel
import StoreSecurity
@testable import StoreServer
import StoreTestSupport
import Synchronization
import Testing

/// The root that clients of Apple's servers are asked to trust.
@Suite struct InterceptionIdentityTests {
    private static let address = "https://store.example.com"
    private static let names = InterceptedHosts.names(of: [address])

    private let folder: TemporaryFolder
    private var kept: InterceptionFolder { InterceptionFolder(in: folder.url) }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func mode(_ file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    private func rootText() throws -> String {
        try String(contentsOf: kept.rootFile, encoding: .utf8)
    }

    @Test func `it is made when it is asked for, and kept for its owner only`() throws {
        let first = try kept.identity(for: Self.names, at: KeysOnDisk.start)
        #expect(first.isNew && first.reason == nil)
        let second = try kept.identity(for: Self.names, at: KeysOnDisk.days(200))
        #expect(!second.isNew)
        #expect(try second.identity.pem() == first.identity.pem())
        #expect(try rootText() == first.identity.root.pem())
        #expect(try mode(folder.file("intercept")) == 0o700)
        #expect(try mode(kept.keyFile) == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("intercept").path)
                .sorted() == [".lock", "root.pem", "server.pem"])
    }

    @Test func `the root permits the hosts that are taken over, and its key is nowhere`() throws {
        let identity = try kept.identity(for: Self.names, at: KeysOnDisk.start).identity
        #expect(
            identity.root.permittedServerNames?.map(\.description).sorted()
                == (InterceptedHosts.apples + InterceptedHosts.loopback + ["store.example.com"])
                .sorted())
        #expect(identity.certificate.serverNames == Self.names)
        #expect(!identity.root.belongs(to: identity.key))
        let text = try String(contentsOf: kept.keyFile, encoding: .utf8)
        #expect(text.ranges(of: "PRIVATE KEY-----").count == 2)
        #expect(try !rootText().contains("PRIVATE"))
    }

    @Test func `its key signs no data, whichever root is trusted`() async throws {
        let identity = try InterceptionIdentity.make(for: Self.names, at: KeysOnDisk.start)
        let keys = try await KeysOnDisk.prepared().open()
        for marker in [CertificateMarker.leaf, CertificateMarker.intermediate] {
            #expect(!identity.certificate.hasExtension(marker))
            #expect(!identity.root.hasExtension(marker))
        }
        let signer = try JWSSigner(
            key: identity.key, chain: [identity.certificate, identity.root, identity.root])
        let statement = try signer.sign(Data("{}".utf8))
        for root in [identity.root, keys.root] {
            #expect(throws: SecurityError(.untrusted, "")) {
                try JWSVerifier(root: root).verify(statement) { _ in KeysOnDisk.start }
            }
        }
    }

    @Test func `another address of the store needs another root`() throws {
        let first = try kept.identity(for: Self.names, at: KeysOnDisk.start)
        for address in ["https://shop.example.com", "http://10.0.0.7:8080", "http://127.0.0.1:1"] {
            let names = InterceptedHosts.names(of: [address])
            let found = try kept.identity(for: names, at: KeysOnDisk.start)
            #expect(found.isNew && found.reason == "the store has another address")
            #expect(found.identity.root.permittedServerNames == Set(names))
            #expect(try rootText() == found.identity.root.pem())
        }
        #expect(try rootText() != first.identity.root.pem())
    }

    @Test(arguments: [-2.0, 270, 400])
    func `one that ends soon, or has not begun, makes way`(days: Double) throws {
        let first = try kept.identity(for: Self.names, at: KeysOnDisk.start)
        let found = try kept.identity(for: Self.names, at: KeysOnDisk.days(days))
        #expect(found.isNew && found.reason == "it is not valid now, or not for much longer")
        #expect(found.identity.root.validity?.contains(KeysOnDisk.days(days)) == true)
        #expect(try found.identity.root.der() != first.identity.root.der())
    }

    @Test(arguments: [true, false])
    func `what is damaged is made anew`(isKey: Bool) throws {
        let first = try kept.identity(for: Self.names, at: KeysOnDisk.start).identity
        let other = try InterceptionIdentity.make(for: Self.names, at: KeysOnDisk.start)
        for text in ["", "nonsense", try first.pem() + "x", try other.certificate.pem()] {
            try DurableFile.write(
                Data(text.utf8), to: isKey ? kept.keyFile : kept.rootFile, mode: 0o600)
            let found = try kept.identity(for: Self.names, at: KeysOnDisk.start)
            #expect(try rootText() == found.identity.root.pem())
            #expect(found.isNew == (found.reason != nil))
            if !isKey { #expect(!found.isNew) }
        }
        // A key of one and certificates of another are no identity.
        let mixed = try first.certificate.pem() + first.root.pem() + other.key.pem()
        #expect(throws: SecurityError(.untrusted, "")) { try InterceptionIdentity(pem: mixed) }
    }

    @Test func `a folder that can't be written is a clear error`() throws {
        try folder.write("intercept", "a file")
        #expect(throws: (any Error).self) {
            try kept.identity(for: Self.names, at: KeysOnDisk.start)
        }
        #expect(try String(contentsOf: folder.file("intercept"), encoding: .utf8) == "a file")
    }

    @Test func `the log says that there is a new root, and why`() async throws {
        let lines = Mutex<[String]>([])
        let log = EventLog { line in lines.withLock { $0.append(line) } }
        let clock = SettableClock()
        try PreparedDatabase.install(into: folder.file("store"))
        try await PreparedKeys.install(into: folder.file("store"), clock: clock)
        let store = try Store(
            directory: folder.file("store"), clock: clock, vault: OpenSSLVault.forTests, log: log)
        defer { store.close() }
        func events() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines.filter { $0.contains("new root of the interception") }
            }
        }
        let first = try ShownIdentity(of: store, addresses: [Self.address])
        let shown = try first.certificate()
        let digest = SHA256Digest.hex(try first.root.der())
        let made = events()
        #expect(made.count == 1)
        #expect(made.allSatisfy { $0.contains("level=info") && $0.contains("there was none") })
        #expect(made.allSatisfy { $0.contains(digest) })

        let other = try ShownIdentity(of: store, addresses: ["https://shop.example.com"])
        let replaced = events()
        #expect(replaced.count == 1)
        #expect(
            replaced.allSatisfy {
                $0.contains("level=warning") && $0.contains("the store has another address")
            })
        // Another process over the same folder does not take it from who shows it.
        #expect(try first.certificate() == shown)
        clock.advance(by: 300 * 86_400)
        #expect(try other.certificate() != shown)
        #expect(events().count == 1)
    }

    @Test func `no backup has it`() async throws {
        let fixture = try await BackupFixture()
        let store = fixture.opened.store.directory
        _ = try InterceptionFolder(in: store)
            .identity(for: Self.names, at: fixture.opened.clock.now())
        let outcome = try fixture.backUp()
        #expect(!outcome.manifest.files.contains { $0.path.contains("intercept") })
        let key = try Data(contentsOf: InterceptionFolder(in: store).keyFile)
        let digest = SHA256Digest.hex(key)
        #expect(!outcome.manifest.files.contains { $0.sha256 == digest })
    }
}

/// What OpenSSL says to certificates below such a root.
@Suite(.enabled(if: CommandLineTool.openssl != nil))
struct InterceptionRootTests {
    private let folder: TemporaryFolder
    private let tool: CommandLineTool
    private let names = InterceptedHosts.names(of: ["http://10.0.0.7:8080"])

    init() throws {
        folder = try TemporaryFolder()
        tool = try #require(CommandLineTool.openssl)
    }

    private func verify(_ options: [String] = []) async throws -> String {
        try await tool.run(
            ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "root.pem"] + options
                + ["leaf.pem"], in: folder.url
        ).output
    }

    @Test func `strict rules accept what the interception shows under each of its names`()
        async throws
    {
        let identity = try InterceptionIdentity.make(for: names, at: Date())
        try folder.write("root.pem", identity.root.pem())
        try folder.write("leaf.pem", identity.certificate.pem())
        for name in names {
            let option = if case .dns = name { "-verify_hostname" } else { "-verify_ip" }
            #expect(try await verify([option, "\(name)"]) == "leaf.pem: OK\n")
        }
        #expect(try await !verify(["-verify_hostname", "www.example.com"]).contains("OK"))
        let text = try await tool.run(
            ["x509", "-in", "root.pem", "-noout", "-text"], in: folder.url
        ).output
        for part in [
            "X509v3 Name Constraints: critical", "DNS:buy.itunes.apple.com",
            "IP:10.0.0.7/255.255.255.255", "CA:TRUE, pathlen:0", "TLS Web Server Authentication",
        ] { #expect(text.contains(part), "\(part) is missing from\n\(text)") }
        #expect(!text.contains("CRL Sign"))
    }

    /// As if somebody had the root's key.
    @Test(
        arguments: [
            ("buy.itunes.apple.com", true), ("10.0.0.7", true), ("127.0.0.1", true), ("::1", true),
            ("www.example.com", false), ("apple.com", false), ("www.apple.com", false),
            ("10.0.0.8", false), ("127.0.0.2", false), ("::2", false), ("*.apple.com", false),
        ] as [(String, Bool)])
    func `a certificate for another host is refused below such a root`(
        name: String, isGood: Bool
    ) async throws {
        let key = try SigningKey.generate()
        let root = try issue(.serverRoot(names), key, nil)
        let wanted = try #require(ServerName(name))
        let leaf = try issue(.server([.dns("localhost"), wanted]), .generate(), (root, key))
        try folder.write("root.pem", root.pem())
        try folder.write("leaf.pem", leaf.pem())
        let answer = try await verify()
        if isGood {
            #expect(answer == "leaf.pem: OK\n")
        } else {
            #expect(answer.contains("permitted subtree violation"), "\(answer)")
        }
    }

    @Test func `no authority is taken below such a root`() async throws {
        let (key, below) = (try SigningKey.generate(), try SigningKey.generate())
        let root = try issue(.serverRoot(names), key, nil)
        let authority = try issue(.intermediate, below, (root, key))
        let leaf = try issue(.server([.dns("localhost")]), .generate(), (authority, below))
        try folder.write("root.pem", root.pem())
        try folder.write("between.pem", authority.pem())
        try folder.write("leaf.pem", leaf.pem())
        let answer = try await verify(["-untrusted", "between.pem"])
        #expect(answer.contains("path length constraint exceeded"), "\(answer)")
    }

    private func issue(
        _ role: CertificateRole, _ key: SigningKey, _ issuer: CertificateIssuer?
    ) throws -> Certificate {
        try Certificate.issue(
            role: role, name: String("Test \(role)".prefix(64)), organization: "Example", key: key,
            issuer: issuer, start: Date().addingTimeInterval(-60), days: 30)
    }
}

@Suite struct InterceptedHostsTests {
    @Test(
        arguments: [
            ("http://127.0.0.1:8080", nil), ("http://[::1]:8080", nil),
            ("https://Store.Example.com", "store.example.com"),
            ("http://[2001:DB8:0::7]:80", "2001:db8::7"), ("https://*.example.com", nil),
            ("https://a_b.example.com", nil), ("nonsense", nil), ("", nil),
        ] as [(String, String?)])
    func `the store's own host is among them`(address: String, name: String?) {
        let all = InterceptedHosts.names(of: [address]).map(\.description)
        let standing = InterceptedHosts.apples + InterceptedHosts.loopback
        #expect(all == standing + [name].compactMap(\.self))
    }

    @Test func `a root that is good for more is refused, and says for what`() throws {
        func refusal(_ role: CertificateRole) throws -> String {
            let root = try Certificate.issue(
                role: role, name: "Root", organization: "Example", key: .generate(), issuer: nil,
                start: KeysOnDisk.start, days: 30)
            do {
                try InterceptedHosts.check(root, of: ["https://store.example.com"])
                return ""
            } catch { return "\(error)" }
        }
        let own = InterceptedHosts.names(of: ["https://store.example.com"])
        #expect(try refusal(.serverRoot(own)).isEmpty)
        #expect(try refusal(.serverRoot([.dns("localhost"), .address("::1")])).isEmpty)
        #expect(try refusal(.root).contains("is good for any host"))
        for name in ["www.example.com", "com", "apple.com", "10.0.0.7"] {
            let wider = own + [ServerName(name)].compactMap(\.self)
            #expect(
                try refusal(.serverRoot(wider)).contains("is good for other hosts too: \(name)."))
        }
    }
}
