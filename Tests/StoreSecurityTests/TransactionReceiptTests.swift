import Foundation
@testable import StoreSecurity
import StoreTestSupport
import Testing

@Suite("Receipt of a transaction")
struct TransactionReceiptTests {
    private let receipts: TestReceipts

    init() throws {
        receipts = try TestReceipts()
    }

    static func sample(environment: String = "Sandbox") -> TransactionReceipt {
        let date = Date(timeIntervalSince1970: 1_800_100_000.125)
        var receipt = TransactionReceipt(
            environment: environment, bundleID: "com.example.app",
            applicationVersion: "1.0 \"β\"\\",
            itemID: "539008423", deviceIdentifier: String(repeating: "0a", count: 20),
            productID: "com.example.chapter", quantity: 3, transactionID: "2000000001",
            originalTransactionID: "1000000001", purchaseDate: date,
            originalPurchaseDate: date.addingTimeInterval(-1000), signedDate: date)
        receipt.vendorIdentifier = "0E28E5AC-8B1C-4F2C-9C0F-0D5A4F4A9D5E"
        receipt.expirationDate = date.addingTimeInterval(86_400)
        receipt.webOrderLineItemID = 9_007_199_254_740_993
        return receipt
    }

    @Test(arguments: ["Sandbox", "Production"])
    func `what is signed is read again`(environment: String) throws {
        let receipt = Self.sample(environment: environment)
        let signed = try receipts.signer.sign(receipt)
        #expect(TransactionReceipt.isOne(signed))
        #expect(!TransactionReceipt.isOne(try receipts.signer.sign(TestReceipts.full())))
        #expect(try receipts.verifier.verify(transactionReceipt: signed) == receipt)
    }

    @Test func `the text has the form and the keys of Apple's`() throws {
        let text = String(
            decoding: try receipts.signer.sign(Self.sample()), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        try #require(lines.first == "{" && lines.last == "}" && lines.count > 1)
        #expect(
            Array(lines.dropFirst(3)) == [
                "\t\"environment\" = \"Sandbox\";", "\t\"pod\" = \"100\";",
                "\t\"signing-status\" = \"0\";", "}",
            ])
        let signature = try #require(lines[1].wholeMatch(of: /\t"signature" = "(.+)";/))
        let blob = try #require(Data(base64Encoded: String(signature.1)))
        #expect(blob.first == 3)
        // As Apple's library for receipts looks for it.
        let information = try #require(
            text.firstMatch(of: #/"purchase-info"\s+=\s+"([a-zA-Z0-9+/=]+)";/#))
        let inner = String(
            decoding: try #require(Data(base64Encoded: String(information.1))), as: UTF8.self)
        let id = inner.firstMatch(of: #/"transaction-id"\s+=\s+"([a-zA-Z0-9+/=]+)";/#)
        #expect(id?.1 == "2000000001")
        for line in [
            #""original-purchase-date-pst" = "2027-01-16 03:30:00 America/Los_Angeles";"#,
            #""original-purchase-date-ms" = "1800099000125";"#,
            #""original-purchase-date" = "2027-01-16 11:30:00 Etc/GMT";"#,
            #""purchase-date-ms" = "1800100000125";"#,
            #""purchase-date-pst" = "2027-01-16 03:46:40 America/Los_Angeles";"#,
            #""purchase-date" = "2027-01-16 11:46:40 Etc/GMT";"#,
            #""unique-identifier" = "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a";"#,
            #""original-transaction-id" = "1000000001";"#, #""bvrs" = "1.0 \"\U03b2\"\\";"#,
            #""quantity" = "3";"#, #""product-id" = "com.example.chapter";"#,
            #""item-id" = "539008423";"#, #""bid" = "com.example.app";"#,
            #""expires-date" = "1800186400125";"#,
            #""expires-date-formatted" = "2027-01-17 11:46:40 Etc/GMT";"#,
        ] { #expect(inner.contains("\t\(line)\n"), "\(line) is missing from\n\(inner)") }
    }

    @Test func `production is told by no environment, as Apple does`() throws {
        let signed = try receipts.signer.sign(Self.sample(environment: "Production"))
        #expect(try TextPropertyList(signed)["environment"] == nil)
    }

    @Test func `openssl finds the signature right`() async throws {
        let tool = try #require(CommandLineTool.openssl)
        let folder = try TemporaryFolder()
        let list = try TextPropertyList(receipts.signer.sign(Self.sample()))
        let blob = try #require(Data(base64Encoded: list.required("signature")))
        let information = try #require(Data(base64Encoded: list.required("purchase-info")))
        try folder.write("message", Data([3]) + information)
        try #require(blob.count > 261)
        try folder.write("signature", blob[1...256])
        let length = blob[257..<261].reduce(0) { $0 << 8 | Int($1) }
        try #require(length <= blob.count - 261)
        try folder.write("leaf.der", blob[261..<261 + length])
        try await tool.run(
            ["x509", "-in", "leaf.der", "-noout", "-pubkey", "-out", "key.pem"], in: folder.url)
        let result = try await tool.run(
            ["dgst", "-sha256", "-verify", "key.pem", "-signature", "signature", "message"],
            in: folder.url)
        #expect(result.output == "Verified OK\n")
    }

    // MARK: Hostile

    private func expect(
        _ code: SecurityError.Code, _ data: Data, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: SecurityError(code, ""), sourceLocation: location) {
            try receipts.verifier.verify(transactionReceipt: data)
        }
    }

    /// The signed receipt with an entry replaced; nil takes it away.
    private func changed(_ key: String, _ value: String?) throws -> Data {
        let list = try TextPropertyList(receipts.signer.sign(Self.sample()))
        var other = TextPropertyList()
        for entry in list.entries { other.add(entry.key, entry.key == key ? value : entry.value) }
        return other.encoded()
    }

    @Test func `a receipt of another store is not trusted`() throws {
        expect(.untrusted, try TestReceipts().signer.sign(Self.sample()))
    }

    @Test func `what was changed has no signature`() throws {
        var other = Self.sample()
        other.productID = "com.example.dearer"
        expect(
            .badSignature,
            try changed("purchase-info", other.purchaseInformation().base64EncodedString()))
    }

    @Test(arguments: ["Production", "Xcode", nil] as [String?])
    func `the environment can't be changed`(environment: String?) throws {
        expect(.badSignature, try changed("environment", environment))
    }

    @Test(arguments: ["signature", "purchase-info"])
    func `what is missing is malformed`(key: String) throws {
        expect(.malformed, try changed(key, nil))
        expect(.malformed, try changed(key, "?"))
        expect(.malformed, try changed(key, ""))
    }

    @Test func `the key of transactions does not sign receipts`() throws {
        let chain = receipts.chain
        let list = try TextPropertyList(receipts.signer.sign(Self.sample()))
        var blob = try #require(Data(base64Encoded: list.required("signature"))).prefix(257)
        for certificate in [chain.leaf, chain.intermediate] {
            let der = try certificate.der()
            withUnsafeBytes(of: UInt32(der.count).bigEndian) { blob.append(contentsOf: $0) }
            blob += der
        }
        expect(.untrusted, try changed("signature", blob.base64EncodedString()))
    }

    @Test func `it was signed while its certificates were valid`() throws {
        var late = Self.sample()
        late.signedDate = TestChain.start.addingTimeInterval(366 * 86_400)
        expect(.untrusted, try receipts.signer.sign(late))
    }

    @Test func `a receipt cut short or changed anywhere is refused`() throws {
        let whole = try receipts.signer.sign(Self.sample())
        try #require(whole.count > 1)
        for length in 0..<whole.count - 1 {
            #expect(throws: SecurityError.self, "\(length)") {
                try receipts.verifier.verify(transactionReceipt: whole.prefix(length))
            }
        }
        let list = try TextPropertyList(whole)
        let blob = try #require(Data(base64Encoded: list.required("signature")))
        try #require(blob.count > 260)
        // The version, the signature, and the lengths of the certificates.
        for index in [0, 1, 128, 256, 257, 258, 259, 260] {
            var other = blob
            other[index] ^= 1
            #expect(throws: SecurityError.self, "\(index)") {
                try receipts.verifier.verify(
                    transactionReceipt: changed("signature", other.base64EncodedString()))
            }
        }
        for length in 0..<blob.count {
            let text = blob.prefix(length).base64EncodedString()
            #expect(throws: SecurityError.self, "\(length)") {
                try receipts.verifier.verify(transactionReceipt: changed("signature", text))
            }
        }
    }

