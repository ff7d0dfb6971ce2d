import Foundation
import StoreSecurity
@testable import StoreServer
import StoreTestSupport
import Testing

/// Revoking, and what the store tells those who ask. openssl asks, at the time of the machine.
@Suite(.enabled(if: CommandLineTool.openssl != nil, "needs openssl"))
struct KeyRevocationTests {
    private let disk: KeysOnDisk
    private let keys: StoreKeys
    private let tool: CommandLineTool
    private let now = Date()

    init() async throws {
        tool = try #require(CommandLineTool.openssl)
        disk = try await .prepared(SystemClock())
        keys = try disk.open(at: now)
    }

    private func serial(_ role: KeyRole) throws -> CertificateSerial {
        try #require(try keys.currentCertificates()[role]?.serial)
    }

    /// What the store says of a certificate, as openssl reads it: `good`, `revoked` or `unknown`
    /// where the answer is signed as it has to be.
    private func status(
        _ certificate: Certificate, issuer: Certificate, of keys: StoreKeys? = nil
    ) async throws -> String {
        for (name, certificate) in [
            ("root", self.keys.root), ("issuer", issuer), ("certificate", certificate),
        ] { try disk.folder.write("\(name).pem", certificate.pem()) }
        let question = ["ocsp", "-issuer", "issuer.pem", "-sha256", "-cert", "certificate.pem"]
        _ = try await tool.run(question + ["-reqout", "request.der"], in: disk.folder.url)
        let request = try Data(contentsOf: disk.folder.file("request.der"))
        try disk.folder.write(
            "answer.der", (keys ?? self.keys).certificateStatus(request, at: now))
        let output = try await tool.run(
            question + ["-no_nonce", "-respin", "answer.der", "-CAfile", "root.pem"],
            in: disk.folder.url
        ).output
        guard output.contains("Response verify OK") else { return output }
        let line = output.split(separator: "\n").first { $0.hasPrefix("certificate.pem: ") }
        return String(try #require(line).dropFirst("certificate.pem: ".count))
    }

    private func certificate(_ serial: CertificateSerial) throws -> Certificate {
        try #require(keys.issued.certificate(serial))
    }

    @Test(arguments: KeyRole.allCases)
    func `every certificate in use is good`(role: KeyRole) async throws {
        let issuer = role == .intermediate ? keys.root : keys.intermediate.current().certificate
        #expect(try await status(certificate(serial(role)), issuer: issuer) == "good")
    }

    @Test func `former certificates are good, after the intermediate's key was rotated, too`()
        async throws
    {
        let leaf = try certificate(serial(.signing))
        let intermediate = keys.intermediate.current().certificate
        try keys.rotate(intermediate: true, at: now)
        #expect(try await status(leaf, issuer: intermediate) == "good")
        #expect(try await status(intermediate, issuer: keys.root) == "good")
        #expect(
            try await status(
                certificate(serial(.signing)), issuer: keys.intermediate.current().certificate)
                == "good")
    }

    @Test func `another store's certificate is nobody's`() async throws {
        let elsewhere = try KeysOnDisk()
        let other = try elsewhere.open(at: now)
        let leaf = try #require(try other.usedCertificates().last?.certificates.first)
        let answer = try await status(leaf, issuer: other.intermediate.current().certificate)
        #expect(answer.contains("unauthorized"), "\(answer)")
    }

    @Test func `a number of the issuer that it never gave is unknown`() async throws {
        let leaf = try certificate(serial(.signing))
        let record = try disk.url.appendingPathComponent("issued/\(serial(.signing)).pem")
        try FileManager.default.removeItem(at: record)
        #expect(
            try await status(leaf, issuer: keys.intermediate.current().certificate) == "unknown")
    }

    @Test(arguments: [KeyRole.signing, .receipts])
    func `a leaf that is revoked is replaced first, and told at once by every process`(
        role: KeyRole
    ) async throws {
        let running = try disk.open(at: now)
        let serial = try serial(role)
        let revoked = try keys.revoke(serial, at: now)
        #expect(revoked.map(\.serial) == [serial])
        let intermediate = keys.intermediate.current().certificate
        for keys in [keys, running] {
            #expect(
                try await status(certificate(serial), issuer: intermediate, of: keys)
                    == "revoked")
        }
        let new = try #require(try keys.currentCertificates()[role])
        #expect(new.serial != serial && new.revoked == nil)
        #expect(try await status(certificate(new.serial), issuer: intermediate) == "good")
        let listed = try keys.certificates().filter { $0.revoked != nil }
        #expect(listed.map(\.serial) == [serial])
    }

    @Test func `all certificates over the key that is revoked are`() throws {
        let first = try serial(.signing)
        try keys.adopt(ocspAddress: "http://127.0.0.1:9/ocsp", at: now)
        let second = try serial(.signing)
        #expect(first != second)
        #expect(Set(try keys.revoke(first, at: now).map(\.serial)) == [first, second])
        #expect(try serial(.signing) != second)
    }

    @Test func `a revoked intermediate takes its leaves with it`() async throws {
        let intermediate = keys.intermediate.current().certificate
        let leaf = try serial(.signing)
        _ = try keys.revoke(try serial(.intermediate), at: now)
        #expect(try await status(intermediate, issuer: keys.root) == "revoked")
        #expect(try serial(.signing) != leaf)
        #expect(!keys.intermediate.current().certificate.hasKey(of: intermediate))
        keys.expectVerified(try keys.statement(), try keys.receipt(at: now), at: now)
    }

    @Test func `a former certificate is revoked without touching those in use`() throws {
        let former = try serial(.signing)
        try keys.rotate(at: now)
        let current = try serial(.signing)
        _ = try keys.revoke(former, at: now)
        _ = try keys.revoke(former, at: now.addingTimeInterval(60))
        #expect(try serial(.signing) == current)
        let revoked = try #require(keys.issued.revocation(of: former))
        #expect(abs(revoked.timeIntervalSince(now)) < 2)
    }

    @Test func `devices hear of what signs statements, the last one first`() throws {
        var expected: [CertificateSerial] = []
        for (second, role) in [KeyRole.signing, .receipts, .intermediate, .signing].enumerated() {
            let serial = try serial(role)
            let date = now.addingTimeInterval(TimeInterval(second * 60))
            _ = try keys.revoke(serial, at: date)
            if role != .receipts { expected.insert(serial, at: 0) }
        }
        #expect(keys.revokedForStatements() == expected)
        // Another process on the folder says the same.
        #expect(try disk.open(at: now).revokedForStatements() == expected)
    }

    @Test func `the root and numbers that nobody has can't be revoked`() throws {
        let root = try #require(keys.root.serial)
        #expect {
            try keys.revoke(root, at: now)
        } throws: {
            "\($0)".contains("is the root")
        }
        let stranger = try #require(CertificateSerial("0123456789abcdef"))
        #expect {
            try keys.revoke(stranger, at: now)
        } throws: {
            "\($0)".contains("has issued no certificate 0123456789ABCDEF")
        }
    }

    @Test func `without the root's key nobody answers for the intermediate`() async throws {
        try FileManager.default.removeItem(at: disk.url.appendingPathComponent("root-key.pem"))
        let intermediate = keys.intermediate.current().certificate
        #expect(try await status(intermediate, issuer: keys.root).contains("unauthorized"))
        #expect(try await status(certificate(serial(.signing)), issuer: intermediate) == "good")
    }
}
