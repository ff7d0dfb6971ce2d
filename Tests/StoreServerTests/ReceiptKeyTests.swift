import Foundation
import StoreSecurity
import StoreServer
import StoreTestSupport
import Testing

/// The key for receipts, which is made after the others.
@Suite struct ReceiptKeyTests {
    private let folder: TemporaryFolder
    private var directory: URL { folder.file("store") }
    private var file: URL { directory.appendingPathComponent("keys/receipt-signing.pem") }

    init() async throws {
        folder = try TemporaryFolder()
        try PreparedDatabase.install(into: directory)
        try await PreparedKeys.install(into: directory, clock: SystemClock())
    }

    private func open() throws -> Store {
        try Store(directory: directory, vault: OpenSSLVault.forTests, log: .silent)
    }

    private func sample(_ signer: ReceiptSigner, at date: Date) throws -> Data {
        try signer.sign(
            AppReceipt(
                type: "Production", appStoreID: 1, bundleID: "com.example.app",
                applicationVersion: "1", opaqueValue: Data([1]), deviceIdentifier: Data([2]),
                creationDate: date))
    }

    @Test func `a store without one gets it with the first receipt, under the same root`() throws {
        let first = try open()
        let root = try first.rootFingerprint()
        first.close()
        try FileManager.default.removeItem(at: file)
        let second = try open()
        defer { second.close() }
        #expect(try second.rootFingerprint() == root)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let receipt = try sample(second.keys.receiptSigner(), at: Date())
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(
            try ReceiptVerifier(root: second.keys.root).verify(receipt).bundleID
                == "com.example.app")
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!left.contains { $0.hasPrefix(".keys-") })
        // Once is enough.
        let text = try Data(contentsOf: file)
        try open().close()
        #expect(try Data(contentsOf: file) == text)
    }

    @Test func `many that sign the first receipt at once use the same key`() async throws {
        try open().close()
        try FileManager.default.removeItem(at: file)
        let date = Date()
        let receipts = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    // They wait for one another.
                    try await onThread {
                        let store = try open()
                        defer { store.close() }
                        // All signatures of one RSA key over one content are the same.
                        return try sample(store.keys.receiptSigner(), at: date)
                    }
                }
            }
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(receipts.count == 1)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: directory.appendingPathComponent("keys").path)
        #expect(names.filter { $0.contains("receipt") } == ["receipt-signing.pem"])
    }

    @Test(arguments: ["", "garbage", "certificate", "key"])
    func `a damaged file is named, and not replaced`(damage: String) throws {
        try open().close()
        let text = try String(contentsOf: file, encoding: .utf8)
        let parts = text.components(separatedBy: "-----BEGIN PRIVATE KEY-----")
        try #require(parts.count == 2)
        let broken =
            switch damage {
            case "certificate": parts[0]
            case "key": "-----BEGIN PRIVATE KEY-----" + parts[1]
            default: damage
            }
        try Data(broken.utf8).write(to: file)
        #expect {
            try open()
        } throws: {
            "\($0)".contains(file.path) && "\($0)".contains("restore it from a backup")
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == broken)
    }

    @Test func `an older store without the intermediate's key says what it needs`() throws {
        try open().close()
        try FileManager.default.removeItem(at: file)
        let missing = directory.appendingPathComponent("keys/intermediate-key.pem")
        try FileManager.default.removeItem(at: missing)
        #expect {
            try open()
        } throws: {
            "\($0)".contains(missing.path)
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
