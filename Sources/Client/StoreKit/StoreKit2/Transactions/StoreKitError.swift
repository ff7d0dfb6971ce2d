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

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension StoreKitError: LocalizedError {
    /// What went wrong.
    public var errorDescription: String? {
        switch self {
        case .unknown: "The store could not complete the request."
        case .userCancelled: "The request was cancelled."
        case .networkError: "The store could not be reached."
        case .systemError(let error): error.localizedDescription
        case .notAvailableInStorefront: "This is not available in your country or region."
        case .notEntitled: "The app may not use this part of the store."
        case .unsupported: "This device does not support the request."
        case .invalidPresentationContext: "The store could not be shown."
        }
    }

    /// Why it went wrong; `nil` if nobody knows.
    public var failureReason: String? {
        switch self {
        case .unknown: nil
        case .userCancelled: "You cancelled the request."
        case .networkError(let error): error.localizedDescription
        case .systemError(let error): (error as? any LocalizedError)?.failureReason
        case .notAvailableInStorefront: "The storefront of your account does not offer it."
        case .notEntitled: "The app lacks an entitlement."
        case .unsupported: "The system lacks what the request needs."
        case .invalidPresentationContext: "The app has no window to show it in."
        }
    }

    /// What to do about it; `nil` if nothing helps.
    public var recoverySuggestion: String? {
        switch self {
        case .unknown: "Try again later."
        case .networkError: "Check your connection to the Internet, and try again."
        case .systemError(let error): (error as? any LocalizedError)?.recoverySuggestion
        case .userCancelled, .notAvailableInStorefront, .notEntitled, .unsupported,
            .invalidPresentationContext:
            nil
        }
    }
}

/// The store refuses a request that the developer's server signed.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public struct InvalidRequestError: Error {
    /// The store's number for what is wrong.
    public let code: Int64
    /// What is wrong, for developers.
    public let message: String
}
