import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

extension HTTPResponse {
    /// An answer in JSON.
    static func json(_ value: some Encodable, status: Int = 200) throws -> HTTPResponse {
        json(body: try WireCoding.encode(value), status: status)
    }

    static func json(_ answer: TransactionAnswer) -> HTTPResponse { json(body: answer.encoded()) }

    private static func json(body: Data, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: body)
    }

    /// A refusal or failure in JSON.
    static func failure(_ error: WireError) -> HTTPResponse {
        var error = error
        if error.status >= 500 { error.request = RequestTrace.current?.id }
        let body = (try? WireCoding.encode(error)) ?? Data()
        var headers: HTTPHeaders = [
            "Content-Type": "application/json", "Cache-Control": "no-store",
        ]
        if error.code == .notSignedIn { headers["WWW-Authenticate"] = "Bearer" }
        return HTTPResponse(status: error.status, headers: headers, body: body)
    }
}

extension WireError {
    /// The HTTP status that goes with the code.
    var status: Int {
        switch code {
        case .malformedRequest, .deviceMissing: 400
        case .profileUnknown: 428
        case .profileMissing, .notSignedIn, .signInRefused, .grantMissing: 401
        case .profileUntrusted, .profileExpired, .wrongEnvironment, .grantForged, .grantExpired,
            .grantForOtherContent, .itemNeedsApproval, .itemNotOwned, .ownReview,
            .offerIneligible, .offerSignatureInvalid:
            403
        case .paymentDeclined: 402
        case .unknownRoute, .transactionNotFound, .contentNotFound, .codeUnknown,
            .consentNotFound, .promptNotFound, .itemUnknown, .reviewUnknown:
            404
        case .methodNotAllowed: 405
        case .priceChanged, .purchaseKeyReused, .purchaseDeclined, .approvalLapsed,
            .purchaseInterrupted, .purchaseRevoked, .codeUsed, .codeEnded, .itemNotForSale,
            .refundRequested, .refundNotPossible:
            409
        case .bodyTooLarge: 413
        case .misdirected: 421
        case .rangeNotSatisfiable: 416
        case .productInvalid, .productTypeNotSold, .quantityOutOfRange, .offerUnknown,
            .offerSignatureMissing, .itemNotInStorefront, .reviewMalformed:
            422
        case .storeUnavailable: 503
        default: 500
        }
    }

    /// - Parameter app: the app of the caller's profile.
    init(_ reason: InvalidReason, to app: BundleID) {
        self.init(
            code: .productInvalid, message: reason.message(to: app),
            reason: InvalidReasonCode(rawValue: reason.code))
    }

    /// - Parameter app: the app of the caller's profile.
    init(_ refusal: PurchaseRefusal, to app: BundleID) {
        switch refusal {
        case .invalidProduct(let reason):
            self.init(reason, to: app)
        case .typeNotSold(let type):
            self.init(
                code: .productTypeNotSold,
                message: "This store does not sell products of the type \(type.rawValue) yet.")
        case .quantityOutOfRange(let quantity):
            self.init(
                code: .quantityOutOfRange,
                message: ProductType.refusal(ofQuantity: quantity))
        case .priceChanged(let price):
            self.init(
                code: .priceChanged,
                message: "The price has changed to \(price.decimal) \(price.currency) since the "
                    + "customer confirmed it; ask again.")
        case .keyReused:
            self.init(
                code: .purchaseKeyReused,
                message: "The purchase key was used for another product or quantity; make a fresh "
                    + "key for each purchase.")
        case .offer(let offer, let refusal):
            self.init(refusal, of: offer)
        case .declined:
            self.init(
                code: .purchaseDeclined,
                message: "Whoever approves purchases of this account has declined this one.")
        case .approvalLapsed:
            self.init(
                code: .approvalLapsed,
                message: "Nobody approved the purchase within a day; ask again.")
        case .paymentDeclined:
            self.init(
                code: .paymentDeclined,
                message: "The payment was declined: the publisher lets payments of this tester "
                    + "fail. Nothing was charged.")
        case .revoked:
            self.init(
                code: .purchaseRevoked, message: "The purchase was taken back.")
        case .interrupted:
            self.init(
                code: .purchaseInterrupted,
                message: "The purchase was interrupted: the customer has to settle something with "
                    + "the store first. It is sold then without being asked for again.")
        }
    }

    /// - Parameter offer: its name; nil for that of a code.
    private init(_ refusal: OfferRefusal, of offer: String?) {
        let name = offer.map { "offer \"\($0)\"" } ?? "offer of the code"
        switch refusal {
        case .unknown:
            self.init(
                code: .offerUnknown,
                message: "The product has no \(name) in this storefront. Buy it without one.")
        case .ineligible:
            self.init(
                code: .offerIneligible, message: "This customer is not eligible for the \(name)."
            )
        case .signatureInvalid:
            self.init(
                code: .offerSignatureInvalid,
                message: "The signature of the \(name) is not good for this purchase: it is by "
                    + "another key or for something else, it is older than a day, or it was used "
                    + "before. The app can ask its server for a new one.")
        case .signatureMissing:
            self.init(
                code: .offerSignatureMissing,
                message: "The \(name) is promotional: the app's server has to sign it.")
        }
    }

    /// - Parameter app: the app of the caller's profile.
    init(_ refusal: OfferCodeRefusal, to app: BundleID) {
        switch refusal {
        case .unknown:
            self.init(
                code: .codeUnknown,
                message: "There is no such code for this app. Check the spelling.")
        case .ended:
            self.init(
                code: .codeEnded,
                message: "The code has expired.")
        case .usedUp:
            self.init(
                code: .codeUsed,
                message:
                    "The code has no redemptions left: as many accounts have redeemed it as it allows."
            )
        case .usedBefore:
            self.init(code: .codeUsed, message: "This account has redeemed the code already.")
        case .offer(let refusal):
            self.init(refusal, of: nil)
        case .notAgreed(let price):
            self.init(.priceChanged(current: price) as PurchaseRefusal, to: app)
        case .needsApproval:
            self.init(
                code: .itemNeedsApproval,
                message:
                    "Somebody else approves what this account buys, and can't be asked about a "
                    + "code. Buy the subscription without one.")
        case .paymentDeclined:
            self.init(.paymentDeclined as PurchaseRefusal, to: app)
        case .invalidProduct(let reason):
            self.init(reason, to: app)
        }
    }
}
