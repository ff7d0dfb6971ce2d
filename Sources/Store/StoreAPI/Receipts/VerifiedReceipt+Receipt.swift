import Foundation
import StoreCore
import StoreSecurity
import StoreWire

extension VerifiedDate {
    init(_ date: Date) {
        let times = ReceiptTimes(date)
        self.init(
            gmt: times.gmt, milliseconds: times.milliseconds, pacific: times.pacific)
    }

    /// A date as receipts have it: in whole seconds.
    init(inReceipt date: Date) {
        self.init(
            Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
    }
}

extension VerifiedReceipt {
    /// - Parameter now: when it was asked for.
    init(_ receipt: AppReceipt, at now: Date) {
        self.init(
            type: receipt.type, appStoreID: receipt.appStoreID ?? 0, bundleID: receipt.bundleID,
            applicationVersion: receipt.applicationVersion, downloadID: receipt.downloadID ?? 0,
            versionNumber: receipt.versionNumber ?? 0,
            creationDate: VerifiedDate(inReceipt: receipt.creationDate),
            requestDate: VerifiedDate(now),
            purchases: receipt.purchases.map { VerifiedPurchase($0) })
        originalPurchaseDate = receipt.originalPurchaseDate.map { VerifiedDate(inReceipt: $0) }
        originalApplicationVersion = receipt.originalApplicationVersion
        expirationDate = receipt.expirationDate.map { VerifiedDate(inReceipt: $0) }
    }
}

extension VerifiedPurchase {
    /// A purchase as it stands in the receipt.
    init(_ purchase: ReceiptPurchase) {
        let date = VerifiedDate(inReceipt: purchase.purchaseDate)
        let isOriginal = purchase.originalPurchaseDate == purchase.purchaseDate
        self.init(
            quantity: purchase.quantity, productID: purchase.productID,
            transactionID: purchase.transactionID,
            originalTransactionID: purchase.originalTransactionID, purchaseDate: date,
            originalPurchaseDate: isOriginal
                ? date : VerifiedDate(inReceipt: purchase.originalPurchaseDate),
            isTrialPeriod: purchase.isTrialPeriod ?? false,
            isFamilyShared: purchase.isFamilyShared)
        expirationDate = purchase.expirationDate.map { VerifiedDate(inReceipt: $0) }
        webOrderLineItemID = purchase.webOrderLineItemID.map { String($0) }
        isInIntroductoryPeriod = purchase.isInIntroductoryPeriod
        promotionalOfferID = purchase.promotionalOfferID
        cancellationDate = purchase.cancellationDate.map { VerifiedDate(inReceipt: $0) }
        cancellationReason = purchase.cancellationReason
    }

    /// A transaction as it stands today, with what receipts don't say.
    init(_ record: TransactionRecord) {
        self.init(ReceiptPurchase(record))
        groupID = record.group
        if record.offer?.kind == .code { offerCodeName = record.offer?.identifier }
        isUpgraded = record.facts.isUpgraded
        // The period ended with the upgrade, whether or not something came back for it.
        if cancellationDate == nil, let date = record.facts.upgradeDate {
            cancellationDate = VerifiedDate(inReceipt: date)
            cancellationReason = 0
        }
        accountToken = record.facts.accountToken
    }
}

extension VerifiedRenewal {
    init(_ information: RenewalInformation) {
        self.init(
            productID: information.product.text,
            originalTransactionID: information.originalID.description,
            renewalProductID: information.renewalProduct.text, renews: information.renews)
        // Who has only said that they will not go on has what they have paid for, still.
        if !information.isRunning {
            expirationIntent = information.intent?.rawValue
            isInRetry = information.isInRetry
        }
        graceEnd = information.graceEnd.map { VerifiedDate(inReceipt: $0) }
        priceIncrease = information.priceIncrease?.rawValue
        switch information.offer?.kind {
        case .promotional, .winBack: promotionalOfferID = information.offer?.identifier
        case .code: offerCodeName = information.offer?.identifier
        case .introductory, nil: break
        }
    }
}

extension RenewalInformation {
    /// Whether the period that runs was paid for.
    fileprivate var isRunning: Bool { status == 1 }
}
