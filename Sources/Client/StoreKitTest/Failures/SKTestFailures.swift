import StoreKit

/// What calls of StoreKit can be made to fail with.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public enum SKTestFailures {
    /// Failures of loading products: `Product.products(for:)`, and `SKProductsRequest`.
    public enum LoadProducts: SKTestFailure {
        /// The call throws this error.
        case generic(StoreKitError)

        /// The failure that a code stands for; `nil` if it is of another API.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            switch code.error {
            case let error as StoreKitError: self = .generic(error)
            default: return nil
            }
        }

        /// What it stands for.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(error)
            }
        }
    }

    /// Failures of purchases, in both APIs.
    public enum Purchase: SKTestFailure {
        /// The call throws this error.
        case generic(StoreKitError)
        /// The call throws this error.
        case purchase(Product.PurchaseError)

        /// The failure that a code stands for; `nil` if it is of another API.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            switch code.error {
            case let error as StoreKitError: self = .generic(error)
            case let error as Product.PurchaseError: self = .purchase(error)
            default: return nil
            }
        }

        /// What it stands for.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(error)
            case .purchase(let error): _SKTestFailureCode(error)
            }
        }
    }

    /// Failures of the verification of what the store has signed.
    public enum Verification: SKTestFailure {
        /// Results are not verified, for this reason.
        case verification(VerificationResult<Any>.VerificationError)

        /// The failure that a code stands for; `nil` if it is of another API.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            guard let error = code.error as? VerificationResult<Any>.VerificationError else {
                return nil
            }
            self = .verification(error)
        }

        /// What it stands for.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .verification(let error): _SKTestFailureCode(error)
            }
        }
    }

    /// Failures of `AppStore.sync()`.
    public enum AppStoreSync: SKTestFailure {
        /// The call throws this error.
        case generic(StoreKitError)

        /// The failure that a code stands for; `nil` if it is of another API.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            switch code.error {
            case let error as StoreKitError: self = .generic(error)
            default: return nil
            }
        }

        /// What it stands for.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(error)
            }
        }
    }

    /// Failures of asking how subscriptions stand.
    public enum SubscriptionStatus: SKTestFailure {
        /// The call throws this error.
        case generic(StoreKitError)

        /// The failure that a code stands for; `nil` if it is of another API.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            switch code.error {
            case let error as StoreKitError: self = .generic(error)
            default: return nil
            }
        }

        /// What it stands for.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(error)
            }
        }
    }

    /// Failures of `AppTransaction.shared` and `AppTransaction.refresh()`.
    public enum AppTransaction: SKTestFailure {
        /// The call throws this error.
        case generic(StoreKitError)

        /// The failure that a code stands for; `nil` if it is of another API.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            switch code.error {
            case let error as StoreKitError: self = .generic(error)
            default: return nil
            }
        }

        /// What it stands for.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(error)
            }
        }
    }

    /// Failures of the page on which subscriptions are managed.
    public enum ManageSubscriptions: SKTestFailure {
        /// The call throws this error.
        case generic(StoreKitError)

        /// The failure that a code stands for; `nil` if it is of another API.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            switch code.error {
            case let error as StoreKitError: self = .generic(error)
            default: return nil
            }
        }

        /// What it stands for.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(error)
            }
        }
    }

    /// Failures of requests for a refund.
    public enum RefundRequest: SKTestFailure {
        /// The call throws this error.
        case generic(StoreKitError)
        /// The call throws this error.
        case refundRequest(StoreKit.Transaction.RefundRequestError)

        /// The failure that a code stands for; `nil` if it is of another API.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            switch code.error {
            case let error as StoreKitError: self = .generic(error)
            case let error as StoreKit.Transaction.RefundRequestError: self = .refundRequest(error)
            default: return nil
            }
        }

        /// What it stands for.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(error)
            case .refundRequest(let error): _SKTestFailureCode(error)
            }
        }
    }

    /// Failures of redeeming an offer code.
    public enum OfferCodeRedeem: SKTestFailure {
        /// The call throws this error.
        case generic(StoreKitError)

        /// The failure that a code stands for; `nil` if it is of another API.
        public init?(_fromErrorCode code: _SKTestFailureCode) {
            switch code.error {
            case let error as StoreKitError: self = .generic(error)
            default: return nil
            }
        }

        /// What it stands for.
        public var _errorCode: _SKTestFailureCode {
            switch self {
            case .generic(let error): _SKTestFailureCode(error)
            }
        }
    }
}
