import Foundation
import StoreCore
import StoreSecurity
@testable import StoreServer
import StoreTestSupport
import Testing

/// Keys in a folder of their own, at times that a test sets.
struct KeysOnDisk {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let day: TimeInterval = 86_400
    static let address = "http://127.0.0.1:8080/ocsp"

    let folder: TemporaryFolder
    var url: URL { folder.file("keys") }

    /// Keys are made by the first who opens them.
    init() throws {
        folder = try TemporaryFolder()
    }

    /// With keys that were made at the start, or when a clock has begun, and that others have too.
    static func prepared(_ clock: any StoreClock = SettableClock(start)) async throws -> KeysOnDisk
    {
        let disk = try KeysOnDisk()
        try await PreparedKeys.install(into: disk.folder.url, clock: clock)
        return disk
    }

    func open(at date: Date = start, ocspAddress: String? = nil) throws -> StoreKeys {
        let keys = try StoreKeys.open(in: url, at: date, ocspAddress: ocspAddress)
        try keys.prepareReceipts()
        return keys
    }

    static func days(_ count: Double) -> Date { start.addingTimeInterval(count * day) }

    /// The files in the folder and their bytes.
    func contents() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
            files[name] = FileManager.default.contents(
                atPath: url.appendingPathComponent(name).path)
        }
        return files
    }
}

extension StoreKeys {
    /// A statement that the keys sign now.
    func statement(_ payload: String = "{}") throws -> String {
        try signer().sign(Data(payload.utf8))
    }

    func receipt(at date: Date) throws -> Data {
        try receiptSigner().sign(
            AppReceipt(
                type: "Production", appStoreID: 1, bundleID: "com.example.app",
                applicationVersion: "1", opaqueValue: Data([1]), deviceIdentifier: Data([2]),
                creationDate: date))
    }

    func expectVerified(
        _ statement: String, _ receipt: Data, at date: Date,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: Never.self, sourceLocation: location) {
            _ = try JWSVerifier(root: root).verify(statement) { _ in date }
            _ = try ReceiptVerifier(root: root).verify(receipt)
        }
    }

    /// The certificates in use, below the root.
    func currentCertificates() throws -> [KeyRole: StoreCertificate] {
        try certificates().filter(\.isCurrent).reduce(into: [:]) { found, certificate in
            if let role = certificate.role { found[role] = certificate }
        }
    }
}

@Suite struct KeyRenewalTests {
    private let disk: KeysOnDisk

    init() async throws {
        disk = try await .prepared()
    }

    @Test func `nothing is renewed while a third of its life is left`() throws {
        let keys = try disk.open()
        let before = try disk.contents()
        #expect(!keys.isRenewalDue(at: KeysOnDisk.days(480)))
        #expect(try keys.renewDue(at: KeysOnDisk.days(480)).isEmpty)
        #expect(try disk.contents() == before)
    }

