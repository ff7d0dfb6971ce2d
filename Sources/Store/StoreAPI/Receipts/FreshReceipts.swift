import Foundation
import StoreCore
import StoreKernel
import StoreSecurity

/// Receipts as they stand today, in the place of older ones that publishers' servers send.
///
/// Signing one takes most of the time of an answer, and servers ask again about the same
/// receipt: one that says the same was signed less than a minute ago is given again, as long
/// as its key is the one that signs.
final class FreshReceipts: Sendable {
    private struct Signed {
        let bytes: Data
        let date: Date
        /// Of the key that signed it.
        let leaf: Certificate
    }

    private static let lifetime: TimeInterval = 60

    private let signer: ReceiptSigner
    private let receipts: Cache<AppReceipt, Signed>

    init(signer: ReceiptSigner, clock: any StoreClock) {
        self.signer = signer
        receipts = Cache(
            limit: 16 << 20, cost: { $1.bytes.count }, now: clock.now,
            end: { receipt, _ in receipt.date + Self.lifetime })
    }

    /// The receipt for the same device and app with what the account has today.
    func receipt(
        renewing former: AppReceipt, purchases: [TransactionRecord], at now: Date
    ) throws -> Data {
        let content = AppReceipt(
            renewing: former, creationDate: .distantPast,
            purchases: purchases.map { ReceiptPurchase($0) })
        let leaf = try signer.leaf()
        if let known = receipts.value(for: content), known.leaf === leaf,
            abs(now.timeIntervalSince(known.date)) < Self.lifetime
        {
            return known.bytes
        }
        var receipt = content
        receipt.creationDate = now
        let bytes = try signer.sign(receipt)
        receipts.insert(Signed(bytes: bytes, date: now, leaf: leaf), for: content)
        return bytes
    }
}
