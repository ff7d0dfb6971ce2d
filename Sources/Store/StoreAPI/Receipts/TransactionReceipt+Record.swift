import Foundation
import StoreCore
import StoreModel
import StoreSecurity

extension TransactionReceipt {
    /// The receipt of a transaction for a device.
    ///
    /// - Parameters:
    ///   - names: how the store names its environments.
    ///   - deviceIdentifier: bytes that the app can find out; 16 of them are the identifier for the
    ///     apps of a vendor.
    init(
        _ record: TransactionRecord, names: EnvironmentNames, productNumber: ProductNumber?,
        deviceIdentifier: Data,
        applicationVersion: String, at date: Date
    ) {
        let details = record.entry.details
        self.init(
            environment: names.name(of: details.environment), bundleID: details.bundleID.text,
            applicationVersion: applicationVersion,
            itemID: productNumber.map { String($0.number) } ?? "0",
            deviceIdentifier: String(SHA256Digest.hex(deviceIdentifier).prefix(40)),
            productID: details.productID.text, quantity: Int64(details.quantity),
            transactionID: record.id.description,
            originalTransactionID: record.entry.original.id.description,
            purchaseDate: details.date, originalPurchaseDate: record.entry.original.date,
            signedDate: date)
        if deviceIdentifier.count == 16 {
            vendorIdentifier =
                deviceIdentifier.withUnsafeBytes {
                    UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
                }.uuidString
        }
        expirationDate = record.facts.expiration
        webOrderLineItemID = record.webOrderLineItem?.number
    }

    /// The receipt of another transaction of the same subscription, for the same device.
    init(renewing former: TransactionReceipt, as record: TransactionRecord, at date: Date) {
        self = former
        let details = record.entry.details
        productID = details.productID.text
        quantity = Int64(details.quantity)
        transactionID = record.id.description
        purchaseDate = details.date
        expirationDate = record.facts.expiration
        webOrderLineItemID = record.webOrderLineItem?.number
        signedDate = date
    }
}
