@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// How a purchase ended that raised no error.
    public enum PurchaseResult: Sendable {
        /// It is bought. Give the customer what it is for, then finish the transaction.
        case success(VerificationResult<Transaction>)
        /// The customer gave up.
        case userCancelled
        /// Somebody else has to approve it. The transaction comes through `Transaction.updates`,
        /// if they do.
        case pending
    }
}
