import Foundation
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

@Suite struct StoreKeysTests {
    static let files = [
        "intermediate-key.pem", "receipt-signing.pem", "root-key.pem", "root.pem", "seal.secret",
        "signing-key.pem",
    ]

    private let folder: TemporaryFolder
    private var directory: URL { folder.file("store") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open() throws -> Store {
        try Store(directory: directory, vault: OpenSSLVault.forTests, log: .silent)
    }

    /// Puts what a store has into its folder, for tests of what becomes of it.
    private func prepare() async throws {
        try PreparedDatabase.install(into: directory)
        try await PreparedKeys.install(into: directory, clock: SystemClock())
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(
            atPath: directory.appendingPathComponent(path).path)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    private func contents() throws -> [String: Data] {
        let keys = directory.appendingPathComponent("keys")
        let names = try FileManager.default.subpathsOfDirectory(atPath: keys.path)
            .filter { $0 != "issued" }
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: keys.appendingPathComponent($0)))
            })
    }

    @Test func `nobody else reads what a store has in a folder that is open to others`()
        throws
    {
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        let store = try open()
        defer { store.close() }
        let entries = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(entries.contains("store.sqlite-wal"))
        for entry in entries { #expect(try mode(entry) & 0o077 == 0, "\(entry)") }
    }

    @Test func `only the owner can read the keys`() throws {
        let store = try open()
        try store.keys.prepareReceipts()
        store.close()
        let names = try contents().keys.sorted()
        // NFS has locks of files only.
        #expect(names.filter { !$0.hasPrefix("issued/") } == [".lock"] + Self.files)
        // A record of each certificate below the root.
        #expect(names.filter { $0.hasPrefix("issued/") }.count == 3)
        for folder in ["", "keys", "keys/issued"] { #expect(try mode(folder) == 0o700) }
        for file in names { #expect(try mode("keys/\(file)") == 0o600, "\(file)") }
    }

    @Test func `keys are made once`() throws {
        try PreparedDatabase.install(into: directory)
        let first = try open()
        let before = try contents()
        let second = try open()
        defer {
            first.close()
            second.close()
        }
        #expect(try contents() == before)
        #expect(try first.rootFingerprint() == second.rootFingerprint())
        #expect(first.keys.sealSecret == second.keys.sealSecret)
        let statement = try first.keys.signer().sign(Data("{}".utf8))
        #expect(
            try second.services.verifier.verify(statement) { _ in Date() } == Data("{}".utf8))
    }

    @Test func `two stores have nothing in common`() throws {
        let other = folder.file("other")
        for directory in [directory, other] { try PreparedDatabase.install(into: directory) }
        let first = try open()
        let second = try Store(directory: other, vault: OpenSSLVault.forTests, log: .silent)
        defer {
            first.close()
            second.close()
        }
        #expect(try first.rootFingerprint() != second.rootFingerprint())
        #expect(first.keys.sealSecret != second.keys.sealSecret)
    }

    @Test func `many that open a new store at once use the same keys`() async throws {
        // There is a database, so that they meet at the keys.
        try PreparedDatabase.install(into: directory)
        let prints = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    // They wait for one another.
                    try await onThread {
                        let store = try open()
                        defer { store.close() }
                        return try store.rootFingerprint()
                    }
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(prints.count == 1)
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!left.contains { $0.hasPrefix(".keys-") })
    }

    @Test(arguments: ["root.pem", "intermediate-key.pem", "signing-key.pem"])
    func `a missing key file is named, and no new keys are made`(file: String) async throws {
        try await prepare()
        try open().close()
        let path = directory.appendingPathComponent("keys/\(file)").path
        try FileManager.default.removeItem(atPath: path)
        let before = try contents()
        #expect {
            try open()
        } throws: {
            "\($0)".contains(path) && "\($0)".contains("restore it from a backup")
        }
        #expect(try contents() == before)
    }

    @Test(arguments: [nil, "", "c2hvcnQ", "not base64!"] as [String?])
    func `a secret that is missing or damaged is named`(secret: String?) async throws {
        try await prepare()
        try open().close()
        let path = directory.appendingPathComponent("keys/seal.secret")
        try FileManager.default.removeItem(at: path)
        if let secret { try Data(secret.utf8).write(to: path) }
        #expect {
            try open()
        } throws: {
            "\($0)".contains(path.path) && "\($0)".contains("restore it from a backup")
        }
    }
}
