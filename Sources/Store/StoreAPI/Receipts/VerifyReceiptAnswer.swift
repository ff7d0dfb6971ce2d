import Foundation
import StoreWire

/// The answer of `/verifyReceipt` about an app receipt.
///
/// Numbers are texts, but for those that name app and download; flags are texts as well.
struct VerifyReceiptAnswer: Sendable {
    var environment: String
    var receipt: VerifiedReceipt
    /// Only with subscriptions.
    var latest: Latest?

    /// What is so today.
    struct Latest: Sendable {
        var receipt: Data
        var purchases: [VerifiedPurchase]
        var renewals: [VerifiedRenewal]
    }

    func encoded() -> Data {
        let count = receipt.purchases.count + (latest?.purchases.count ?? 0)
        var text = JSONText(
            capacity: 2048 + count * 1024 + (latest?.receipt.count ?? 0) * 4 / 3)
        text.object("receipt") { receipt.write(to: &$0) }
        if let latest {
            text.objects("latest_receipt_info", latest.purchases) { $1.write(to: &$0) }
            text.member("latest_receipt", base64: latest.receipt)
            text.objects("pending_renewal_info", latest.renewals) { $1.write(to: &$0) }
        }
        text.member("environment", environment)
        text.member("status", integer: VerifyReceiptStatus.valid.rawValue)
        return text.finished()
    }

    /// The answer that has nothing but a number.
    static func failure(_ status: VerifyReceiptStatus) -> Data {
        var text = JSONText(capacity: 64)
        text.member("status", integer: status.rawValue)
        if let isRetryable = status.isRetryable {
            // Apple's documentation spells it one way, its servers have spelled it the other.
            text.member("is-retryable", flag: isRetryable)
            text.member("is_retryable", flag: isRetryable)
        }
        return text.finished()
    }
}

/// A moment in the three forms that each date is written in.
struct VerifiedDate: Sendable, Hashable {
    /// `2017-07-24 08:13:24 Etc/GMT`
    var gmt: String
    var milliseconds: String
    /// `2017-07-24 01:13:24 America/Los_Angeles`
    var pacific: String
}

extension JSONText {
    /// The three members that a date is written as; none for no date.
    mutating func date(
        _ date: VerifiedDate?, _ name: StaticString, _ milliseconds: StaticString,
        _ pacific: StaticString
    ) {
        guard let date else { return }
        member(name, date.gmt)
        member(milliseconds, date.milliseconds)
        member(pacific, date.pacific)
    }

    /// A flag as `/verifyReceipt` writes it: the string `"true"` or `"false"`.
    mutating func member(_ name: StaticString, quotedFlag flag: Bool?) {
        member(name, flag.map { $0 ? "true" : "false" })
    }
}
