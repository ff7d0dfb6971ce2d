import StoreKit

/// What becomes of a subscription that a test buys in the past.
public enum SubscriptionRenewalBehavior: Codable, Hashable, Sendable {
    /// It has renewed since then.
    case renewUntilNow
    /// Its customer has cancelled it at once: it ends with its first period.
    case cancelImmediately
}

extension Product.PurchaseOption {
    /// Has a product been bought at a date in the past.
    ///
    /// For ``SKTestSession/buyProduct(identifier:options:)``; other purchases are made now.
    ///
    /// - Parameters:
    ///   - date: by the session's clock, not later than ``SKTestSession/openStoreDate``.
    ///   - renewalBehavior: what has become of a subscription since then.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public static func purchaseDate(
        _ date: Date, renewalBehavior: SubscriptionRenewalBehavior = .renewUntilNow
    ) -> Product.PurchaseOption {
        .custom(
            key: renewalBehavior == .renewUntilNow
                ? OutsideOrder.dateKey : OutsideOrder.cancelledDateKey,
            value: date.timeIntervalSince1970)
    }
}
