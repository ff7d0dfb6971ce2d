import CStoreCrypto
import Foundation

/// What an app receipt says: which app on which device, and what was bought in it.
///
/// The attributes are Apple's; those that neither Apple nor this store documents a value
/// for are skipped when a receipt is read.
package struct AppReceipt: Sendable, Hashable {
    /// `Production`, `ProductionSandbox`, `ProductionVPP` or `ProductionVPPSandbox`.
    package var type: String
    /// The app's number in the store; 0 in the sandbox.
    package var appStoreID: Int64?
    package let bundleID: String
    /// The DER of the bundle identifier as it stands in the receipt: the hash covers it.
    package let bundleIDValue: Data
    package var applicationVersion: String
    /// Bytes that make the hash of each receipt another one; what they mean is the store's affair.
    package let opaqueValue: Data
    /// SHA-1 over the device's identifier, the opaque value and the bundle identifier.
    package let deviceHash: Data
    package var creationDate: Date
    package var originalPurchaseDate: Date?
    package var originalApplicationVersion: String?
    /// The number by which the store knows that the customer has the app; none in the sandbox.
    package var downloadID: Int64?
    /// The number of the app's version in the store; none in the sandbox.
    package var versionNumber: Int64?
    /// Of volume purchases only.
    package var expirationDate: Date?
    package var purchases: [ReceiptPurchase]

    /// A receipt for a device.
    ///
    /// - Parameter deviceIdentifier: the bytes that the app on the device can find out too.
    package init(
        type: String, appStoreID: Int64?, bundleID: String, applicationVersion: String,
        opaqueValue: Data, deviceIdentifier: Data, creationDate: Date,
        purchases: [ReceiptPurchase] = []
    ) throws {
        let bundleIDValue = try DERValue.utf8(bundleID).der()
        self.init(
            type: type, appStoreID: appStoreID, bundleID: bundleID, bundleIDValue: bundleIDValue,
            applicationVersion: applicationVersion, opaqueValue: opaqueValue,
            deviceHash: try Self.hash(
                deviceIdentifier: deviceIdentifier, opaqueValue: opaqueValue,
                bundleIDValue: bundleIDValue),
            creationDate: creationDate, purchases: purchases)
    }

    init(
        type: String, appStoreID: Int64?, bundleID: String, bundleIDValue: Data,
        applicationVersion: String, opaqueValue: Data, deviceHash: Data, creationDate: Date,
        purchases: [ReceiptPurchase]
    ) {
        self.type = type
        self.appStoreID = appStoreID
        self.bundleID = bundleID
        self.bundleIDValue = bundleIDValue
        self.applicationVersion = applicationVersion
        self.opaqueValue = opaqueValue
        self.deviceHash = deviceHash
        self.creationDate = creationDate
        self.purchases = purchases
    }

    /// A receipt for the device and app of another one, as things are at another time.
    package init(renewing former: AppReceipt, creationDate: Date, purchases: [ReceiptPurchase]) {
        self = former
        self.creationDate = creationDate
        self.purchases = purchases
    }

    /// Whether the receipt was made for a device.
    package func isMade(forDevice identifier: Data) throws -> Bool {
        let hash = try Self.hash(
            deviceIdentifier: identifier, opaqueValue: opaqueValue, bundleIDValue: bundleIDValue)
        return constantTimeEqual(hash, deviceHash)
    }

    private static func hash(
        deviceIdentifier: Data, opaqueValue: Data, bundleIDValue: Data
    ) throws -> Data {
        OpenSSLLibrary.ready
        let message = deviceIdentifier + opaqueValue + bundleIDValue
        var digest = Data(count: 20)
        let result = digest.withUnsafeMutableBytes { digest in
            message.withUnsafeBytes { message in
                EVP_Digest(
                    message.baseAddress, message.count,
                    digest.bindMemory(to: UInt8.self).baseAddress, nil, EVP_sha1(), nil)
            }
        }
        guard result == 1 else { throw SecurityError.library("the hash of a receipt") }
        return digest
    }
}

/// One in-app purchase of a receipt.
package struct ReceiptPurchase: Sendable, Hashable {
    /// Apple's numbers of the kinds of product.
    package enum ProductKind: Int64, Sendable {
        case nonConsumable = 0
        case consumable = 1
        case nonRenewing = 2
        case autoRenewable = 3
    }

    package var quantity: Int64
    package var productID: String
    package var transactionID: String
    package var purchaseDate: Date
    package var originalTransactionID: String
    package var originalPurchaseDate: Date
    package var productKind: ProductKind?
    /// Of a subscription.
    package var expirationDate: Date?
    package var webOrderLineItemID: Int64?
    /// When the purchase was taken back.
    package var cancellationDate: Date?
    package var isTrialPeriod: Bool?
    package var isInIntroductoryPeriod: Bool?
    package var promotionalOfferID: String?
    /// Whether somebody else of the family bought it.
    package var isFamilyShared = false
    /// Why the purchase was taken back: 1 for an issue of the app, 0 for anything else.
    package var cancellationReason: Int64?

    package init(
        quantity: Int64, productID: String, transactionID: String, purchaseDate: Date,
        originalTransactionID: String, originalPurchaseDate: Date, productKind: ProductKind?
    ) {
        self.quantity = quantity
        self.productID = productID
        self.transactionID = transactionID
        self.purchaseDate = purchaseDate
        self.originalTransactionID = originalTransactionID
        self.originalPurchaseDate = originalPurchaseDate
        self.productKind = productKind
    }
}
