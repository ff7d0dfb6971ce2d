import Foundation

/// The entries of the outer property list.
private enum SignedKey {
    static let signature = "signature"
    static let purchaseInformation = "purchase-info"
    static let environment = "environment"
    static let pod = "pod"
    static let signingStatus = "signing-status"
}

extension TransactionReceipt {
    fileprivate static let production = "Production"
    /// Which of Apple's servers has made it; there is one here.
    fileprivate static let pod = "100"
}

extension ReceiptSigner {
    /// The signed receipt of a transaction: a property list in text form.
    package func sign(_ receipt: TransactionReceipt) throws -> Data {
        let identity = try identity()
        let information = receipt.purchaseInformation()
        let signature = try TransactionReceiptSignature(
            of: information, by: identity.key, chain: Array(identity.chain.prefix(2)))
        var list = TextPropertyList()
        list.add(SignedKey.signature, try signature.encoded().base64EncodedString())
        list.add(SignedKey.purchaseInformation, information.base64EncodedString())
        if receipt.environment != TransactionReceipt.production {
            list.add(SignedKey.environment, receipt.environment)
        }
        list.add(SignedKey.pod, TransactionReceipt.pod)
        list.add(SignedKey.signingStatus, "0")
        return list.encoded()
    }
}

extension ReceiptVerifier {
    /// The receipt of a transaction, once its signature leads to the root at the time when it
    /// was made.
    ///
    /// - Throws: `SecurityError` with `malformed`, `untrusted` or `badSignature`.
    package func verify(transactionReceipt data: Data) throws -> TransactionReceipt {
        let list = try TextPropertyList(data)
        let information = try Self.base64(list.required(SignedKey.purchaseInformation))
        let signature = try TransactionReceiptSignature(
            encoded: try Self.base64(list.required(SignedKey.signature)))
        let receipt = try TransactionReceipt(purchaseInformation: information)
        guard receipt.environment == list[SignedKey.environment] ?? TransactionReceipt.production
        else {
            throw SecurityError(.badSignature, "the receipt is of another environment")
        }
        try check(
            CertificateChain(
                leaf: signature.certificates[0], others: Array(signature.certificates.dropFirst())),
            at: receipt.signedDate)
        try signature.check(of: information)
        return receipt
    }

    private static func base64(_ text: String) throws -> Data {
        guard let data = Data(base64Encoded: text) else {
            throw SecurityError(.malformed, "a part of the receipt is not base64")
        }
        return data
    }
}
