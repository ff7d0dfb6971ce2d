import Foundation
import Synchronization

/// Receipts whose signatures were found to be right, by the digest of their bytes.
///
/// Publishers' servers send the same receipt again and again, and reading its certificates takes
/// longer than all the rest of an answer. What is found is right for as long as nothing of the
/// chain was taken back, which is for the caller to ask.
final class VerifiedReceipts: Sendable {
    struct Verified: Sendable {
        let receipt: AppReceipt
        /// Leaf, intermediate and root.
        let chain: [Certificate]
    }

    /// Bytes of receipts that are kept.
    private static let capacity = 8 << 20

    private let kept = Mutex<(receipts: [String: Verified], bytes: Int)>(([:], 0))

    func receipt(digest: String) -> Verified? {
        kept.withLock { $0.receipts[digest] }
    }

    /// - Parameter size: of the receipt, in bytes.
    func add(_ verified: Verified, digest: String, size: Int) {
        guard size <= Self.capacity / 8 else { return }
        kept.withLock { kept in
            if kept.bytes + size > Self.capacity { kept = ([:], 0) }
            if kept.receipts.updateValue(verified, forKey: digest) == nil { kept.bytes += size }
        }
    }
}
