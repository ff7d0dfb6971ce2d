import Foundation
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreSecurity

@Suite("Receipt signature")
struct ReceiptSignatureTests {
    let receipts: TestReceipts

    init() throws {
        receipts = try TestReceipts()
    }

    @Test func `a signed receipt is read back`() throws {
        let read = try receipts.verifier.verify(receipts.signer.sign(TestReceipts.full()))
        #expect(read.bundleID == "com.example.app")
        #expect(read.purchases.count == 2)
        #expect(read.creationDate == TestChain.signingTime)
    }

    @Test func `a receipt carries leaf, intermediate and root, and is read in DER's order too`()
        throws
    {
        // In DER's order the leaf, which has the largest key, comes last.
        let signed = try receipts.signer.sign(TestReceipts.full())
        let places = try [receipts.leaf, receipts.chain.intermediate, receipts.chain.root].map {
            try #require(signed.range(of: $0.der()))
        }
        #expect(places[0].upperBound == places[1].lowerBound)
        #expect(places[1].upperBound == places[2].lowerBound)
        let sorted = try receipts.sorted(signed)
        #expect(sorted != signed && sorted.count == signed.count)
        #expect(try receipts.verifier.verify(sorted) == receipts.verifier.verify(signed))
    }

    @Test func `certificates in the content of a receipt stay where they are`() throws {
        let certificates = try [receipts.leaf, receipts.chain.intermediate, receipts.chain.root]
            .map { try $0.der() }
        let order = certificates.sorted { $0.lexicographicallyPrecedes($1) }
        let receipt = try AppReceipt(
            type: "Production", appStoreID: 42, bundleID: "com.example.app",
            applicationVersion: "7", opaqueValue: Data(order.joined()),
            deviceIdentifier: TestReceipts.device, creationDate: TestChain.signingTime,
            purchases: [])
        let read = try receipts.verifier.verify(receipts.signer.sign(receipt))
        #expect(read.opaqueValue == receipt.opaqueValue)
    }

    @Test func `a receipt with ten thousand purchases is read back`() throws {
        var receipt = try TestReceipts.full()
        receipt.purchases = (1...10_000).map { TestReceipts.plain($0) }
        let read = try receipts.verifier.verify(receipts.signer.sign(receipt))
        #expect(Set(read.purchases) == Set(receipt.purchases))
    }

    @Test func `a receipt of another store is untrusted`() throws {
        let other = try TestReceipts().signer.sign(TestReceipts.full())
        #expect(throws: SecurityError(.untrusted, "")) { try receipts.verifier.verify(other) }
    }

    @Test(arguments: [-1, 366 * 86_400] as [TimeInterval])
    func `certificates count as of the receipt's creation`(offset: TimeInterval) throws {
        let date = TestChain.start.addingTimeInterval(offset)
        let receipt = try receipts.signer.sign(TestReceipts.full(at: date))
        #expect(throws: SecurityError(.untrusted, "")) { try receipts.verifier.verify(receipt) }
    }