    @Test(arguments: [
        "", "{", "}", "{}{}", "{} x", "{\"a\"}", "{\"a\" = }", "{\"a\" = \"b\"}", "{a = \"b\";}",
        "{\"a\" = b;}", "{\"a\" = \"b\"; \"a\" = \"c\";}", "{\"a\" = \"b\";;}",
        "{\"a\" = \"\\x\";}",
        "{\"a\" = \"\\U12\";}", "{\"a\" = \"\\Ud800\";}", "{\"a\" = \"\\U+123\";}",
        "{\"a\" = \"\u{1}\";}", "{\"a\" = (\"b\");}", "{\"a\" = \"b", "{\"a\" = \"\\", "(\"a\")",
        "{\"a\" = {\"b\" = \"c\";};}", "\u{0}{}", "{}\u{0}", "{\"a\" \"=\" \"b\";}",
        "{" + (0..<65).map { "\"\($0)\" = \"\";" }.joined() + "}",
        "{\"a\" = \"" + String(repeating: "b", count: 65 << 10) + "\";}",
    ])
    func `text of another form is malformed`(text: String) throws {
        #expect(throws: SecurityError(.malformed, "")) { try TextPropertyList(Data(text.utf8)) }
        expect(.malformed, Data(text.utf8))
    }

    @Test func `text of the right form is read, however it is set`() throws {
        let list = try TextPropertyList(
            Data(" {\r\n\"a\"=\"\\\"\\\\\\n\\t\\U00e9\\Ud83d\\Ude00é\";\t\"\" = \"\" ; } \n".utf8))
        #expect(list["a"] == "\"\\\n\té😀é" && list[""] == "")
        #expect(try TextPropertyList(list.encoded()) == list)
        #expect(throws: SecurityError(.malformed, "")) {
            try TextPropertyList(Data([0x7b, 0x22, 0xff, 0x22, 0x3d, 0x22, 0x22, 0x3b, 0x7d]))
        }
    }

    @Test(arguments: [
        ("quantity", "-1"), ("quantity", "+1"), ("quantity", "01"), ("quantity", "1.5"),
        ("quantity", ""), ("quantity", "99999999999999999999"), ("purchase-date-ms", "soon"),
        ("purchase-date-ms", "253402300800000"), ("signed-date-ms", "-5"),
        ("expires-date", "2027-01-17"), ("web-order-line-item-id", "x"),
    ])
    func `numbers that are none are malformed`(key: String, value: String) throws {
        let list = try TextPropertyList(Self.sample().purchaseInformation())
        var other = TextPropertyList()
        for (name, text) in list.entries { other.add(name, name == key ? value : text) }
        #expect(throws: SecurityError(.malformed, "")) {
            try TransactionReceipt(purchaseInformation: other.encoded())
        }
    }
}
