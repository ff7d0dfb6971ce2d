import CStoreCrypto
import Foundation
import StoreSecurity

/// A store's authority over keys that everybody knows, and what it signs.
struct SampleAuthority: Sendable {
    /// When everything is made.
    static let date = Date(timeIntervalSince1970: 1_800_000_000)
    static let device = Data((1...16).map { UInt8($0) })

    let root: Certificate
    let intermediate: Certificate
    let leaf: Certificate
    let leafKey: SigningKey
    let signer: JWSSigner
    let receiptSigner: ReceiptSigner
    let responder: OCSPResponder

    init() throws {
        let organization = "Sample"
        let start = Self.date.addingTimeInterval(-3600)
        func issue(
            _ role: CertificateRole, _ key: SigningKey, _ issuer: CertificateIssuer?
        ) throws -> Certificate {
            try Certificate.issue(
                role: role, name: "Sample \(role)", organization: organization, key: key,
                issuer: issuer, start: start, days: 3650,
                ocspAddress: issuer == nil ? nil : "http://127.0.0.1:8080/ocsp")
        }
        let rootKey = try SigningKey(pem: SampleKeys.root)
        let intermediateKey = try SigningKey(pem: SampleKeys.intermediate)
        leafKey = try SigningKey(pem: SampleKeys.leaf)
        let receiptKey = try ReceiptKey(pem: SampleKeys.receipts)
        root = try issue(.root, rootKey, nil)
        intermediate = try issue(.intermediate, intermediateKey, (root, rootKey))
        leaf = try issue(.leaf, leafKey, (intermediate, intermediateKey))
        let receiptLeaf = try Certificate.issue(
            receiptLeaf: "Sample receipts", organization: organization, key: receiptKey,
            issuer: (intermediate, intermediateKey), start: start, days: 3650)
        signer = try JWSSigner(key: leafKey, chain: [leaf, intermediate, root])
        receiptSigner = ReceiptSigner(key: receiptKey, chain: [receiptLeaf, intermediate, root])
        responder = OCSPResponder(authorities: [
            OCSPResponder.Authority(certificate: root, key: rootKey),
            OCSPResponder.Authority(certificate: intermediate, key: intermediateKey),
        ]) { serial, _ in
            // By its last digit, so that all there are come about.
            switch serial.text.utf8.last.map({ $0 % 3 }) {
            case 0: .good
            case 1: .revoked(at: Self.date)
            default: .unknown
            }
        }
    }

    /// An app's receipt with every attribute there is.
    static func receipt() throws -> AppReceipt {
        var purchase = ReceiptPurchase(
            quantity: 3, productID: "com.example.full", transactionID: "2000000001",
            purchaseDate: date, originalTransactionID: "1000000001", originalPurchaseDate: date,
            productKind: .autoRenewable)
        purchase.expirationDate = date
        purchase.webOrderLineItemID = 9_007_199_254_740_993
        purchase.cancellationDate = date
        purchase.isTrialPeriod = true
        purchase.isInIntroductoryPeriod = false
        purchase.promotionalOfferID = "Frühling"
        var receipt = try AppReceipt(
            type: "ProductionSandbox", appStoreID: 42, bundleID: "com.example.app",
            applicationVersion: "7", opaqueValue: Data([0, 1, 2, 0xff]), deviceIdentifier: device,
            creationDate: date, purchases: [purchase])
        receipt.originalPurchaseDate = date
        receipt.originalApplicationVersion = "1.0"
        receipt.expirationDate = date
        return receipt
    }

    /// The receipt of a transaction with every entry there is.
    static func transactionReceipt() -> TransactionReceipt {
        var receipt = TransactionReceipt(
            environment: "Sandbox", bundleID: "com.example.app", applicationVersion: "1 \"β\"",
            itemID: "539008423", deviceIdentifier: String(repeating: "0a", count: 20),
            productID: "com.example.chapter", quantity: 3, transactionID: "2000000001",
            originalTransactionID: "1000000001", purchaseDate: date, originalPurchaseDate: date,
            signedDate: date)
        receipt.vendorIdentifier = "0E28E5AC-8B1C-4F2C-9C0F-0D5A4F4A9D5E"
        receipt.expirationDate = date
        receipt.webOrderLineItemID = 9_007_199_254_740_993
        return receipt
    }

    /// The claims of a token of the API.
    static func claims() -> APIToken.Claims {
        APIToken.Claims(
            issuer: "0E28E5AC-8B1C-4F2C-9C0F-0D5A4F4A9D5E", issued: date,
            expiration: date.addingTimeInterval(300), audiences: ["appstoreconnect-v1"],
            scopes: ["GET /v1/apps"])
    }

    /// A request of OCSP about the leaf and the intermediate.
    ///
    /// - Parameter nonce: whether it has one.
    func statusRequest(sha256: Bool, nonce: Bool) -> Data {
        guard let request = OCSP_REQUEST_new() else { return Data() }
        defer { OCSP_REQUEST_free(request) }
        for (certificate, issuer) in [(leaf, intermediate), (intermediate, root)] {
            func parsed(_ certificate: Certificate) -> OpaquePointer? {
                let der = (try? certificate.der()) ?? Data()
                return der.withUnsafeBytes { bytes in
                    var position = bytes.bindMemory(to: UInt8.self).baseAddress
                    return d2i_X509(nil, &position, bytes.count)
                }
            }
            let (subject, authority) = (parsed(certificate), parsed(issuer))
            defer {
                X509_free(subject)
                X509_free(authority)
            }
            let id = OCSP_cert_to_id(sha256 ? EVP_sha256() : EVP_sha1(), subject, authority)
            if OCSP_request_add0_id(request, id) == nil { OCSP_CERTID_free(id) }
        }
        if nonce { OCSP_request_add1_nonce(request, nil, 16) }
        var buffer: UnsafeMutablePointer<UInt8>? = nil
        let length = i2d_OCSP_REQUEST(request, &buffer)
        guard length > 0, let buffer else { return Data() }
        defer { CRYPTO_free(buffer, #file, #line) }
        return Data(bytes: buffer, count: Int(length))
    }
}
