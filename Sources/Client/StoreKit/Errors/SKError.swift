@_exported import CStoreKitEnums
@_exported import Foundation

/// The domain of StoreKit's errors.
public let SKErrorDomain: String = "SKErrorDomain"

/// An error of StoreKit.
///
/// Bridges to and from `NSError` with the domain ``SKErrorDomain``, so that
/// `error as? SKError`, `(error as NSError).code` and
/// `catch SKError.paymentCancelled` all work. What the store itself answered is the
/// `NSUnderlyingErrorKey` of ``userInfo``.
public struct SKError: CustomNSError, Hashable, Sendable {
    /// What went wrong, with Apple's raw values.
    public typealias Code = SKErrorCode

    /// The error as Foundation knows it.
    public let _nsError: NSError

    /// Takes over an error with its domain, whichever that is: libraries make one of every error
    /// that they get.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// An error with a code and further information.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        _nsError = NSError(domain: SKErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// ``SKErrorDomain``.
    public static var errorDomain: String { SKErrorDomain }
    /// What went wrong.
    public var code: Code { Code(rawValue: _nsError.code)! }
    /// The raw value of ``code``.
    public var errorCode: Int { _nsError.code }
    /// The same as ``userInfo``.
    public var errorUserInfo: [String: Any] { _nsError.userInfo }
    /// Further information, by the keys of `NSError`.
    public var userInfo: [String: Any] { _nsError.userInfo }
    /// The sentence for people.
    public var localizedDescription: String { _nsError.localizedDescription }

    /// Equal by domain, code and information.
    public static func == (left: SKError, right: SKError) -> Bool {
        left._nsError.isEqual(right._nsError)
    }

    /// Hashes domain and code, which `==` compares among others.
    public func hash(into hasher: inout Hasher) {
        // Not the NSError: asking Foundation on Linux for its hash ends the process
        // (seen with Swift 6.3.1).
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }
}

extension SKError {
    /// The cause is not known.
    public static var unknown: Code { .unknown }
    /// The client may not do what it tried.
    public static var clientInvalid: Code { .clientInvalid }
    /// The customer cancelled.
    public static var paymentCancelled: Code { .paymentCancelled }
    /// A parameter of the payment was not recognized.
    public static var paymentInvalid: Code { .paymentInvalid }
    /// The customer may not pay.
    public static var paymentNotAllowed: Code { .paymentNotAllowed }
    /// The product is not available in the storefront.
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
    /// The customer has not allowed access to cloud services.
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
    /// The device could not reach the network.
    public static var cloudServiceNetworkConnectionFailed: Code {
        .cloudServiceNetworkConnectionFailed
    }
    /// The customer has revoked the permission to use this service.
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
    /// The customer has not yet acknowledged the privacy policy.
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
    /// The app uses a property that it has no entitlement for.
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
    /// The offer's identifier is unknown or not active.
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
    /// The signature of a payment discount is not valid.
    public static var invalidSignature: Code { .invalidSignature }
    /// A parameter of a payment discount is missing.
    public static var missingOfferParams: Code { .missingOfferParams }
    /// The price of the offer is not valid any more.
    public static var invalidOfferPrice: Code { .invalidOfferPrice }
    /// The overlay was cancelled.
    public static var overlayCancelled: Code { .overlayCancelled }
    /// The overlay's configuration is not valid.
    public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }
    /// The overlay took too long to load.
    public static var overlayTimeout: Code { .overlayTimeout }
    /// The customer is not eligible for the offer.
    public static var ineligibleForOffer: Code { .ineligibleForOffer }
    /// The platform does not support the operation.
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
    /// The overlay was presented in a scene in the background.
    public static var overlayPresentedInBackgroundScene: Code {
        .overlayPresentedInBackgroundScene
    }
    /// The binding of a payment method lacks its configuration.
    public static var paymentMethodBindingConfigurationRequired: Code {
        .paymentMethodBindingConfigurationRequired
    }
}

/// `catch SKError.paymentCancelled`.
public func ~= (code: SKError.Code, error: any Error) -> Bool {
    guard let error = error as? SKError, error._nsError.domain == SKErrorDomain else {
        return false
    }
    return error.code == code
}

extension SKError: _ObjectiveCBridgeable {
    /// Gives the error as Foundation knows it.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Takes over an error of the right domain; traps for another.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) {
        guard _conditionallyBridgeFromObjectiveC(source, result: &result) else {
            preconditionFailure("\(source) is not of the domain \(SKErrorDomain)")
        }
    }

    /// Takes over an error of the right domain; false for another.
    @discardableResult
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError, result: inout SKError?
    ) -> Bool {
        guard source.domain == SKErrorDomain else { return false }
        result = SKError(_nsError: source)
        return true
    }

    /// Takes over an error; ``unknown`` where there is none, as `Error` has it for Objective-C
    /// functions that fail without an error.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> SKError {
        source.map { SKError(_nsError: $0) } ?? SKError(.unknown)
    }
}
