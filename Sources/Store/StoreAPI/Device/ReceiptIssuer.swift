import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreWire

/// Turns the contents of a receipt into the signed file. Works outside of the writer.
package struct ReceiptIssuer: Sendable {
    private let signer: ReceiptSigner

    package init(signer: ReceiptSigner) {
        self.signer = signer
    }

    package func issue(
        _ contents: ReceiptContents, _ request: ReceiptRequest
    ) throws -> ReceiptAnswer {
        let isSandbox = contents.environment == .sandbox
        var receipt = try AppReceipt(
            type: isSandbox ? "ProductionSandbox" : "Production",
            appStoreID: isSandbox ? 0 : contents.app.id.number,
            bundleID: contents.app.bundleID.text, applicationVersion: request.applicationVersion,
            opaqueValue: try SecureRandom.bytes(16), deviceIdentifier: request.deviceIdentifier,
            creationDate: contents.creationDate,
            purchases: contents.purchases.map { Self.purchase($0) })
        if isSandbox {
            receipt.originalApplicationVersion = Self.sandboxOriginalVersion
            receipt.originalPurchaseDate = Self.sandboxOriginalDate
            if let properties = request.properties { Self.apply(properties, to: &receipt) }
        }
        return ReceiptAnswer(receipt: try signer.sign(receipt))
    }

    /// The first version and day of every app in Apple's sandbox. In production the store
    /// does not know when an app came to a customer, so its receipts don't say.
    private static let sandboxOriginalVersion = "1.0"
    private static let sandboxOriginalDate = Date(timeIntervalSince1970: 1_375_340_400)

    private static func purchase(_ item: ReceiptItem) -> ReceiptPurchase {
        let entry = item.entry
        var purchase = ReceiptPurchase(
            quantity: Int64(entry.details.quantity), productID: entry.details.productID.text,
            transactionID: entry.id.description, purchaseDate: entry.details.date,
            originalTransactionID: entry.original.id.description,
            originalPurchaseDate: entry.original.date,
            productKind: kind(of: entry.details.productType))
        purchase.cancellationDate = item.cancellationDate
        return purchase
    }

    private static func kind(of type: ProductType) -> ReceiptPurchase.ProductKind {
        switch type {
        case .nonConsumable: .nonConsumable
        case .consumable: .consumable
        case .nonRenewingSubscription: .nonRenewing
        case .autoRenewableSubscription: .autoRenewable
        }
    }

    /// What a test asked for: a receipt of a volume purchase, one that has expired (only
    /// those of volume purchases do), one whose purchases were all taken back.
    private static func apply(_ properties: ReceiptProperties, to receipt: inout AppReceipt) {
        let day: TimeInterval = 86_400
        if properties.volumePurchase || properties.expired {
            receipt.type = "ProductionVPPSandbox"
            receipt.expirationDate = receipt.creationDate.addingTimeInterval(
                properties.expired ? -day : 365 * day)
        }
        if properties.revoked {
            for index in receipt.purchases.indices {
                receipt.purchases[index].cancellationDate = receipt.creationDate
            }
        }
    }
}
