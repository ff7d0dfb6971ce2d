import StoreKit

/// A call of StoreKit that a test can make fail: see
/// ``SKTestSession/setSimulatedError(_:forAPI:)``.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public protocol FailableStoreKitAPI<Failure>: Sendable {
    /// What it can fail with.
    associatedtype Failure: SKTestFailure
}

/// A failure of a call.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public protocol SKTestFailure: Equatable, Sendable {
    /// The failure that a code stands for; `nil` if it is of another API.
    init?(_fromErrorCode code: _SKTestFailureCode)
    /// What it stands for.
    var _errorCode: _SKTestFailureCode { get }
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension SKTestFailure {
    /// Failures are equal if their errors are, as far as those can be compared.
    public static func == (left: Self, right: Self) -> Bool {
        left._errorCode == right._errorCode
    }
}

/// What a failure stands for.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct _SKTestFailureCode: Equatable, Sendable {
    let error: any Error

    init(_ error: any Error) {
        self.error = error
    }

    /// Compares by case, and errors inside by domain and code.
    public static func == (left: _SKTestFailureCode, right: _SKTestFailureCode) -> Bool {
        switch (left.error, right.error) {
        case (let left as StoreKitError, let right as StoreKitError):
            left.number == right.number
                && left.inner?.domain == right.inner?.domain
                && left.inner?.code == right.inner?.code
        case (let left as Product.PurchaseError, let right as Product.PurchaseError):
            left == right
        case (
            let left as StoreKit.Transaction.RefundRequestError,
            let right as StoreKit.Transaction.RefundRequestError
        ): left == right
        case (
            let left as VerificationResult<Any>.VerificationError,
            let right as VerificationResult<Any>.VerificationError
        ): left == right
        default: false
        }
    }
}

extension StoreKitError {
    /// The place of the case among all.
    fileprivate var number: Int {
        switch self {
        case .unknown: 0
        case .userCancelled: 1
        case .networkError: 2
        case .systemError: 3
        case .notAvailableInStorefront: 4
        case .notEntitled: 5
        case .unsupported: 6
        case .invalidPresentationContext: 7
        }
    }

    fileprivate var inner: NSError? {
        switch self {
        case .networkError(let error): error as NSError
        case .systemError(let error): error as NSError
        default: nil
        }
    }
}

/// Says which call of the framework an API is.
protocol SimulatedCall {
    static var call: SimulatedErrors.Call { get }
}

/// Loading products: `Product.products(for:)`, and `SKProductsRequest`.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI, SimulatedCall {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.LoadProducts
    static let call = SimulatedErrors.Call.loadProducts

    /// The API, as a value that names it.
    public init() {}
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// Loading products: `Product.products(for:)`, and `SKProductsRequest`.
    public static var loadProducts: StoreKitLoadProductsAPI { StoreKitLoadProductsAPI() }
}

/// Purchases, in both APIs.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct StoreKitPurchaseAPI: FailableStoreKitAPI, SimulatedCall {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.Purchase
    static let call = SimulatedErrors.Call.purchase

    /// The API, as a value that names it.
    public init() {}
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// Purchases, in both APIs.
    public static var purchase: StoreKitPurchaseAPI { StoreKitPurchaseAPI() }
}

/// The verification of what the store has signed.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct StoreKitVerificationAPI: FailableStoreKitAPI, SimulatedCall {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.Verification
    static let call = SimulatedErrors.Call.verification

    /// The API, as a value that names it.
    public init() {}
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// The verification of what the store has signed.
    public static var verification: StoreKitVerificationAPI { StoreKitVerificationAPI() }
}

/// `AppStore.sync()`.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI, SimulatedCall {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.AppStoreSync
    static let call = SimulatedErrors.Call.appStoreSync

    /// The API, as a value that names it.
    public init() {}
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// `AppStore.sync()`.
    public static var appStoreSync: StoreKitAppStoreSyncAPI { StoreKitAppStoreSyncAPI() }
}

/// Asking how subscriptions stand.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI, SimulatedCall {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.SubscriptionStatus
    static let call = SimulatedErrors.Call.subscriptionStatus

    /// The API, as a value that names it.
    public init() {}
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// Asking how subscriptions stand.
    public static var subscriptionStatus: StoreKitSubscriptionStatusAPI {
        StoreKitSubscriptionStatusAPI()
    }
}

/// `AppTransaction.shared` and `AppTransaction.refresh()`.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI, SimulatedCall {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.AppTransaction
    static let call = SimulatedErrors.Call.appTransaction

    /// The API, as a value that names it.
    public init() {}
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// `AppTransaction.shared` and `AppTransaction.refresh()`.
    public static var appTransaction: StoreKitAppTransactionAPI { StoreKitAppTransactionAPI() }
}

/// The page on which subscriptions are managed.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI, SimulatedCall {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.ManageSubscriptions
    static let call = SimulatedErrors.Call.manageSubscriptions

    /// The API, as a value that names it.
    public init() {}
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// The page on which subscriptions are managed.
    public static var manageSubscriptions: StoreKitManageSubscriptionsAPI {
        StoreKitManageSubscriptionsAPI()
    }
}

/// Requests for a refund.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI, SimulatedCall {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.RefundRequest
    static let call = SimulatedErrors.Call.refundRequest

    /// The API, as a value that names it.
    public init() {}
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// Requests for a refund.
    public static var refundRequest: StoreKitRefundRequestAPI { StoreKitRefundRequestAPI() }
}

/// Redeeming an offer code.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI, SimulatedCall {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.OfferCodeRedeem
    static let call = SimulatedErrors.Call.offerCodeRedeem

    /// The API, as a value that names it.
    public init() {}
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// Redeeming an offer code.
    public static var offerCodeRedeem: StoreKitOfferCodeRedeemAPI { StoreKitOfferCodeRedeemAPI() }
}
