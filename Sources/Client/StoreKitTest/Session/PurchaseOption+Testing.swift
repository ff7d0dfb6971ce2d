import StoreKit

/// What becomes of a subscription that a test buys in the past.
public enum SubscriptionRenewalBehavior: Codable, Hashable, Sendable {
    /// It has renewed since then.
    case renewUntilNow
    /// Its customer has cancelled it at once: it ends with its first period.
    case cancelImmediately
}

extension Product.PurchaseOption {
    /// Has a subscription been bought by a promotional offer, without a signature.
    ///
    /// For ``SKTestSession/buyProduct(identifier:options:)``.
    ///
    /// - Parameter id: the `offerID` of one of the product's `adHocOffers`.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public static func promotionalOffer(id: String) -> Product.PurchaseOption {
        .custom(key: OutsideOrder.offerKey, value: id)
    }

    /// Has a subscription been bought by the offer of a code.
    ///
    /// For ``SKTestSession/buyProduct(identifier:options:)``.
    ///
    /// - Parameter referenceName: of one of the product's `codeOffers`.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public static func codeOffer(referenceName: String) -> Product.PurchaseOption {
        .custom(key: OutsideOrder.codeOfferKey, value: referenceName)
    }

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
