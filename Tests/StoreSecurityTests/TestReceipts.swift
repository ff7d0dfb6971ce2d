import Foundation
@testable import StoreSecurity

/// A chain with a key for receipts, and receipts to sign with it.
struct TestReceipts {
    static let device = Data((1...16).map { UInt8($0) })

    let chain: TestChain
    let key: ReceiptKey
    let leaf: Certificate

    init(key: ReceiptKey? = nil) throws {
        chain = try TestChain()
        let key = try key ?? .generateForTests()
        self.key = key
        leaf = try Certificate.issue(
            receiptLeaf: "Test receipts", organization: "Example", key: key,
            issuer: (chain.intermediate, chain.intermediateKey), start: TestChain.start, days: 365)
    }

    var signer: ReceiptSigner {
        ReceiptSigner(key: key, chain: [leaf, chain.intermediate, chain.root])
    }
    var verifier: ReceiptVerifier { ReceiptVerifier(root: chain.root) }

    /// A signed receipt with its certificates in DER's order of a set, as stores wrote them.
    func sorted(_ signed: Data) throws -> Data {
        let certificates = try [leaf, chain.intermediate, chain.root].map { try $0.der() }
        let sorted = certificates.sorted { $0.lexicographicallyPrecedes($1) }
        var signed = signed
        guard let place = signed.range(of: Data(certificates.joined())) else {
            throw SecurityError(.malformed, "the certificates are not in the order of their chain")
        }
        signed.replaceSubrange(place, with: Data(sorted.joined()))
        return signed
    }

    /// A receipt with every attribute there is.
    static func full(at date: Date = TestChain.signingTime) throws -> AppReceipt {
        var full = ReceiptPurchase(
            quantity: 3, productID: "com.example.full", transactionID: "2000000001",
            purchaseDate: date, originalTransactionID: "1000000001",
            originalPurchaseDate: date.addingTimeInterval(-1000), productKind: .autoRenewable)
        full.expirationDate = date.addingTimeInterval(1000)
        full.webOrderLineItemID = 9_007_199_254_740_993
        full.cancellationDate = date.addingTimeInterval(500)
        full.isTrialPeriod = true
        full.isInIntroductoryPeriod = false
        full.promotionalOfferID = "Frühling"
        var receipt = try AppReceipt(
            type: "ProductionSandbox", appStoreID: 42, bundleID: "com.example.app",
            applicationVersion: "7", opaqueValue: Data([0, 1, 2, 0xff]), deviceIdentifier: device,
            creationDate: date, purchases: [plain(2, at: date), full])
        receipt.originalPurchaseDate = date.addingTimeInterval(-86_400)
        receipt.originalApplicationVersion = "1.0"
        receipt.expirationDate = date.addingTimeInterval(86_400)
        return receipt
    }

    static func plain(_ number: Int, at date: Date = TestChain.signingTime) -> ReceiptPurchase {
        ReceiptPurchase(
            quantity: 1, productID: "com.example.plain", transactionID: "\(number)",
            purchaseDate: date, originalTransactionID: "\(number)", originalPurchaseDate: date,
            productKind: .consumable)
    }
}
