import Foundation
import StoreSecurity
import Testing

@Suite("Sealed token")
struct SealedTokenTests {
    private let tokens = SealedTokens(secret: Data(repeating: 7, count: 32))

    @Test(arguments: ["", "a", "{\"transactionId\":\"1\"}", String(repeating: "x", count: 10_000)])
    func `the store opens what it sealed`(_ statement: String) throws {
        let token = tokens.seal(Data(statement.utf8))
        #expect(String(decoding: try tokens.open(token), as: UTF8.self) == statement)
    }

    /// The text of RFC 4231's second test case under our key, sealed by
    /// `openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…`.
    @Test func `the seal is HMAC-SHA256`() {
        let token = tokens.seal(Data("what do ya want for nothing?".utf8))
        #expect(
            token
                == "d2hhdCBkbyB5YSB3YW50IGZvciBub3RoaW5nPw.N4U6_33y_x-U4ZStZt12M-AfJkK9vALwtqHqdUDSrA4"
        )
    }

    @Test func `a changed statement does not fit its seal`() throws {
        let token = tokens.seal(Data(#"{"digest":"a"}"#.utf8))
        let seal = try #require(token.split(separator: ".").last)
        let statement = Base64URL.encode(Data(#"{"digest":"b"}"#.utf8))
        #expect(throws: SecurityError(.badSignature, "")) {
            try tokens.open("\(statement).\(seal)")
        }
    }

    @Test(arguments: 0..<32)
    func `a changed byte of the seal is noticed`(_ index: Int) throws {
        let parts = tokens.seal(Data("statement".utf8)).split(separator: ".")
        try #require(parts.count == 2)
        var seal = try #require(Base64URL.decode(parts[1]))
        try #require(seal.count == 32)
        seal[seal.startIndex + index] ^= 1
        #expect(throws: SecurityError(.badSignature, "")) {
            try tokens.open("\(parts[0]).\(Base64URL.encode(seal))")
        }
    }

    @Test func `a token of another secret is refused`() {
        let others = SealedTokens(secret: Data(repeating: 8, count: 32))
        let token = others.seal(Data("statement".utf8))
        #expect(throws: SecurityError(.badSignature, "")) { try tokens.open(token) }
    }

    @Test(arguments: ["e30.", ".", "e30.AAAA", ".AAAA"])
    func `a seal of another length is refused`(_ token: String) {
        #expect(throws: SecurityError(.badSignature, "")) { try tokens.open(token) }
    }

    @Test(arguments: ["", "e30", "e30.e30.e30", "e30=.AAAA", "e 0.AAAA", "e30.A", "日.本", "e+0.AA"])
    func `text of another form is malformed`(_ token: String) {
        #expect(throws: SecurityError(.malformed, "")) { try tokens.open(token) }
    }
}
