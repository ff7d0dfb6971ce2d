/// A subscription of the customer: its state, its newest transaction and what comes next.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo {
    /// A subscription of the customer: its state, its newest transaction and what comes next.
    public struct Status: Hashable, Sendable {
        /// Where it stands.
        public let state: RenewalState
        /// Its newest transaction.
        public let transaction: VerificationResult<Transaction>
        /// What happens when the period ends.
        public let renewalInfo: VerificationResult<RenewalInfo>

        init(
            state: RenewalState, transaction: VerificationResult<Transaction>,
            renewalInfo: VerificationResult<RenewalInfo>
        ) {
            self.state = state
            self.transaction = transaction
            self.renewalInfo = renewalInfo
        }
    }
}
