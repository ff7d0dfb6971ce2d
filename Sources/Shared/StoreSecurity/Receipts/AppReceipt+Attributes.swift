import Foundation

extension AppReceipt {
    private enum Attribute {
        static let type: Int64 = 0
        static let appStoreID: Int64 = 1
        static let bundleID: Int64 = 2
        static let applicationVersion: Int64 = 3
        static let opaqueValue: Int64 = 4
        static let deviceHash: Int64 = 5
        static let creationDate: Int64 = 12
        static let downloadID: Int64 = 15
        static let versionNumber: Int64 = 16
        static let purchase: Int64 = 17
        static let originalPurchaseDate: Int64 = 18
        static let originalApplicationVersion: Int64 = 19
        static let expirationDate: Int64 = 21
    }

    /// Reads the payload of a receipt, whose signature is another matter.
    ///
    /// - Throws: `SecurityError.Code.malformed`.
    package init(payload: Data) throws {
        let attributes = try ReceiptAttributes(payload)
        let bundleIDValue = try attributes.required(Attribute.bundleID)
        self.init(
            type: try attributes.text(Attribute.type) ?? "",
            appStoreID: try attributes.integer(Attribute.appStoreID),
            bundleID: try attributes.required(attributes.text(Attribute.bundleID)),
            bundleIDValue: bundleIDValue,
            applicationVersion: try attributes.text(Attribute.applicationVersion) ?? "",
            opaqueValue: try attributes.required(Attribute.opaqueValue),
            deviceHash: try attributes.required(Attribute.deviceHash),
            creationDate: try attributes.required(attributes.date(Attribute.creationDate)),
            purchases: try attributes.all(Attribute.purchase).map { try ReceiptPurchase($0) })
        originalPurchaseDate = try attributes.date(Attribute.originalPurchaseDate)
        originalApplicationVersion = try attributes.text(Attribute.originalApplicationVersion)
        expirationDate = try attributes.date(Attribute.expirationDate)
        downloadID = try attributes.integer(Attribute.downloadID)
        versionNumber = try attributes.integer(Attribute.versionNumber)
    }

    /// The payload to be signed: a SET OF attributes in DER.
    package func payload() throws -> Data {
        var attributes = ReceiptAttributes()
        try attributes.add(Attribute.type, .utf8(type))
        try attributes.add(Attribute.appStoreID, appStoreID.map { .integer($0) })
        attributes.add(Attribute.bundleID, raw: bundleIDValue)
        try attributes.add(Attribute.applicationVersion, .utf8(applicationVersion))
        attributes.add(Attribute.opaqueValue, raw: opaqueValue)
        attributes.add(Attribute.deviceHash, raw: deviceHash)
        try attributes.add(Attribute.creationDate, .date(creationDate))
        try attributes.add(Attribute.downloadID, downloadID.map { .integer($0) })
        try attributes.add(Attribute.versionNumber, versionNumber.map { .integer($0) })
        try attributes.add(Attribute.originalPurchaseDate, originalPurchaseDate.map { .date($0) })
        try attributes.add(
            Attribute.originalApplicationVersion, originalApplicationVersion.map { .utf8($0) })
        try attributes.add(Attribute.expirationDate, expirationDate.map { .date($0) })
        for purchase in purchases {
            attributes.add(Attribute.purchase, raw: try purchase.payload())
        }
        return try attributes.der()
    }
}

extension ReceiptPurchase {
    private enum Attribute {
        static let quantity: Int64 = 1701
        static let productID: Int64 = 1702
        static let transactionID: Int64 = 1703
        static let purchaseDate: Int64 = 1704
        static let originalTransactionID: Int64 = 1705
        static let originalPurchaseDate: Int64 = 1706
        static let productKind: Int64 = 1707
        static let expirationDate: Int64 = 1708
        static let webOrderLineItemID: Int64 = 1711
        static let cancellationDate: Int64 = 1712
        static let isTrialPeriod: Int64 = 1713
        static let isInIntroductoryPeriod: Int64 = 1719
        static let promotionalOfferID: Int64 = 1721
        // The store's own, for what Apple's answers about a receipt say and its receipts do not.
        static let isFamilyShared: Int64 = 1790
        static let cancellationReason: Int64 = 1791
    }

    init(_ payload: Data) throws {
        let attributes = try ReceiptAttributes(payload)
        let id = try attributes.required(attributes.text(Attribute.transactionID))
        let date = try attributes.required(attributes.date(Attribute.purchaseDate))
        self.init(
            quantity: try attributes.integer(Attribute.quantity) ?? 1,
            productID: try attributes.required(attributes.text(Attribute.productID)),
            transactionID: id, purchaseDate: date,
            originalTransactionID: try attributes.text(Attribute.originalTransactionID) ?? id,
            originalPurchaseDate: try attributes.date(Attribute.originalPurchaseDate) ?? date,
            productKind: try attributes.integer(Attribute.productKind).flatMap {
                ProductKind(rawValue: $0)
            })
        expirationDate = try attributes.date(Attribute.expirationDate)
        webOrderLineItemID = try attributes.integer(Attribute.webOrderLineItemID)
        cancellationDate = try attributes.date(Attribute.cancellationDate)
        isTrialPeriod = try attributes.integer(Attribute.isTrialPeriod).map { $0 != 0 }
        isInIntroductoryPeriod =
            try attributes.integer(Attribute.isInIntroductoryPeriod).map { $0 != 0 }
        promotionalOfferID = try attributes.text(Attribute.promotionalOfferID)
        isFamilyShared = try attributes.integer(Attribute.isFamilyShared).map { $0 != 0 } ?? false
        cancellationReason = try attributes.integer(Attribute.cancellationReason)
    }

    func payload() throws -> Data {
        var attributes = ReceiptAttributes()
        try attributes.add(Attribute.quantity, .integer(quantity))
        try attributes.add(Attribute.productID, .utf8(productID))
        try attributes.add(Attribute.transactionID, .utf8(transactionID))
        try attributes.add(Attribute.purchaseDate, .date(purchaseDate))
        try attributes.add(Attribute.originalTransactionID, .utf8(originalTransactionID))
        try attributes.add(Attribute.originalPurchaseDate, .date(originalPurchaseDate))
        try attributes.add(Attribute.productKind, productKind.map { .integer($0.rawValue) })
        try attributes.add(Attribute.expirationDate, expirationDate.map { .date($0) })
        try attributes.add(Attribute.webOrderLineItemID, webOrderLineItemID.map { .integer($0) })
        // Apple writes an empty date where there is none, which some parsers wait for.
        try attributes.add(
            Attribute.cancellationDate, cancellationDate.map { .date($0) } ?? .ia5(""))
        try attributes.add(Attribute.isTrialPeriod, isTrialPeriod.map { .integer($0 ? 1 : 0) })
        try attributes.add(
            Attribute.isInIntroductoryPeriod, isInIntroductoryPeriod.map { .integer($0 ? 1 : 0) })
        try attributes.add(Attribute.promotionalOfferID, promotionalOfferID.map { .utf8($0) })
        try attributes.add(Attribute.isFamilyShared, isFamilyShared ? .integer(1) : nil)
        try attributes.add(
            Attribute.cancellationReason, cancellationReason.map { .integer($0) })
        return try attributes.der()
    }
}
