import Foundation
@testable import StoreKit
import StoreSecurity
import StoreWire
import Testing

/// A statement with something wrong in it, and what a device says of it.
struct Forgery: Sendable, CustomTestStringConvertible {
    typealias VerificationError = VerificationResult<Transaction>.VerificationError

    let testDescription: String
    let error: VerificationError?
    let make: @Sendable (StatementAuthority) throws -> VerificationResult<Transaction>?

    init(
        _ name: String, _ error: VerificationError?,
        _ make: @escaping @Sendable (StatementAuthority) throws -> VerificationResult<Transaction>?
    ) {
        testDescription = name
        self.error = error
        self.make = make
    }

    /// A statement of the store with another value for a key.
    init(_ key: String, _ value: JSONValue?, _ error: VerificationError?) {
        self.init("\(key) is another", error) { authority in
            let payload = FullPayload.transaction.with(key, value)
            return authority.verifier().transaction(try authority.sign(payload))
        }
    }

    /// A genuine statement, changed part by part.
    init(
        _ name: String, _ error: VerificationError?,
        changing change: @escaping @Sendable (inout [String]) -> Void
    ) {
        self.init(name, error) { authority in
            let jws = try authority.sign(FullPayload.transaction)
            var parts = jws.split(separator: ".").map { String($0) }
            change(&parts)
            return authority.verifier().transaction(parts.joined(separator: "."))
        }
    }

