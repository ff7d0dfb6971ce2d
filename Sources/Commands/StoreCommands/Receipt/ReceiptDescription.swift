import Foundation
import StoreSecurity

/// What a receipt says, as the commands show it.
struct ReceiptDescription: Encodable {
    struct Purchase: Encodable {
        var productId: String
        var transactionId: String
        var originalTransactionId: String
        var quantity: Int64
        var purchaseDate: Date
        var expirationDate: Date?
        var cancellationDate: Date?
    }

    var receiptType: String
    var bundleId: String
    var applicationVersion: String
    /// When it was made.
    var creationDate: Date
    /// Of a volume purchase.
    var expirationDate: Date?
    var inApp: [Purchase]

    init(_ receipt: AppReceipt) {
        receiptType = receipt.type
        bundleId = receipt.bundleID
        applicationVersion = receipt.applicationVersion
        creationDate = receipt.creationDate
        expirationDate = receipt.expirationDate
        inApp = receipt.purchases.map { purchase in
            Purchase(
                productId: purchase.productID, transactionId: purchase.transactionID,
                originalTransactionId: purchase.originalTransactionID,
                quantity: purchase.quantity, purchaseDate: purchase.purchaseDate,
                expirationDate: purchase.expirationDate,
                cancellationDate: purchase.cancellationDate)
        }
    }

    init(_ receipt: TransactionReceipt) {
        receiptType = receipt.environment
        bundleId = receipt.bundleID
        applicationVersion = receipt.applicationVersion
        creationDate = receipt.signedDate
        inApp = [
            Purchase(
                productId: receipt.productID, transactionId: receipt.transactionID,
                originalTransactionId: receipt.originalTransactionID,
                quantity: receipt.quantity, purchaseDate: receipt.purchaseDate,
                expirationDate: receipt.expirationDate)
        ]
    }

    func write(to output: Output) {
        output.line("The receipt is valid.")
        for (name, value) in [
            ("type", receiptType), ("app", bundleId), ("version", applicationVersion),
            ("made", creationDate.formatted(.iso8601)),
        ] {
            output.line("  \(name.padding(toLength: 8, withPad: " ", startingAt: 0))\(value)")
        }
        if let expirationDate {
            output.line("  until   \(expirationDate.formatted(.iso8601))")
        }
        if !inApp.isEmpty { output.write(purchases.text(on: output)) }
    }

    /// What it has, with the ends of periods.
    var purchases: Table {
        var table = Table(
            ["TRANSACTION", "PRODUCT", "QUANTITY", "BOUGHT", "UNTIL", "TAKEN BACK"],
            rightAligned: [2])
        table.rows = inApp.map { purchase in
            [
                purchase.transactionId, purchase.productId, "\(purchase.quantity)",
                purchase.purchaseDate.formatted(.iso8601),
                purchase.expirationDate?.formatted(.iso8601) ?? "-",
                purchase.cancellationDate?.formatted(.iso8601) ?? "-",
            ]
        }
        return table
    }
}
