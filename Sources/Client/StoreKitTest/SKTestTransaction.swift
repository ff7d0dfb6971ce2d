import StoreKit
import StoreServer

/// A transaction of a test session, as it stood when it was asked for.
///
/// ```swift
/// let transaction = session.allTransactions()[0]
/// try session.refundTransaction(identifier: transaction.identifier)
/// ```
///
/// Get it from ``SKTestSession/allTransactions()``.
open class SKTestTransaction: NSObject, @unchecked Sendable {
    // Sendable: constant after `init`.
    private var facts = TestTransaction()

    /// A transaction that says nothing. Those of a session come from
    /// ``SKTestSession/allTransactions()``.
    public override init() {}

    convenience init(_ facts: TestTransaction) {
        self.init()
        self.facts = facts
    }

    /// The number that the session's methods know it by: that of `Transaction.id` once it is sold.
    open var identifier: UInt { facts.identifier }
    /// The number of the first purchase that it belongs to; its own for a first purchase.
    open var originalTransactionIdentifier: UInt { facts.originalIdentifier }
    /// The product.
    open var productIdentifier: String { facts.productIdentifier }
    /// When it was bought.
    open var purchaseDate: Date { facts.purchaseDate }
    /// When the period of a subscription ends; `nil` if it is none.
    open var expirationDate: Date? { facts.expirationDate }
    /// When it was refunded; `nil` if it was not.
    open var cancelDate: Date? { facts.cancelDate }
    /// Where it stands.
    open var state: SKPaymentTransactionState {
        switch facts.state {
        case .purchased: .purchased
        case .restored: .restored
        case .failed: .failed
        case .deferred: .deferred
        }
    }
    /// Whether the subscription renews automatically.
    open var autoRenewingEnabled: Bool { facts.renews }
    /// Whether the purchase or the renewal waits for the customer to resolve a problem.
    open var hasPurchaseIssue: Bool { facts.hasIssue }
    /// Whether it waits for somebody's approval.
    open var pendingAskToBuyConfirmation: Bool { facts.waitsForApproval }
    /// Whether its customer was asked about a higher price, and has not answered.
    open var isPendingPriceIncreaseConsent: Bool { facts.waitsForConsent }

    /// Number, product and state, for logs.
    open override var description: String {
        "transaction \(identifier) of \(productIdentifier), state \(state.rawValue)"
    }
}