    @Test func `a signature of other content is wrong`() throws {
        let receipt = try TestReceipts.full()
        var signed = try receipts.signer.sign(receipt)
        let place = try #require(signed.range(of: Data("com.example.plain".utf8)))
        signed.replaceSubrange(place, with: Data("com.example.gains".utf8))
        #expect(throws: SecurityError(.badSignature, "")) {
            try receipts.verifier.verify(signed)
        }
    }

    @Test func `a chain whose certificates are not meant for it is untrusted`() throws {
        // The root itself signs for the leaf; a leaf without its own intermediate.
        let other = try TestChain()
        let chain = receipts.chain
        let short = try Certificate.issue(
            receiptLeaf: "Test", organization: "Example", key: receipts.key,
            issuer: (chain.root, chain.rootKey), start: TestChain.start, days: 365)
        for certificates in [
            [short, chain.intermediate, chain.root],
            [receipts.leaf, other.intermediate, chain.root],
        ] {
            let signer = ReceiptSigner(key: receipts.key, chain: certificates)
            #expect(throws: SecurityError(.untrusted, "")) {
                try receipts.verifier.verify(signer.sign(TestReceipts.full()))
            }
        }
    }

    @Test(arguments: [false, true]) func `keys of stores and of tests sign alike`(isForTests: Bool)
        throws
    {
        let made = try isForTests ? ReceiptKey.generateForTests() : .generate()
        let receipts = try TestReceipts(key: ReceiptKey(pem: made.pem()))
        let signed = try receipts.signer.sign(TestReceipts.full())
        #expect(try receipts.verifier.verify(signed).bundleID == "com.example.app")
    }

    @Test func `a receipt key survives its PEM form, and no other key passes for one`() throws {
        let pem = try receipts.key.pem()
        #expect(try ReceiptKey(pem: pem).pem() == pem)
        #expect(throws: SecurityError(.malformed, "")) {
            try ReceiptKey(pem: receipts.chain.leafKey.pem())
        }
        #expect(throws: SecurityError(.malformed, "")) { try SigningKey(pem: pem) }
        for text in ["", "garbage", try receipts.leaf.pem()] {
            #expect(throws: SecurityError(.malformed, "")) { try ReceiptKey(pem: text) }
        }
        // The certificate's own file: both in one, in either order.
        #expect(try ReceiptKey(pem: receipts.leaf.pem() + pem).pem() == pem)
        #expect(try Certificate(pem: pem + receipts.leaf.pem()).der() == receipts.leaf.der())
    }

    @Test func `what was found right once is found right again, until its key is revoked`() throws {
        let receipts = try TestReceipts()
        let revoked = Mutex(false)
        let verifier = ReceiptVerifier(root: receipts.chain.root) { _ in revoked.withLock { $0 } }
        let signed = try receipts.signer.sign(TestReceipts.full())
        let first = try verifier.verify(signed)
        #expect(try verifier.verify(signed) == first)
        var changed = signed
        try #require(!changed.isEmpty)
        changed[changed.count - 1] ^= 1
        #expect(throws: SecurityError(.badSignature, "")) { try verifier.verify(changed) }
        revoked.withLock { $0 = true }
        #expect(throws: SecurityError(.untrusted, "")) { try verifier.verify(signed) }
    }
}

@Suite("Receipts as openssl sees them", .enabled(if: CommandLineTool.openssl != nil))
struct ReceiptInspectionTests {
    private let receipts: TestReceipts
    private let folder: TemporaryFolder
    private let tool: CommandLineTool

    init() throws {
        receipts = try TestReceipts()
        folder = try TemporaryFolder()
        tool = try #require(CommandLineTool.openssl)
        try folder.write("root.pem", receipts.chain.root.pem())
        try folder.write("other.pem", TestChain().root.pem())
        try folder.write("receipt", receipts.signer.sign(TestReceipts.full()))
    }

    private func verify(
        _ receipt: String = "receipt", root: String
    ) async throws -> (status: Int32, output: String) {
        try await tool.run(
            [
                "cms", "-verify", "-inform", "DER", "-in", receipt, "-CAfile", root,
                "-attime", "\(Int(TestChain.signingTime.timeIntervalSince1970))", "-x509_strict",
                "-out", "payload",
            ], in: folder.url)
    }

    @Test func `openssl accepts the signature below the root, and no other`() async throws {
        let result = try await verify(root: "root.pem")
        #expect(result.status == 0, "\(result.output)")
        let payload = try Data(contentsOf: folder.file("payload"))
        #expect(try AppReceipt(payload: payload).bundleID == "com.example.app")
        #expect(try await verify(root: "other.pem").status != 0)
    }

    @Test func `openssl accepts the certificates in either order`() async throws {
        let signed = try Data(contentsOf: folder.file("receipt"))
        try folder.write("sorted", receipts.sorted(signed))
        for receipt in ["receipt", "sorted"] {
            let result = try await verify(receipt, root: "root.pem")
            #expect(result.status == 0, "\(receipt): \(result.output)")
        }
    }

