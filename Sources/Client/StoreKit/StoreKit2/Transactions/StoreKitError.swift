import FoundationNetworking

/// What went wrong in a call of StoreKit.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public enum StoreKitError: Error, Sendable {
    /// The cause is not known.
    case unknown
    /// The customer cancelled.
    case userCancelled
    /// The store can't be reached.
    case networkError(URLError)
    /// The store or the system refused; what it said is inside.
    case systemError(any Error)
    /// The storefront of the account does not offer it.
    case notAvailableInStorefront
    /// The app lacks an entitlement that the call needs.
    @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
    case notEntitled
    /// This system can't do it.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    case unsupported
    /// There is nothing on the screen to show it in.
    @available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
    case invalidPresentationContext
}
