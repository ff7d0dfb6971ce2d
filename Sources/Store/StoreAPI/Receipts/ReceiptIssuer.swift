import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreWire

/// Turns the contents of a receipt into the signed file. Works outside of the writer.
package struct ReceiptIssuer: Sendable {
    private let signer: ReceiptSigner
    private let names: EnvironmentNames

    package init(signer: ReceiptSigner, names: EnvironmentNames = .standard) {
        self.signer = signer
        self.names = names
    }

    package func issue(
        _ contents: ReceiptContents, _ request: ReceiptRequest
    ) throws -> ReceiptAnswer {
        let facts = contents.facts
        let isSandbox = contents.environment == .sandbox
        var receipt = try AppReceipt(
            type: type(in: contents.environment),
            appStoreID: isSandbox ? 0 : contents.app.id.number,
            bundleID: contents.app.bundleID.text, applicationVersion: request.applicationVersion,
            opaqueValue: try ReceiptMark.make(for: facts.transaction.id),
            deviceIdentifier: request.deviceIdentifier, creationDate: contents.creationDate,
            purchases: contents.purchases.map { ReceiptPurchase($0) })
        receipt.originalApplicationVersion = facts.originalVersion
        receipt.originalPurchaseDate = facts.originalDate
        if isSandbox {
            if let properties = request.properties { Self.apply(properties, to: &receipt) }
        } else {
            receipt.downloadID = facts.transaction.id.number
            receipt.versionNumber = facts.versionNumber
        }
        return ReceiptAnswer(receipt: try signer.sign(receipt))
    }

    /// The receipt of one transaction, in the form from before app receipts.
    package func issue(
        _ record: TransactionRecord, productNumber: ProductNumber?, _ request: ReceiptRequest,
        at now: Date
    ) throws -> ReceiptAnswer {
        let receipt = TransactionReceipt(
            record, names: names, productNumber: productNumber,
            deviceIdentifier: request.deviceIdentifier,
            applicationVersion: request.applicationVersion, at: now)
        return ReceiptAnswer(receipt: try signer.sign(receipt))
    }

    /// The environment as receipts name it.
    private func type(in environment: StoreEnvironment) -> String {
        switch environment {
        case .production: "Production"
        case .sandbox: names == .standard ? "ProductionSandbox" : names.sandbox
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

extension ReceiptPurchase {
    init(_ record: TransactionRecord) {
        let entry = record.entry
        self.init(
            quantity: Int64(entry.details.quantity), productID: entry.details.productID.text,
            transactionID: entry.id.description, purchaseDate: entry.details.date,
            originalTransactionID: entry.original.id.description,
            originalPurchaseDate: entry.original.date,
            productKind: Self.kind(of: entry.details.productType))
        if let revocation = record.facts.revocation {
            cancellationDate = revocation.date
            cancellationReason = revocation.reason == .developerIssue ? 1 : 0
        }
        expirationDate = record.facts.expiration
        webOrderLineItemID = record.webOrderLineItem?.number
        isFamilyShared = record.shared != nil
        if record.group != nil {
            isTrialPeriod = record.offer?.paymentMode == .freeTrial
            isInIntroductoryPeriod =
                record.offer?.kind == .introductory && record.offer?.paymentMode != .freeTrial
            if record.offer?.kind == .promotional || record.offer?.kind == .winBack {
                promotionalOfferID = record.offer?.identifier
            }
        }
    }

    private static func kind(of type: ProductType) -> ProductKind {
        switch type {
        case .nonConsumable: .nonConsumable
        case .consumable: .consumable
        case .nonRenewingSubscription: .nonRenewing
        case .autoRenewableSubscription: .autoRenewable
        }
    }
}
