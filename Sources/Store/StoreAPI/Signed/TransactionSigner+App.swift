import Foundation
import StoreCore
import StoreModel
import StoreWire

extension TransactionSigner {
    /// The signed statement that an account has an app, as servers get it.
    package func sign(_ facts: AppTransactionFacts) throws -> String {
        try sign(payload(of: facts))
    }

    /// What a signed app transaction says.
    func payload(of facts: AppTransactionFacts) -> AppTransactionPayload {
        let environment = facts.transaction.environment
        return AppTransactionPayload(
            receiptType: names.name(of: environment),
            appAppleId: environment == .sandbox ? 0 : facts.app.id.number,
            bundleId: facts.app.bundleID.text, applicationVersion: facts.version,
            versionExternalIdentifier: facts.versionNumber,
            receiptCreationDate: now.milliseconds,
            originalPurchaseDate: facts.originalDate.milliseconds,
            originalApplicationVersion: facts.originalVersion,
            appTransactionId: facts.transaction.id.description)
    }
}
