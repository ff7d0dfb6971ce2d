import StoreSecurity

/// An addition of OpenStoreKit: an app receipt, read and verified (receipt validation on the device).
///
/// ```swift
/// let receipt = try OpenStoreReceipt.current()
/// let owned = Set(
///     receipt.inAppPurchases.filter { $0.cancellationDate == nil }.map(\.productIdentifier))
/// ```
///
/// A value of this type has a signature that leads to the root certificate it was read with.
/// Code that was written for Apple's receipts may read the file itself instead: it is CMS
/// signed data with Apple's attributes.
public struct OpenStoreReceipt: Sendable, Hashable {
    private let receipt: AppReceipt

    /// Reads a receipt and checks its signature and its certificates, as of the time when it
    /// was made.
    ///
    /// - Parameters:
    ///   - data: the file's bytes.
    ///   - rootCertificate: the store's root in DER; nil for the one that the app's
    ///     provisioning profile names.
    /// - Throws: ``OpenStoreReceiptError`` with `malformed` or `untrusted`;
    ///   ``SKError/clientInvalid`` where the profile is needed and missing.
    public init(data: Data, rootCertificate: Data? = nil) throws {
        let root =
            if let rootCertificate { try Self.root(rootCertificate) } else {
                try DeviceProfile.current().verifier.root
            }
        try self.init(data: data, root: root)
    }

    init(data: Data, root: Certificate) throws {
        do {
            receipt = try ReceiptVerifier(root: root).verify(data)
        } catch let error as SecurityError {
            throw OpenStoreReceiptError(
                error.code == .malformed ? .malformed : .untrusted, error.description)
        }
    }

    /// The receipt of this app on this device, checked for both.
    ///
    /// - Throws: ``OpenStoreReceiptError``; with `missing` where there is no receipt yet.
    ///   ``SKError/clientInvalid`` where the app has no usable profile.
    public static func current() throws -> OpenStoreReceipt {
        try current(on: try StoreDevice.current())
    }

    static func current(on device: StoreDevice) throws -> OpenStoreReceipt {
        let receipt = try read(on: device, root: device.profile.verifier.root)
        try receipt.verify(
            bundleIdentifier: device.profile.payload.bundleId.text,
            deviceIdentifier: device.receiptFile.deviceIdentifier)
        return receipt
    }

    /// The receipt on a device, signed below a root.
    static func read(on device: StoreDevice, root: Certificate) throws -> OpenStoreReceipt {
        let file = device.receiptFile
        guard let data = try? Data(contentsOf: file.url) else {
            throw OpenStoreReceiptError(
                .missing, "There is no receipt at \(file.url.path) yet; refresh it.")
        }
        return try OpenStoreReceipt(data: data, root: root)
    }

    /// Checks that the receipt is for an app, one of its versions, and a device, and that it has
    /// not ended.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: the app's, as a constant of the app and not from a file beside it.
    ///   - version: its `CFBundleVersion`; nil to take any.
    ///   - deviceIdentifier: the bytes of ``OpenStore/receiptDeviceIdentifier()``; nil to take
    ///     any device, as servers do.
    ///   - date: when a receipt with an ``expirationDate`` must not have ended; nil to take one
    ///     that has.
    /// - Throws: ``OpenStoreReceiptError`` with `otherApp`, `otherVersion`, `otherDevice` or
    ///   `expired`.
    public func verify(
        bundleIdentifier: String, version: String? = nil, deviceIdentifier: Data? = nil,
        at date: Date? = nil
    ) throws {
        guard receipt.bundleID == bundleIdentifier else {
            throw OpenStoreReceiptError(
                .otherApp, "The receipt is for the app \(receipt.bundleID).")
        }
        if let version, receipt.applicationVersion != version {
            throw OpenStoreReceiptError(
                .otherVersion, "The receipt is for version \(receipt.applicationVersion).")
        }
        if let deviceIdentifier, try !receipt.isMade(forDevice: deviceIdentifier) {
            throw OpenStoreReceiptError(.otherDevice, "The receipt is for another device.")
        }
        if let date, let expirationDate, expirationDate <= date {
            throw OpenStoreReceiptError(
                .expired, "The receipt has ended on \(expirationDate.formatted(.iso8601)).")
        }
    }

    static func root(_ der: Data) throws -> Certificate {
        do { return try Certificate(der: der) } catch {
            throw OpenStoreReceiptError(
                .untrusted, "The root is not a certificate in DER form.")
        }
    }

    /// `Production`, `ProductionSandbox`, `ProductionVPP` or `ProductionVPPSandbox`.
    public var receiptType: String { receipt.type }
    /// The app that the receipt is for.
    public var bundleIdentifier: String { receipt.bundleID }
    /// The app's `CFBundleVersion` when the receipt was made.
    public var applicationVersion: String { receipt.applicationVersion }
    /// The app's version when the customer first had it; nil where the store doesn't know.
    public var originalApplicationVersion: String? { receipt.originalApplicationVersion }
    /// When the customer first had the app; nil where the store doesn't know.
    public var originalPurchaseDate: Date? { receipt.originalPurchaseDate }
    /// When the store made the receipt, in whole seconds.
    public var creationDate: Date { receipt.creationDate }
    /// When the receipt of a volume purchase ends; nil for others.
    public var expirationDate: Date? { receipt.expirationDate }
    /// What was bought in the app, in no particular order.
    public var inAppPurchases: [InAppPurchase] {
        receipt.purchases.map { InAppPurchase(purchase: $0) }
    }

    /// One in-app purchase of a receipt.
    public struct InAppPurchase: Sendable, Hashable {
        fileprivate let purchase: ReceiptPurchase

        /// The product.
        public var productIdentifier: String { purchase.productID }
        /// How many of it.
        public var quantity: Int { Int(purchase.quantity) }
        /// The transaction.
        public var transactionIdentifier: String { purchase.transactionID }
        /// The first transaction of what it repeats or restores; else its own identifier.
        public var originalTransactionIdentifier: String { purchase.originalTransactionID }
        /// When it took place.
        public var purchaseDate: Date { purchase.purchaseDate }
        /// When the first transaction took place.
        public var originalPurchaseDate: Date { purchase.originalPurchaseDate }
        /// When a subscription ends; nil for other products.
        public var expirationDate: Date? { purchase.expirationDate }
        /// When the purchase was taken back; nil where it is in force.
        public var cancellationDate: Date? { purchase.cancellationDate }
        /// The period of a subscription that was paid; nil for other products.
        public var webOrderLineItemIdentifier: Int64? { purchase.webOrderLineItemID }
        /// Whether a subscription's period was free of charge; nil for other products.
        public var isTrialPeriod: Bool? { purchase.isTrialPeriod }
        /// Whether a subscription's period had an introductory price; nil for other products.
        public var isInIntroductoryOfferPeriod: Bool? { purchase.isInIntroductoryPeriod }
        /// The promotional offer that was used; nil for none.
        public var promotionalOfferIdentifier: String? { purchase.promotionalOfferID }
    }
}
