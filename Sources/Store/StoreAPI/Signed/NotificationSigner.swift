import Foundation
import StoreCore
import StoreModel
import StoreWire

/// Makes the signed form of notifications, with what they carry: signed anew each time, so that
/// what is sent late, or again, is signed by a key and at a time that verify then.
package struct NotificationSigner: Sendable {
    let transactions: TransactionSigner

    package init(transactions: TransactionSigner) {
        self.transactions = transactions
    }

    /// What is posted to a publisher's server: a JSON object with `signedPayload`.
    package func body(of content: NotificationContent) throws -> Data {
        try WireCoding.encode(NotificationBody(signedPayload: try sign(content)))
    }

    /// The signed payload.
    package func sign(_ content: NotificationContent) throws -> String {
        try CustomerClock.at(content.time) { try transactions.sign(try payload(of: content)) }
    }

    func payload(of content: NotificationContent) throws -> NotificationPayload {
        let notification = content.notification
        let details = notification.details
        return NotificationPayload(
            notificationType: details.type.rawValue, subtype: details.subtype?.rawValue,
            notificationUUID: notification.uuid, signedDate: transactions.now.milliseconds,
            data: details.facts.summary == nil ? try data(of: content) : nil,
            summary: details.facts.summary.map { summary($0, of: content) })
    }

    private func data(of content: NotificationContent) throws -> NotificationData {
        let details = content.notification.details
        var data = NotificationData(
            environment: transactions.names.name(of: details.environment),
            appAppleId: Self.number(of: content),
            bundleId: content.app.bundleID.text)
        guard let transaction = content.transaction else { return data }
        data.bundleId = transaction.entry.details.bundleID.text
        data.signedTransactionInfo = try transactions.sign(transaction)
        if let renewal = details.facts.renewal {
            data.signedRenewalInfo = try transactions.sign(renewal, of: transaction)
            data.status = renewal.status
        }
        data.consumptionRequestReason = details.facts.consumptionReason
        return data
    }

    private func summary(
        _ summary: ExtensionSummary, of content: NotificationContent
    ) -> NotificationSummary {
        NotificationSummary(
            environment: transactions.names.name(of: content.notification.details.environment),
            appAppleId: Self.number(of: content), bundleId: content.app.bundleID.text,
            productId: summary.product, requestIdentifier: summary.request,
            storefrontCountryCodes: summary.storefronts.isEmpty ? nil : summary.storefronts,
            succeededCount: summary.succeeded, failedCount: summary.failed)
    }

    /// The app's number; the sandbox has none.
    private static func number(of content: NotificationContent) -> Int64? {
        content.notification.details.environment == .production ? content.app.id.number : nil
    }
}
