import Foundation
import StoreCore
import StoreWire

extension NotificationSigner {
    /// What a publisher's server is sent, without the signatures around it.
    package func text(of content: NotificationContent) throws -> NotificationText {
        var payload = try payload(of: content)
        // What is in them is told beside it.
        if payload.data?.signedTransactionInfo != nil { payload.data?.signedTransactionInfo = "…" }
        if payload.data?.signedRenewalInfo != nil { payload.data?.signedRenewalInfo = "…" }
        return NotificationText(
            payload: try Self.pretty(payload),
            transaction: try content.transaction.map {
                try Self.pretty(transactions.payload(of: $0))
            },
            renewal: try content.transaction.flatMap { transaction in
                try content.notification.details.facts.renewal.map {
                    try Self.pretty(transactions.payload(of: $0, transaction))
                }
            })
    }

    private static func pretty(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