    @Test func `leaves are renewed with fresh keys in the last third of their life`() throws {
        let keys = try disk.open()
        let old = (try keys.statement(), try keys.receipt(at: KeysOnDisk.start))
        let due = KeysOnDisk.days(490)
        #expect(keys.isRenewalDue(at: due))
        let new = try keys.renewDue(at: due)
        #expect(new.map(\.name) == ["OpenStoreKit Signed Data", "OpenStoreKit Receipts"])
        keys.expectVerified(try keys.statement(), try keys.receipt(at: due), at: due)
        // What is signed now would not have been valid before.
        let statement = try keys.statement()
        #expect(throws: SecurityError(.untrusted, "")) {
            try JWSVerifier(root: keys.root).verify(statement) { _ in KeysOnDisk.start }
        }
        keys.expectVerified(old.0, old.1, at: KeysOnDisk.start)
        #expect(!keys.isRenewalDue(at: due))
        #expect(try keys.renewDue(at: due).isEmpty)
    }

    @Test func `what was made while the clock was ahead is made again`() throws {
        let keys = try disk.open()
        let ahead = KeysOnDisk.days(365 * 7)
        #expect(try keys.renewDue(at: ahead).count == 3)
        #expect(throws: SecurityError(.untrusted, "")) {
            try JWSVerifier(root: keys.root).verify(keys.statement()) { _ in KeysOnDisk.start }
        }
        #expect(try keys.renewDue(at: KeysOnDisk.start).count == 3)
        keys.expectVerified(
            try keys.statement(), try keys.receipt(at: KeysOnDisk.start), at: KeysOnDisk.start)
        #expect(try keys.renewDue(at: KeysOnDisk.start).isEmpty)
    }

    @Test func `the intermediate is renewed over its key, and its name stays`() throws {
        let keys = try disk.open()
        let before = keys.intermediate.current()
        let due = KeysOnDisk.days(365 * 7)
        let new = try keys.renewDue(at: due)
        #expect(new.count == 3)
        let after = keys.intermediate.current()
        #expect(after.certificate.hasKey(of: before.certificate))
        #expect(after.certificate.serial != before.certificate.serial)
        #expect(after.end > before.end)
        keys.expectVerified(try keys.statement(), try keys.receipt(at: due), at: due)
    }

    /// A day's job for twenty years, in steps of a month.
    @Test func `a store that runs for all of its root's life always has valid keys`() throws {
        let keys = try disk.open()
        var renewals = 0
        for month in 0..<(20 * 12) {
            let date = KeysOnDisk.days(Double(month) * 30.4)
            let new = try keys.renewDue(at: date)
            renewals += new.count
            #expect(new.count <= 3)
            let statement = try keys.statement()
            #expect(throws: Never.self, "month \(month)") {
                try JWSVerifier(root: keys.root).verify(statement) { _ in date }
            }
        }
        #expect((20...60).contains(renewals), "\(renewals)")
    }

    @Test func `rotation makes fresh keys at once, and what was signed before stays valid`() throws
    {
        let disk = try KeysOnDisk()
        let keys = try disk.open(ocspAddress: KeysOnDisk.address)
        let first = try keys.currentCertificates()
        let old = (try keys.statement(), try keys.receipt(at: KeysOnDisk.start))
        let date = KeysOnDisk.days(1)
        #expect(try keys.rotate(at: date).count == 2)
        let second = try keys.currentCertificates()
        #expect(second[.intermediate]?.serial == first[.intermediate]?.serial)
        #expect(second[.signing]?.serial != first[.signing]?.serial)
        #expect(second[.receipts]?.serial != first[.receipts]?.serial)
        #expect(second.values.allSatisfy { $0.ocspAddress == KeysOnDisk.address })
        keys.expectVerified(old.0, old.1, at: KeysOnDisk.start)
        keys.expectVerified(try keys.statement(), try keys.receipt(at: date), at: date)
        // Both are listed: the former ones too.
        #expect(try keys.certificates().count == 6)
    }

    @Test func `the intermediate's key can be rotated, too`() throws {
        let keys = try disk.open()
        let old = (try keys.statement(), try keys.receipt(at: KeysOnDisk.start))
        let before = keys.intermediate.current()
        let date = KeysOnDisk.days(1)
        #expect(try keys.rotate(intermediate: true, at: date).count == 3)
        #expect(!keys.intermediate.current().certificate.hasKey(of: before.certificate))
        keys.expectVerified(old.0, old.1, at: KeysOnDisk.start)
        keys.expectVerified(try keys.statement(), try keys.receipt(at: date), at: date)
    }

    @Test func `a signer that was handed out before signs with the new key`() throws {
        let keys = try disk.open()
        let signer = keys.signer()
        func leaf() throws -> String {
            let header = try signer.sign(Data("{}".utf8)).prefix { $0 != "." }
            let data = try #require(Base64URL.decode(header))
            let x5c =
                try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])["x5c"]
            return try #require((x5c as? [String])?.first)
        }
        let first = try leaf()
        #expect(try leaf() == first)
        try keys.rotate(at: KeysOnDisk.days(1))
        #expect(try leaf() != first)
    }

    @Test func `another process over the same folder notices new keys`() throws {
        let running = try disk.open()
        let (signer, receipts) = (running.signer(), running.receiptSigner())
        let other = try disk.open()
        let date = KeysOnDisk.days(1)
        try other.rotate(at: date)
        let current = try other.currentCertificates()
        let statement = try signer.sign(Data("{}".utf8))
        let header = try #require(try other.statement().split(separator: ".").first)
        #expect(statement.contains(header))
        let receipt = try receipts.sign(
            AppReceipt(
                type: "Production", appStoreID: 1, bundleID: "com.example.app",
                applicationVersion: "1", opaqueValue: Data([1]), deviceIdentifier: Data([2]),
                creationDate: date))
        #expect(try other.receipt(at: date) == receipt)
        #expect(try running.currentCertificates()[.signing]?.serial == current[.signing]?.serial)
    }

    @Test func `a store whose keys folder is away for a while goes on to sign`() throws {
        let keys = try disk.open()
        try FileManager.default.moveItem(at: disk.url, to: disk.folder.file("away"))
        keys.expectVerified(
            try keys.statement(), try keys.receipt(at: KeysOnDisk.start), at: KeysOnDisk.start)
    }

    @Test func `many that renew at once issue each certificate once`() async throws {
        try _ = disk.open()
        let due = KeysOnDisk.days(700)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                // They wait for one another.
                group.addTask { try await onThread { try disk.open().renewDue(at: due).count } }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(counts.sorted() == [0, 0, 0, 2])
    }

    @Test func `a new address of the store comes into certificates over the same keys`() throws {
        let keys = try disk.open()
        #expect(try keys.currentCertificates().values.allSatisfy { $0.ocspAddress == nil })
        let before = keys.intermediate.current()
        let old = (try keys.statement(), try keys.receipt(at: KeysOnDisk.start))
        let date = KeysOnDisk.days(1)
        #expect(try keys.adopt(ocspAddress: KeysOnDisk.address, at: date).count == 3)
        let current = try keys.currentCertificates()
        #expect(current.count == 3)
        #expect(current.values.allSatisfy { $0.ocspAddress == KeysOnDisk.address })
        #expect(keys.intermediate.current().certificate.hasKey(of: before.certificate))
        keys.expectVerified(old.0, old.1, at: KeysOnDisk.start)
        keys.expectVerified(try keys.statement(), try keys.receipt(at: date), at: date)
        // Once is enough, and it stays when certificates are renewed.
        #expect(try keys.adopt(ocspAddress: KeysOnDisk.address, at: date).isEmpty)
        try keys.renewDue(at: KeysOnDisk.days(700))
        #expect(
            try keys.currentCertificates().values.allSatisfy {
                $0.ocspAddress == KeysOnDisk.address
            })
    }

    @Test(arguments: ["", "nowhere", "ftp://a/b", "http://a/,URI:b", "http://a/\nb", "http:///x"])
    func `what is no address is refused, and the keys stay`(address: String) throws {
        let keys = try disk.open()
        #expect(throws: SecurityError(.malformed, "")) {
            try keys.adopt(ocspAddress: address, at: KeysOnDisk.days(1))
        }
        keys.expectVerified(
            try keys.statement(), try keys.receipt(at: KeysOnDisk.start), at: KeysOnDisk.start)
    }

    @Test func `without the root's key leaves are renewed, and the intermediate says what lacks`()
        throws
    {
        let keys = try disk.open()
        let rootKey = disk.url.appendingPathComponent("root-key.pem")
        try FileManager.default.removeItem(at: rootKey)
        #expect(try keys.rotate(at: KeysOnDisk.days(1)).count == 2)
        #expect {
            try keys.rotate(intermediate: true, at: KeysOnDisk.days(1))
        } throws: {
            "\($0)".contains(rootKey.path)
        }
    }

    /// Also once the intermediate is due, for as long as it is good.
    @Test func `without the root's key leaves are renewed until the intermediate ends`() throws {
        let keys = try disk.open()
        let rootKey = disk.url.appendingPathComponent("root-key.pem")
        let kept = disk.folder.file("root-key.pem")
        try FileManager.default.moveItem(at: rootKey, to: kept)
        let intermediate = try keys.currentCertificates()[.intermediate]?.serial
        #expect(keys.lacksRootKey(at: KeysOnDisk.start) == nil)
        for year in 0..<10 {
            let date = KeysOnDisk.days(Double(year) * 365 + 300)
            try keys.renewDue(at: date)
            keys.expectVerified(try keys.statement(), try keys.receipt(at: date), at: date)
        }
        #expect(try keys.currentCertificates()[.intermediate]?.serial == intermediate)
        let late = KeysOnDisk.days(9 * 365)
        #expect(keys.lacksRootKey(at: late)?.contains(rootKey.path) == true)
        let signing = try #require(try keys.currentCertificates()[.signing])
        _ = try keys.revoke(signing.serial, at: late)
        #expect(try keys.currentCertificates()[.signing]?.serial != signing.serial)
        // An address does not get into certificates before the intermediate has it.
        #expect(try keys.adopt(ocspAddress: KeysOnDisk.address, at: late).isEmpty)
        #expect(keys.lacksRootKey(ocspAddress: KeysOnDisk.address, at: KeysOnDisk.start) != nil)
        // One that was revoked has to be replaced.
        let revoked = try #require(intermediate)
        #expect(throws: StoreKeysError.self) { _ = try keys.revoke(revoked, at: late) }
        try FileManager.default.moveItem(at: kept, to: rootKey)
        #expect(try keys.renewDue(at: late).first?.name == KeyRole.intermediate.subject)
        #expect(keys.lacksRootKey(at: late) == nil)
    }
}
