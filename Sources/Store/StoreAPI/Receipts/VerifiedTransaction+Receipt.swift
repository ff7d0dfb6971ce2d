import StoreCore
import StoreSecurity
import StoreWire

extension VerifiedTransaction {
    /// What a receipt says, with what became of its transaction.
    init(_ receipt: TransactionReceipt, _ record: TransactionRecord) {
        self.init(
            bundleID: receipt.bundleID, applicationVersion: receipt.applicationVersion,
            itemID: receipt.itemID, deviceIdentifier: receipt.deviceIdentifier,
            productID: receipt.productID, quantity: receipt.quantity,
            transactionID: receipt.transactionID,
            originalTransactionID: receipt.originalTransactionID,
            purchaseDate: VerifiedDate(receipt.purchaseDate),
            originalPurchaseDate: VerifiedDate(receipt.originalPurchaseDate))
        vendorIdentifier = receipt.vendorIdentifier
        let purchase = ReceiptPurchase(record)
        if let end = receipt.expirationDate {
            period = Period(
                end: VerifiedDate(end),
                webOrderLineItemID: receipt.webOrderLineItemID.map { String($0) },
                groupID: record.group, isTrialPeriod: purchase.isTrialPeriod ?? false,
                isInIntroductoryPeriod: purchase.isInIntroductoryPeriod ?? false)
        }
        cancellationDate = purchase.cancellationDate.map { VerifiedDate($0) }
        cancellationReason = purchase.cancellationReason
    }
}
