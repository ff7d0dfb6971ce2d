import Foundation
import StoreKernel
import StoreSecurity
@testable import StoreServer
import StoreTestSupport
import Testing

/// Keys of stores from before certificates were renewed: certificates apart from their keys,
/// without an address, and no record of them.
@Suite struct OlderKeysTests {
    private let disk: KeysOnDisk

    init() async throws {
        try await self.init(.prepared())
    }

    private init(_ disk: KeysOnDisk) throws {
        self.disk = disk
        let keys = try disk.open()
        let intermediate = keys.intermediate.current()
        let signing = try keys.identity(.signing, SigningKey.self)
        let receipts = try keys.identity(.receipts, ReceiptKey.self)
        for (name, text) in [
            ("intermediate.pem", try intermediate.certificate.pem()),
            ("intermediate-key.pem", try intermediate.key.pem()),
            ("signing.pem", try signing.certificate.pem()),
            ("signing-key.pem", try signing.key.pem()),
            ("receipt-signing.pem", try receipts.certificate.pem() + receipts.key.pem()),
        ] {
            try DurableFile.write(
                Data(text.utf8), to: disk.url.appendingPathComponent(name), mode: 0o600)
        }
        try FileManager.default.removeItem(at: disk.url.appendingPathComponent("issued"))
    }

    private func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: disk.url.appendingPathComponent(name).path)
    }

    @Test func `they are opened and sign, and nothing is written`() throws {
        let before = try disk.contents()
        let keys = try disk.open()
        keys.expectVerified(
            try keys.statement(), try keys.receipt(at: KeysOnDisk.start), at: KeysOnDisk.start)
        #expect(try keys.certificates().count == 4)
        #expect(try disk.contents() == before)
    }

    @Test func `the first change brings them into the new form, under the same root`() throws {
        let keys = try disk.open()
        let old = (try keys.statement(), try keys.receipt(at: KeysOnDisk.start))
        let serials = try keys.certificates().map(\.serial)
        try keys.adopt(ocspAddress: KeysOnDisk.address, at: KeysOnDisk.days(1))
        #expect(!has("intermediate.pem") && !has("signing.pem"))
        let again = try disk.open()
        #expect(try again.root.der() == keys.root.der())
        for keys in [keys, again] {
            keys.expectVerified(old.0, old.1, at: KeysOnDisk.start)
            keys.expectVerified(
                try keys.statement(), try keys.receipt(at: KeysOnDisk.days(1)),
                at: KeysOnDisk.days(1))
        }
        // The responder knows the old ones still.
        let known = try again.certificates().map(\.serial)
        #expect(Set(serials).isSubset(of: known))
        #expect(known.count == 7)
    }

    /// Every state in which a process that was killed may leave the folder.
    @Test func `a change that was broken off anywhere goes on at the next one`() throws {
        let before = try disk.contents()
        let keys = try disk.open()
        try keys.adopt(ocspAddress: KeysOnDisk.address, at: KeysOnDisk.days(1))
        let after = try disk.contents()
        // In the order in which they are written; removed is what stands there last.
        let order = ["receipt-signing.pem", "signing-key.pem", "intermediate-key.pem"]
        for count in 0...order.count {
            for removed in [[], ["intermediate.pem"], ["intermediate.pem", "signing.pem"]] {
                guard count == order.count || removed.isEmpty else { continue }
                let other = try KeysOnDisk()
                var files = before
                for (name, data) in after where name.hasPrefix("issued/") { files[name] = data }
                for name in order.prefix(count) {
                    // As the upgrade leaves it: in one file, over the old certificate.
                    files[name] = try upgraded(name, in: keys, before)
                }
                for name in removed { files[name] = nil }
                files[".signing-key.pem.partial"] = Data("half of a k".utf8)
                for (name, data) in files where name != "issued" {
                    try other.folder.write("keys/\(name)", data)
                }
                let again = try other.open()
                again.expectVerified(
                    try again.statement(), try again.receipt(at: KeysOnDisk.start),
                    at: KeysOnDisk.start)
                try again.adopt(ocspAddress: KeysOnDisk.address, at: KeysOnDisk.days(2))
                again.expectVerified(
                    try again.statement(), try again.receipt(at: KeysOnDisk.days(2)),
                    at: KeysOnDisk.days(2))
                #expect(
                    try again.currentCertificates().values.allSatisfy {
                        $0.ocspAddress == KeysOnDisk.address
                    })
            }
        }
    }

    private func upgraded(
        _ name: String, in keys: StoreKeys, _ before: [String: Data]
    ) throws -> Data {
        let intermediate = try #require(before["intermediate.pem"])
        let key = try #require(before[name])
        switch name {
        case "signing-key.pem": return try #require(before["signing.pem"]) + intermediate + key
        case "intermediate-key.pem": return intermediate + key
        default: return intermediate.isEmpty ? key : key + intermediate
        }
    }

    @Test(arguments: ["intermediate.pem", "signing.pem"])
    func `a certificate that is missing is named`(name: String) throws {
        let file = disk.url.appendingPathComponent(name)
        try FileManager.default.removeItem(at: file)
        #expect {
            try disk.open()
        } throws: {
            "\($0)".contains(file.path) && "\($0)".contains("restore it from a backup")
        }
    }

    @Test(arguments: ["intermediate.pem", "signing.pem", "signing-key.pem", "receipt-signing.pem"])
    func `files of another store are told from the store's own`(name: String) throws {
        let other = try OlderKeysTests(KeysOnDisk())
        let foreign = other.disk.url.appendingPathComponent(name)
        let file = disk.url.appendingPathComponent(name)
        try Data(contentsOf: foreign).write(to: file)
        #expect {
            try disk.open()
        } throws: {
            "\($0)".contains("restore it from a backup")
        }
    }

    @Test func `what was issued under Apple's names below the root is taken back`() throws {
        let keys = try disk.open()
        let issuer = keys.intermediate.current()
        let key = try SigningKey.generate()
        let server = try Certificate.issue(
            role: .server([.dns("buy.itunes.apple.com")]), name: "OpenStoreKit Server",
            organization: NewKeys.organization, key: key, issuer: (issuer.certificate, issuer.key),
            start: KeysOnDisk.start, days: 397)
        try keys.folder.locked {
            try keys.issued.record(server)
            try keys.folder.put(try server.pem() + key.pem(), as: "server.pem")
        }
        try keys.renewDue(at: KeysOnDisk.days(1))
        #expect(!has("server.pem"))
        let certificates = try keys.certificates()
        let certificate = try #require(certificates.first { $0.serial == server.serial })
        #expect(certificate.revoked != nil && !certificate.isCurrent && !certificate.isRoot)
        #expect(certificates.filter { $0.revoked != nil }.count == 1)
        #expect(certificates.filter(\.isRoot).map(\.serial) == [try #require(keys.root.serial)])
        keys.expectVerified(
            try keys.statement(), try keys.receipt(at: KeysOnDisk.days(1)), at: KeysOnDisk.days(1))
    }
}
