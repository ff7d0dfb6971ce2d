import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreWire

/// Signs what devices get: each statement is bound to the device that asked for it, by a digest
/// with a nonce of its own.
package struct DeviceSigner: Sendable {
    private let transactions: TransactionSigner
    private let makeNonce: @Sendable () -> UUID

    package init(services: APIServices) {
        transactions = services.transactionSigner
        makeNonce = services.makeNonce
    }

    /// A sale, also bound to the one payment that asked for it.
    package func answer(
        _ sale: PurchaseService.Sale, to device: String
    ) throws -> TransactionAnswer {
        var payload = transactions.payload(of: sale.record)
        payload.purchaseKey = sale.entry.details.key
        if sale.entry.details.kind == .purchase {
            payload.periodTransactionId = sale.entry.period
        }
        return TransactionAnswer(
            signedTransaction: try sign(payload, for: device),
            contents: sale.release.map { release in
                [
                    WireContent(
                        contentIdentifier: sale.entry.details.productID.text,
                        version: release.version, length: release.downloadLength)
                ]
            } ?? [])
    }

    /// A transaction that no payment of the device asks for.
    func sign(_ record: TransactionRecord, for device: String) throws -> String {
        try sign(transactions.payload(of: record), for: device)
    }

    private func sign(_ payload: TransactionPayload, for device: String) throws -> String {
        var payload = payload
        (payload.deviceVerification, payload.deviceVerificationNonce) = verification(of: device)
        return try transactions.sign(payload)
    }

    /// Renewal information of the subscription that a transaction belongs to.
    func sign(
        _ information: RenewalInformation, of record: TransactionRecord, for device: String
    ) throws -> String {
        var payload = transactions.payload(of: information, record)
        (payload.deviceVerification, payload.deviceVerificationNonce) = verification(of: device)
        return try transactions.sign(payload)
    }

    /// The statement that an account has an app.
    func sign(_ facts: AppTransactionFacts, for device: String) throws -> String {
        var payload = transactions.payload(of: facts)
        if facts.transaction.environment == .sandbox {
            payload.appAppleId = nil
            payload.versionExternalIdentifier = nil
        }
        payload.requestDate = payload.receiptCreationDate
        (payload.deviceVerification, payload.deviceVerificationNonce) = verification(of: device)
        return try transactions.sign(payload)
    }

    private func verification(of device: String) -> (digest: String, nonce: String) {
        let nonce = makeNonce()
        return (
            DeviceVerification.digest(nonce: nonce, device: device).base64EncodedString(),
            nonce.uuidString.lowercased()
        )
    }
}
