import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreWire

/// Turns facts of the ledger into signed transactions. Works outside of the writer.
package struct TransactionSigner: Sendable {
    private let signer: JWSSigner
    private let clock: any StoreClock

    package init(signer: JWSSigner, clock: any StoreClock) {
        self.signer = signer
        self.clock = clock
    }

    package func answer(_ sale: PurchaseService.Sale) throws -> TransactionAnswer {
        TransactionAnswer(
            signedTransaction: try sign(sale.entry),
            contents: sale.release.map { release in
                [
                    WireContent(
                        contentIdentifier: sale.entry.details.productID.text,
                        version: release.version, length: release.downloadLength)
                ]
            } ?? [])
    }

    private func sign(_ entry: LedgerEntry) throws -> String {
        let details = entry.details
        let payload = TransactionPayload(
            transactionId: entry.id, originalTransactionId: entry.original.id,
            bundleId: details.bundleID.text, productId: details.productID.text,
            type: details.productType.rawValue, quantity: details.quantity,
            purchaseDate: details.date.milliseconds,
            originalPurchaseDate: entry.original.date.milliseconds,
            signedDate: clock.now().milliseconds, environment: details.environment.rawValue,
            inAppOwnershipType: "PURCHASED", transactionReason: "PURCHASE",
            storefront: details.storefront.code, storefrontId: details.storefront.identifier,
            currency: details.charged.currency, price: details.charged.thousandths,
            appAccountToken: details.applicationUsername, purchaseKey: details.key)
        return try signer.sign(try WireCoding.encode(payload))
    }
}
