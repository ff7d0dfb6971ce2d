import Foundation
import StoreCore
import StoreSecurity
import Synchronization

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
    /// Bytes of receipts that are kept.
    private static let capacity = 16 << 20

    private let signer: ReceiptSigner
    private let kept = Mutex<(receipts: [AppReceipt: Signed], bytes: Int)>(([:], 0))

    init(signer: ReceiptSigner) {
        self.signer = signer
    }

    /// The receipt for the same device and app with what the account has today.
    func receipt(
        renewing former: AppReceipt, purchases: [TransactionRecord], at now: Date
    ) throws -> Data {
        let content = AppReceipt(
            renewing: former, creationDate: .distantPast,
            purchases: purchases.map { ReceiptPurchase($0) })
        let known = kept.withLock { $0.receipts[content] }
        let leaf = try signer.leaf()
        if let known, known.leaf === leaf,
            (known.date...known.date.addingTimeInterval(Self.lifetime)).contains(now)
        {
            return known.bytes
        }
        var receipt = content
        receipt.creationDate = now
        let bytes = try signer.sign(receipt)
        kept.withLock { kept in
            if kept.bytes + bytes.count > Self.capacity { kept = ([:], 0) }
            let replaced = kept.receipts.updateValue(
                Signed(bytes: bytes, date: now, leaf: leaf), forKey: content)
            kept.bytes += bytes.count - (replaced?.bytes.count ?? 0)
        }
        return bytes
    }
}
