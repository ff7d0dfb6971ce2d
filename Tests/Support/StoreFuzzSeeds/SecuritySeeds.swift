import Foundation
import StoreSecurity

/// Receipts, requests of OCSP, statements and tokens; see Fuzz/ReceiptFuzz.swift and
/// Fuzz/StatementFuzz.swift for what the first byte says.
enum SecuritySeeds {
    static func all() throws -> [(kind: String, name: String, data: Data)] {
        let authority = try SampleAuthority()
        let receipt = try SampleAuthority.receipt()
        let transaction = SampleAuthority.transactionReceipt()
        var seeds: [(kind: String, name: String, data: Data)] = []
        func add(_ kind: String, _ name: String, _ letter: Character, _ data: Data) {
            seeds.append((kind, name, Data(String(letter).utf8) + data))
        }
        add("receipt", "app", "a", try authority.receiptSigner.sign(receipt))
        add("receipt", "payload", "p", try receipt.payload())
        add("receipt", "transaction", "t", try authority.receiptSigner.sign(transaction))
        add("receipt", "information", "i", transaction.purchaseInformation())
        for (sha256, nonce) in [(false, false), (true, true)] {
            add(
                "receipt", "status-\(sha256)", "o",
                authority.statusRequest(sha256: sha256, nonce: nonce))
        }
        let statement = try authority.signer.sign(Data("{}".utf8))
        add("statement", "statement", "s", Data(statement.utf8))
        add("statement", "parts", "h", parts(of: statement))
        add("statement", "certificate", "c", try authority.leaf.der())
        let token = try APIToken.sign(
            SampleAuthority.claims(), keyID: "2X9R4HXF34", key: authority.leafKey)
        add("statement", "token", "t", Data(token.utf8))
        add("statement", "claims", "k", parts(of: token))
        let seal = SealedTokens(secret: Data(repeating: 7, count: 32)).seal(Data("sealed".utf8))
        add("statement", "sealed", "m", Data(seal.utf8))
        return seeds
    }

    /// The parts of a JWS without their base64, behind the lengths of the first two.
    private static func parts(of text: String) -> Data {
        let parts = text.split(separator: ".").map { Base64URL.decode($0) ?? Data() }
        let lengths = parts.prefix(2).flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] }
        return Data(lengths) + parts.joined()
    }
}
