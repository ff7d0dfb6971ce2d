/// The stable name of what went wrong, for programs. Unknown names survive a round trip.
package struct WireErrorCode: RawRepresentable, Hashable, Sendable, Codable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    package static let malformedRequest = Self("malformedRequest")
    package static let bodyTooLarge = Self("bodyTooLarge")
    package static let unknownRoute = Self("unknownRoute")
    package static let misdirected = Self("misdirected")
    package static let methodNotAllowed = Self("methodNotAllowed")
    package static let profileMissing = Self("profileMissing")
    package static let profileUnknown = Self("profileUnknown")
    package static let profileUntrusted = Self("profileUntrusted")
    package static let profileExpired = Self("profileExpired")
    package static let deviceMissing = Self("deviceMissing")
    package static let notSignedIn = Self("notSignedIn")
    package static let signInRefused = Self("signInRefused")
    package static let wrongEnvironment = Self("wrongEnvironment")
    package static let productInvalid = Self("productInvalid")
    package static let productTypeNotSold = Self("productTypeNotSold")
    package static let quantityOutOfRange = Self("quantityOutOfRange")
    package static let priceChanged = Self("priceChanged")
    package static let purchaseKeyReused = Self("purchaseKeyReused")
    package static let purchaseDeclined = Self("purchaseDeclined")
    package static let approvalLapsed = Self("approvalLapsed")
    package static let paymentDeclined = Self("paymentDeclined")
    package static let purchaseInterrupted = Self("purchaseInterrupted")
    package static let purchaseRevoked = Self("purchaseRevoked")
    package static let offerUnknown = Self("offerUnknown")
    package static let codeUnknown = Self("codeUnknown")
    package static let codeEnded = Self("codeEnded")
    package static let codeUsed = Self("codeUsed")
    package static let consentNotFound = Self("consentNotFound")
    package static let transactionNotFound = Self("transactionNotFound")
    package static let contentNotFound = Self("contentNotFound")
    package static let grantMissing = Self("grantMissing")
    package static let grantForged = Self("grantForged")
    package static let grantExpired = Self("grantExpired")
    package static let grantForOtherContent = Self("grantForOtherContent")
    package static let itemUnknown = Self("itemUnknown")
    package static let itemNotInStorefront = Self("itemNotInStorefront")
    package static let promptNotFound = Self("promptNotFound")
    package static let rangeNotSatisfiable = Self("rangeNotSatisfiable")
    package static let storeUnavailable = Self("storeUnavailable")
    package static let internalError = Self("internalError")
}

/// The body of every answer that is not a success.
package struct WireError: Error, Sendable, Codable, Hashable {
    package var code: WireErrorCode
    /// One sentence: what was wrong and what to do.
    package var message: String
    /// For `productInvalid`: why, as in `InvalidProduct.reason`.
    package var reason: InvalidReasonCode?
    /// Where the store failed: what its log calls the request.
    package var request: String?

    package init(
        code: WireErrorCode, message: String, reason: InvalidReasonCode? = nil,
        request: String? = nil
    ) {
        self.code = code
        self.message = message
        self.reason = reason
        self.request = request
    }
}

/// Why the store does not sell a product to this app. Unknown reasons survive a round
/// trip.
package struct InvalidReasonCode: RawRepresentable, Hashable, Sendable, Codable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}
