import StoreModel
import StoreSecurity
import StoreWire

/// Statements that the store has signed.
extension StoreClient {
    /// A transaction, once it is clear that this store signed it for this app.
    func verified(_ answer: TransactionAnswer) throws -> VerifiedTransactionAnswer {
        let data = try profile.verifier.verify(answer.signedTransaction) { data in
            Date(
                milliseconds: try WireCoding.decode(TransactionPayload.self, from: data).signedDate)
        }
        let payload = try WireCoding.decode(TransactionPayload.self, from: data)
        guard payload.bundleId == profile.payload.bundleId.text,
            payload.environment == profile.payload.statementEnvironment
        else {
            throw SecurityError(
                .untrusted, "the transaction is for \(payload.bundleId) in \(payload.environment)")
        }
        guard PriceLocale.isCurrency(payload.currency) else {
            throw SecurityError(.malformed, "the transaction was paid in no currency")
        }
        return VerifiedTransactionAnswer(answer: answer, payload: payload)
    }

    /// The payload of a delivery that this store signed for a transaction and what was asked
    /// for.
    func verified(
        _ signedDelivery: String, for id: TransactionID, _ wanted: DownloadRequest
    ) throws -> DeliveryPayload {
        let data = try profile.verifier.verify(signedDelivery, type: SignedKind.delivery) { data in
            Date(milliseconds: try WireCoding.decode(DeliveryPayload.self, from: data).signedDate)
        }
        let payload = try WireCoding.decode(DeliveryPayload.self, from: data)
        guard payload.transactionId == id,
            payload.contentIdentifier == wanted.contentIdentifier,
            payload.version == wanted.version
        else { throw SecurityError(.untrusted, "the delivery is for other content") }
        guard (1...DeliveryFetcher.longestManifest).contains(payload.manifestLength),
            (0...WireContent.longest).contains(payload.downloadLength)
        else { throw SecurityError(.malformed, "the delivery has impossible lengths") }
        return payload
    }

    /// The SHA-256 of the root certificate that signatures lead to.
    var rootFingerprint: String { profile.rootFingerprint }
}

/// A transaction whose signature is the store's.
struct VerifiedTransactionAnswer: Sendable {
    let answer: TransactionAnswer
    let payload: TransactionPayload
}