    static let all: [Forgery] = [
        Forgery("nothing is wrong", nil) { _ in },
        Forgery("another store signed it", .invalidCertificateChain) { authority in
            let jws = try StatementAuthority().sign(FullPayload.transaction)
            return authority.verifier().transaction(jws)
        },
        Forgery("the leaf was revoked", .revokedCertificate) { authority in
            let leaf = try authority.leaf.der()
            return authority.verifier(isRevoked: { (try? $0.der()) == leaf })
                .transaction(try authority.sign(FullPayload.transaction))
        },
        Forgery("it is of before the certificates", .invalidCertificateChain) { authority in
            let payload = FullPayload.transaction.with("signedDate", 1_000_000_000_000)
            return authority.verifier().transaction(try authority.sign(payload))
        },
        Forgery("its date is no date of anybody's", .invalidCertificateChain) { authority in
            let payload = FullPayload.transaction.with("signedDate", .number(1e300))
            return authority.verifier().transaction(try authority.sign(payload))
        },
        Forgery("the payload was changed", .invalidSignature) { parts in
            let payload = FullPayload.transaction.with("quantity", 9).encoded()
            parts[1] = Base64URL.encode(payload)
        },
        Forgery("the signature is missing", .invalidSignature) { $0[2] = "" },
        Forgery("the signature is no Base64", .invalidEncoding) { $0[2] = "=" },
        Forgery("the header is no JSON", .invalidEncoding) { $0[0] = "e30x" },
        Forgery("nothing is signed", .invalidCertificateChain) { parts in
            parts[0] = Base64URL.encode(Data(#"{"alg":"none","x5c":[]}"#.utf8))
        },
        Forgery("it was made for another device", .invalidDeviceVerification) { authority in
            authority.verifier(deviceID: "C0FFEE00-1234-4ABC-8DEF-00112233445B")
                .transaction(try authority.sign(FullPayload.transaction))
        },
        Forgery("deviceVerification", "AAAA", .invalidDeviceVerification),
        Forgery(
            "deviceVerificationNonce", "5F3759DF-1C1C-4B1B-9B2A-0123456789AC",
            .invalidDeviceVerification),
        Forgery("bundleId", "com.example.other", .invalidSignature),
        Forgery("environment", "Production", .invalidSignature),
        Forgery("signedDate", nil, .missingRequiredProperties),
        Forgery("quantity", .null, .missingRequiredProperties),
        Forgery("bundleId", nil, .missingRequiredProperties),
        Forgery("deviceVerification", nil, .missingRequiredProperties),
        Forgery("a key that nobody knows", true, nil),
    ]
}

@Suite("Statement of StoreKit 2")
struct StatementVerifierTests {
    private let authority: StatementAuthority

    init() throws { authority = try StatementAuthority.shared.get() }

    @Test(arguments: Forgery.all)
    func `a statement is verified, or carries its value with the reason why not`(
        _ forgery: Forgery
    ) throws {
        let result = try #require(try forgery.make(authority))
        switch result {
        case .verified: #expect(forgery.error == nil)
        case .unverified(_, let error): #expect(error == forgery.error)
        }
        #expect(result.unsafePayloadValue.productID == "com.example.pro")
        #expect(((try? result.payloadValue) == nil) == (forgery.error != nil))
    }

    @Test(arguments: [
        "", "..", "a.b.c", "e30.e30.e30", "\u{301}.\u{301}", "e30.W10.", "e30.bnVsbA.",
        String(repeating: ".", count: 100_000),
    ])
    func `what does not say what it is about is no result`(_ text: String) throws {
        let verifier = authority.verifier()
        #expect(verifier.transaction(text) == nil)
        #expect(verifier.renewalInfo(text) == nil)
        #expect(verifier.appTransaction(text) == nil)
    }

    @Test(
        arguments: [
            ("transactionId", nil), ("transactionId", 7), ("transactionId", "-1"),
            ("originalTransactionId", "18446744073709551616"), ("productId", nil),
            ("purchaseDate", "1800000000000"),
        ] as [(String, JSONValue?)])
    func `a transaction without its identity is no result`(
        _ key: String, _ value: JSONValue?
    ) throws {
        let payload = FullPayload.transaction.with(key, value)
        #expect(authority.verifier().transaction(try authority.sign(payload)) == nil)
    }

    @Test func `renewal information and app transactions are verified by the same rules`() throws {
        let verifier = authority.verifier()
        let stranger = authority.verifier(deviceID: "another")
        let renewal = try authority.sign(FullPayload.renewal)
        let app = try authority.sign(FullPayload.app)
        guard case .verified = verifier.renewalInfo(renewal),
            case .unverified(_, .invalidDeviceVerification) = stranger.renewalInfo(renewal),
            case .unverified(_, .missingRequiredProperties) = verifier.renewalInfo(
                try authority.sign(FullPayload.renewal.with("autoRenewStatus", nil)))
        else { return #expect(Bool(false), "renewal information") }
        guard case .verified = verifier.appTransaction(app),
            case .unverified(_, .invalidDeviceVerification) = stranger.appTransaction(app),
            case .unverified(_, .invalidSignature) = verifier.appTransaction(
                try authority.sign(FullPayload.app.with("receiptType", "Production"))),
            case .unverified(_, .missingRequiredProperties) = verifier.appTransaction(
                try authority.sign(FullPayload.app.with("receiptCreationDate", nil)))
        else { return #expect(Bool(false), "an app transaction") }
    }

    @Test func `a result gives the statement and its parts`() throws {
        let verifier = authority.verifier()
        let jws = try FullPayload.all.map { try authority.sign($0) }
        let transaction = try #require(verifier.transaction(jws[0]))
        let renewal = try #require(verifier.renewalInfo(jws[1]))
        let app = try #require(verifier.appTransaction(jws[2]))
        #expect(
            [transaction.jwsRepresentation, renewal.jwsRepresentation, app.jwsRepresentation]
                == jws)
        #expect(
            [transaction.payloadData, renewal.payloadData, app.payloadData]
                == FullPayload.all.map { $0.encoded() })
        for header in [transaction.headerData, renewal.headerData, app.headerData] {
            #expect(try JSONValue(reading: header)["alg"] == "ES256")
        }
        let signed = [transaction.signedData, renewal.signedData, app.signedData]
        let signatures = [transaction.signatureData, renewal.signatureData, app.signatureData]
        for index in jws.indices {
            let text = String(decoding: signed[index], as: UTF8.self)
            #expect(signatures[index].count == 64)
            #expect(jws[index] == "\(text).\(Base64URL.encode(signatures[index]))")
        }
        let date = Date(timeIntervalSince1970: 1_800_000_200)
        #expect(
            [transaction.signedDate, renewal.signedDate, app.signedDate] == [date, date, date])
        let digest = Data(base64Encoded: StatementAuthority.digest)
        #expect(transaction.deviceVerification == digest)
        #expect(renewal.deviceVerification == digest && app.deviceVerification == digest)
        let nonce = UUID(uuidString: StatementAuthority.nonce)
        #expect(transaction.deviceVerificationNonce == nonce)
        #expect(renewal.deviceVerificationNonce == nonce && app.deviceVerificationNonce == nonce)
        let text = transaction.debugDescription
        #expect(text.contains("\"alg\" : \"ES256\"") && text.contains("\"quantity\" : 2"))
        #expect(text.hasSuffix("signature: 64 bytes (verified)"))
    }

    @Test func `two results are equal if value and reason are`() throws {
        let verifier = authority.verifier()
        let one = verifier.transaction(try authority.sign(FullPayload.transaction))
        let same = verifier.transaction(try authority.sign(FullPayload.transaction))
        let stranger = authority.verifier(deviceID: "another")
        #expect(one == same && Set([one, same]).count == 1)
        #expect(one != stranger.transaction(try authority.sign(FullPayload.transaction)))
    }
}
