import Foundation
import StoreKit
import StoreSecurity
import StoreWire

/// A transaction as an app sees it at one moment.
struct ObservedTransaction: CustomStringConvertible {
    let tag: String?
    let product: String
    let quantity: Int
    let state: SKPaymentTransactionState
    let identifier: String?
    let original: String?
    /// The purchase key in the signed transaction.
    let key: String?

    init(_ transaction: SKPaymentTransaction) {
        tag = transaction.payment.applicationUsername
        product = transaction.payment.productIdentifier
        quantity = transaction.payment.quantity
        state = transaction.transactionState
        identifier = transaction.transactionIdentifier
        original = transaction.original?.transactionIdentifier
        key = transaction.openStoreSignature.flatMap { Self.key(in: $0.jws) }
    }

    /// Whether it comes instead of a payment that was interrupted.
    var isResolution: Bool { key?.hasPrefix("resolved-") ?? false }
    var isRestored: Bool { state == .restored }

    /// Whether `other`, of a later launch, is the same transaction.
    func isSame(as other: ObservedTransaction) -> Bool {
        if let identifier { return identifier == other.identifier }
        guard !other.isResolution, !other.isRestored else { return false }
        return tag == other.tag && product == other.product
            && (tag != nil || other.key.map(Orders.isOfStore) ?? true)
    }

    var description: String {
        let name = product.split(separator: ".").last ?? ""
        return "\(name) \(tag?.prefix(8) ?? "-") \(identifier ?? "unsold") \(state.name)"
    }

    private static func key(in jws: String) -> String? {
        let parts = jws.split(separator: ".")
        guard parts.count == 3, let data = Base64URL.decode(parts[1]) else { return nil }
        return try? WireCoding.decode(TransactionPayload.self, from: data).purchaseKey
    }
}

extension SKPaymentTransactionState {
    var name: String {
        switch self {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed"
        case .restored: "restored"
        case .deferred: "deferred"
        default: "unknown"
        }
    }
}
