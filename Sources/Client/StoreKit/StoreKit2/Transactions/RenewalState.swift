/// Where a subscription stands.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo {
    /// Where a subscription stands.
    public struct RenewalState: RawRepresentable, Hashable, Sendable {
        /// The number that the store writes.
        public let rawValue: Int

        /// The state of a number, be it known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The customer is entitled to it.
        public static let subscribed = RenewalState(rawValue: 1)
        /// It has ended.
        public static let expired = RenewalState(rawValue: 2)
        /// It has ended, and the store still tries to charge for the next period.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// The store could not charge yet, and the customer is entitled to it for some days.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// The store has taken it back.
        public static let revoked = RenewalState(rawValue: 5)

        /// The state in words.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .subscribed: "Subscribed"
            case .expired: "Expired"
            case .inBillingRetryPeriod: "In Billing Retry Period"
            case .inGracePeriod: "In Grace Period"
            case .revoked: "Revoked"
            default: String(rawValue)
            }
        }
    }
}
