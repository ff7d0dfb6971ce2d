import FoundationNetworking
import StoreDelivery
import StoreModel
import StoreTexts
import StoreWire

/// What the store answered, as underlying error of an ``SKError`` or `URLError`.
let storeAnswerErrorDomain: String = "OpenStoreErrorDomain"

extension SKError {
    /// An error with a sentence for people, and what the store or the system said as
    /// underlying error.
    init(_ code: Code, _ sentence: String, underlying: (any Error)? = nil) {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: sentence]
        if let underlying { userInfo[NSUnderlyingErrorKey] = underlying }
        self.init(code, userInfo: userInfo)
    }

    /// What an app hears when the store refuses.
    init(_ error: WireError, texts: Texts = .device) {
        let code: Code =
            switch error.code {
            case .productInvalid:
                error.reason?.rawValue == "unknownIdentifier"
                    ? .paymentInvalid : .storeProductNotAvailable
            case .quantityOutOfRange, .purchaseKeyReused, .paymentDeclined: .paymentInvalid
            case .offerUnknown: .invalidOfferIdentifier
            case .offerIneligible: .ineligibleForOffer
            case .offerSignatureInvalid: .invalidSignature
            case .offerSignatureMissing: .missingOfferParams
            case .purchaseDeclined, .approvalLapsed, .purchaseRevoked: .paymentNotAllowed
            case .productTypeNotSold, .itemUnknown, .itemNotInStorefront: .storeProductNotAvailable
            case .notSignedIn, .signInRefused: .paymentNotAllowed
            case .profileMissing, .profileUntrusted, .profileExpired, .wrongEnvironment:
                .clientInvalid
            default: .unknown
            }
        self.init(code, error.sentence(in: texts), underlying: error.asNSError)
    }
}

extension WireError {
    /// The answer as an error of the domain `OpenStoreErrorDomain`: the stable name is
    /// under the key `code`, the reason for an invalid product under `reason`.
    var asNSError: NSError {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: message, "code": code.rawValue,
        ]
        if let reason { userInfo["reason"] = reason.rawValue }
        return NSError(domain: storeAnswerErrorDomain, code: 1, userInfo: userInfo)
    }
}

/// The error that an app sees for whatever went wrong inside: `SKError` and `URLError` as
/// they are, the rest as `SKError.unknown` with it as underlying error.
package func visibleError(_ error: any Error) -> any Error {
    switch error {
    // What the system says of a file. Before Foundation's own: here each `NSError` passes for a
    // `CocoaError`, which has the number and not the domain.
    case let error as NSError where error.domain == NSPOSIXErrorDomain: error
    case let error as SKError: error
    case let error as URLError: error
    case let error as WireError: SKError(error)
    case DeliveryError.diskFull:
        // As Foundation says it, with figures.
        CocoaError(
            .fileWriteOutOfSpace,
            userInfo: [NSLocalizedDescriptionKey: String(describing: error)])
    case let error as CocoaError: error
    case let error as DeliveryError:
        SKError(.unknown, error.description, underlying: answer(error))
    default:
        SKError(
            .unknown, Texts.device.cannotConnect,
            underlying: answer(error))
    }
}

private func answer(_ error: any Error) -> NSError {
    NSError(
        domain: storeAnswerErrorDomain, code: 2,
        userInfo: [NSLocalizedDescriptionKey: String(describing: error)])
}
