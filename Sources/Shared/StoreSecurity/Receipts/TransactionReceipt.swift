import Foundation

/// What the receipt of one transaction says, in the form that was there before app receipts.
///
/// Apps send it to their backends, and these to `/verifyReceipt`.
package struct TransactionReceipt: Sendable, Hashable {
    /// `Production` or `Sandbox`.
    package var environment: String
    package var bundleID: String
    /// `CFBundleVersion` of the app.
    package var applicationVersion: String
    /// The product's number in the store.
    package var itemID: String
    /// The device, as 40 hexadecimal digits.
    package var deviceIdentifier: String
    /// The device for apps of one vendor: a UUID.
    package var vendorIdentifier: String?
    package var productID: String
    package var quantity: Int64
    package var transactionID: String
    package var originalTransactionID: String
    package var purchaseDate: Date
    package var originalPurchaseDate: Date
    /// Of a subscription.
    package var expirationDate: Date?
    package var webOrderLineItemID: Int64?
    /// When it was signed.
    package var signedDate: Date

    package init(
        environment: String, bundleID: String, applicationVersion: String, itemID: String,
        deviceIdentifier: String, productID: String, quantity: Int64, transactionID: String,
        originalTransactionID: String, purchaseDate: Date, originalPurchaseDate: Date,
        signedDate: Date
    ) {
        self.environment = environment
        self.bundleID = bundleID
        self.applicationVersion = applicationVersion
        self.itemID = itemID
        self.deviceIdentifier = deviceIdentifier
        self.productID = productID
        self.quantity = quantity
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.signedDate = signedDate
    }

    /// Whether bytes look like the receipt of a transaction, and not like an app receipt.
    package static func isOne(_ data: Data) -> Bool {
        data.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "{")
    }
}

extension TransactionReceipt {
    private enum Key {
        static let environment = "environment"
        static let signedDate = "signed-date-ms"
        static let bundleID = "bid"
        static let applicationVersion = "bvrs"
        static let itemID = "item-id"
        static let deviceIdentifier = "unique-identifier"
        static let vendorIdentifier = "unique-vendor-identifier"
        static let productID = "product-id"
        static let quantity = "quantity"
        static let transactionID = "transaction-id"
        static let originalTransactionID = "original-transaction-id"
        static let purchaseDate = "purchase-date"
        static let originalPurchaseDate = "original-purchase-date"
        static let expirationDate = "expires-date"
        static let webOrderLineItemID = "web-order-line-item-id"
    }

    /// The part that is signed. Environment and time of signing are this store's additions:
    /// Apple says the one beside the signature, where anybody may change it.
    package func purchaseInformation() -> Data {
        var list = TextPropertyList()
        func addDate(_ key: String, _ date: Date) {
            let times = ReceiptTimes(date)
            list.add(key, times.gmt)
            list.add("\(key)-ms", times.milliseconds)
            list.add("\(key)-pst", times.pacific)
        }
        addDate(Key.originalPurchaseDate, originalPurchaseDate)
        list.add(Key.deviceIdentifier, deviceIdentifier)
        list.add(Key.vendorIdentifier, vendorIdentifier)
        list.add(Key.originalTransactionID, originalTransactionID)
        list.add(Key.applicationVersion, applicationVersion)
        list.add(Key.transactionID, transactionID)
        list.add(Key.quantity, String(quantity))
        list.add(Key.productID, productID)
        list.add(Key.itemID, itemID)
        list.add(Key.bundleID, bundleID)
        addDate(Key.purchaseDate, purchaseDate)
        if let expirationDate {
            // The only one whose plain name holds milliseconds.
            let times = ReceiptTimes(expirationDate)
            list.add(Key.expirationDate, times.milliseconds)
            list.add("\(Key.expirationDate)-formatted", times.gmt)
            list.add("\(Key.expirationDate)-formatted-pst", times.pacific)
        }
        list.add(Key.webOrderLineItemID, webOrderLineItemID.map { String($0) })
        list.add(Key.environment, environment)
        list.add(Key.signedDate, ReceiptTimes(signedDate).milliseconds)
        return list.encoded()
    }

    /// Reads the part that is signed; its signature is another matter.
    ///
    /// - Throws: `SecurityError.Code.malformed`.
    package init(purchaseInformation: Data) throws {
        let list = try TextPropertyList(purchaseInformation)
        self.init(
            environment: try list.required(Key.environment),
            bundleID: try list.required(Key.bundleID),
            applicationVersion: try list.required(Key.applicationVersion),
            itemID: try list.required(Key.itemID),
            deviceIdentifier: try list.required(Key.deviceIdentifier),
            productID: try list.required(Key.productID),
            quantity: try Self.number(list.required(Key.quantity)),
            transactionID: try list.required(Key.transactionID),
            originalTransactionID: try list.required(Key.originalTransactionID),
            purchaseDate: try Self.date(list.required("\(Key.purchaseDate)-ms")),
            originalPurchaseDate: try Self.date(list.required("\(Key.originalPurchaseDate)-ms")),
            signedDate: try Self.date(list.required(Key.signedDate)))
        vendorIdentifier = list[Key.vendorIdentifier]
        expirationDate = try list[Key.expirationDate].map { try Self.date($0) }
        webOrderLineItemID = try list[Key.webOrderLineItemID].map { try Self.number($0) }
    }

    private static func number(_ text: String) throws -> Int64 {
        guard let number = Int64(text), number >= 0, text == String(number) else {
            throw SecurityError(.malformed, "a number of the receipt is none")
        }
        return number
    }

    private static func date(_ milliseconds: String) throws -> Date {
        // Until the year 9999.
        guard case let number = try number(milliseconds), number < 253_402_300_800_000 else {
            throw SecurityError(.malformed, "a date of the receipt is none")
        }
        return Date(timeIntervalSince1970: Double(number) / 1000)
    }
}