    @Test func `a receipt that openssl signs is accepted too`() async throws {
        try folder.write("signer.pem", receipts.leaf.pem())
        try folder.write("key.pem", receipts.key.pem())
        try folder.write("above.pem", receipts.chain.intermediate.pem())
        try folder.write("plain", TestReceipts.full().payload())
        // With signed attributes, and streamed: indefinite lengths.
        for options in [[], ["-stream"], ["-noattr"]] {
            let result = try await tool.run(
                [
                    "cms", "-sign", "-binary", "-nodetach", "-in", "plain", "-signer",
                    "signer.pem", "-inkey", "key.pem", "-certfile", "above.pem", "-outform",
                    "DER", "-out", "signed",
                ] + options, in: folder.url)
            try #require(result.status == 0, "\(result.output)")
            let signed = try Data(contentsOf: folder.file("signed"))
            #expect(try receipts.verifier.verify(signed).purchases.count == 2, "\(options)")
        }
    }

    /// Whoever reads one certificate and checks with the other takes anything from anybody.
    @Test(arguments: [2048, 3072])
    func `a certificate of the signer's issuer and number does not stand for it`(
        bits: Int
    ) async throws {
        func openssl(_ words: [String]) async throws -> String {
            let result = try await tool.run(words, in: folder.url)
            try #require(result.status == 0, "\(words) \(result.output)")
            return result.output
        }
        for (name, certificate) in [
            ("leaf", receipts.leaf), ("intermediate", receipts.chain.intermediate),
        ] { try folder.write("\(name).pem", certificate.pem()) }
        let name = try await openssl([
            "x509", "-in", "intermediate.pem", "-noout", "-subject", "-nameopt", "compat",
        ]).trimmingCharacters(in: .whitespacesAndNewlines)
        let number = try await openssl(["x509", "-in", "leaf.pem", "-noout", "-serial"])
            .trimmingCharacters(in: .whitespacesAndNewlines)
        func key(_ file: String) -> [String] {
            ["-newkey", "rsa:\(bits)", "-nodes", "-keyout", "\(file).key"]
        }
        let issuer = try #require(name.split(separator: "=", maxSplits: 1).last)
        _ = try await openssl(
            ["req", "-x509", "-subj", String(issuer), "-out", "issuer.pem", "-days", "9000"]
                + key("issuer"))
        _ = try await openssl(
            ["req", "-new", "-subj", "/CN=Twin", "-out", "twin.csr"] + key("twin"))
        _ = try await openssl([
            "x509", "-req", "-in", "twin.csr", "-CA", "issuer.pem", "-CAkey", "issuer.key", "-days",
            "9000", "-set_serial", "0x" + number.dropFirst("serial=".count), "-out", "twin.pem",
        ])
        try folder.write("plain", TestReceipts.full().payload())
        try folder.write(
            "others.pem",
            Data((receipts.leaf.pem() + receipts.chain.intermediate.pem()).utf8))
        for (others, reason) in [("others.pem", "same number"), ("intermediate.pem", "")] {
            _ = try await openssl([
                "cms", "-sign", "-binary", "-nodetach", "-in", "plain", "-signer", "twin.pem",
                "-inkey", "twin.key", "-certfile", others, "-outform", "DER", "-out", "signed",
            ])
            let signed = try Data(contentsOf: folder.file("signed"))
            let error = #expect(throws: SecurityError(.untrusted, "")) {
                try receipts.verifier.verify(signed)
            }
            #expect(reason.isEmpty || "\(error, default: "")".contains(reason))
        }
    }

    @Test func `the structure is Apple's`() async throws {
        _ = try await verify(root: "root.pem")
        let container = try await tool.run(
            ["asn1parse", "-inform", "DER", "-in", "receipt"], in: folder.url)
        #expect(container.output.contains("pkcs7-signedData"))
        #expect(container.output.contains("pkcs7-data"))
        #expect(container.output.contains(":rsaEncryption"))
        #expect(container.output.contains(":sha256"))
        #expect(!container.output.contains("signingTime"))
        let payload = try await tool.run(
            ["asn1parse", "-inform", "DER", "-in", "payload"], in: folder.url)
        #expect(payload.status == 0)
        #expect(payload.output.contains("cons: SET"))
        for type in ["02", "03", "04", "05", "0C", "11", "13", "15"] {
            #expect(payload.output.contains("INTEGER           :\(type)\n"), "\(type)")
        }
    }
}
