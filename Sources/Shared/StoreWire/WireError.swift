/// The stable name of what went wrong, for programs. Unknown names survive a round trip.
package struct WireErrorCode: RawRepresentable, Hashable, Sendable, Codable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The request is not of the form that this route takes.
    package static let malformedRequest = Self("malformedRequest")
    /// The body of the request is larger than the route takes.
    package static let bodyTooLarge = Self("bodyTooLarge")
    /// The path leads nowhere.
    package static let unknownRoute = Self("unknownRoute")
    /// The store does not answer for the host that the request names.
    package static let misdirected = Self("misdirected")
    /// The path does not take this method.
    package static let methodNotAllowed = Self("methodNotAllowed")
    /// The request has no provisioning profile.
    package static let profileMissing = Self("profileMissing")
    /// The store knows the profile's digest no more; the device sends the whole
    /// profile once.
    package static let profileUnknown = Self("profileUnknown")
    /// The profile was not signed by this store, or was revoked.
    package static let profileUntrusted = Self("profileUntrusted")
    /// The profile has expired; the publisher makes a new one.
    package static let profileExpired = Self("profileExpired")
    /// The request does not name the device.
    package static let deviceMissing = Self("deviceMissing")
    /// Nobody is signed in on the device, or the session has ended.
    package static let notSignedIn = Self("notSignedIn")
    /// Email address and password do not belong together, or there were too many
    /// attempts.
    package static let signInRefused = Self("signInRefused")
    /// A tester was named in production, or a customer in the sandbox.
    package static let wrongEnvironment = Self("wrongEnvironment")
    /// The product is not sold to this app; `reason` says why.
    package static let productInvalid = Self("productInvalid")
    /// The store does not sell products of this type.
    package static let productTypeNotSold = Self("productTypeNotSold")
    /// The quantity is too small or too large.
    package static let quantityOutOfRange = Self("quantityOutOfRange")
    /// The price is not the one that the customer has confirmed; ask again.
    package static let priceChanged = Self("priceChanged")
    /// The purchase key was used for another product or quantity.
    package static let purchaseKeyReused = Self("purchaseKeyReused")
    /// Whoever approves purchases of the account has declined this one.
    package static let purchaseDeclined = Self("purchaseDeclined")
    /// Nobody has approved the purchase in time.
    package static let approvalLapsed = Self("approvalLapsed")
    /// The payment was declined. Nothing was charged.
    package static let paymentDeclined = Self("paymentDeclined")
    /// The customer has to settle something with the store first; the purchase goes
    /// on by itself afterwards.
    package static let purchaseInterrupted = Self("purchaseInterrupted")
    /// The purchase was taken back.
    package static let purchaseRevoked = Self("purchaseRevoked")
    /// The product has no promotional or win-back offer of this name.
    package static let offerUnknown = Self("offerUnknown")
    /// The offer is for other customers.
    package static let offerIneligible = Self("offerIneligible")
    /// The publisher's key has not signed for the offer, or not for this purchase.
    package static let offerSignatureInvalid = Self("offerSignatureInvalid")
    /// A promotional offer has to be signed for.
    package static let offerSignatureMissing = Self("offerSignatureMissing")
    /// The app has no such offer code.
    package static let codeUnknown = Self("codeUnknown")
    /// The offer code has expired.
    package static let codeEnded = Self("codeEnded")
    /// The offer code was redeemed already.
    package static let codeUsed = Self("codeUsed")
    /// No price increase waits for this customer's consent.
    package static let consentNotFound = Self("consentNotFound")
    /// The account has no such transaction.
    package static let transactionNotFound = Self("transactionNotFound")
    /// A request for a refund of the purchase waits, or the money was given back already.
    package static let refundRequested = Self("refundRequested")
    /// The purchase can't be refunded: it was free, is too old, or somebody else has paid for it.
    package static let refundNotPossible = Self("refundNotPossible")
    /// The product has no hosted content of this version.
    package static let contentNotFound = Self("contentNotFound")
    /// The request for content has no grant.
    package static let grantMissing = Self("grantMissing")
    /// The grant for content was not made by this store.
    package static let grantForged = Self("grantForged")
    /// The grant for content has expired; the device asks for a new one.
    package static let grantExpired = Self("grantExpired")
    /// The grant is for other content.
    package static let grantForOtherContent = Self("grantForOtherContent")
    /// The storefront has no such item.
    package static let itemUnknown = Self("itemUnknown")
    /// The item is not sold in the customer's storefront.
    package static let itemNotInStorefront = Self("itemNotInStorefront")
    /// The publisher has taken the item from sale, or can't sell it at present.
    package static let itemNotForSale = Self("itemNotForSale")
    /// Somebody else approves what the account buys, and can't be asked about items.
    package static let itemNeedsApproval = Self("itemNeedsApproval")
    /// The account has not got the item, or may not have its file.
    package static let itemNotOwned = Self("itemNotOwned")
    /// What the customer wrote can't be a review.
    package static let reviewMalformed = Self("reviewMalformed")
    /// There is no such review that others see.
    package static let reviewUnknown = Self("reviewUnknown")
    /// Nobody votes on a review of their own.
    package static let ownReview = Self("ownReview")
    /// The question on the store's page has been answered, or has expired.
    package static let promptNotFound = Self("promptNotFound")
    /// The range lies behind the end of the file.
    package static let rangeNotSatisfiable = Self("rangeNotSatisfiable")
    /// The store is busy, or stopping; the same request may be sent again.
    package static let storeUnavailable = Self("storeUnavailable")
    /// The store has failed; its log has the reason under `request`.
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
    /// For `profileUntrusted`: the certificates that the store has taken back, for a device whose
    /// profile one of them has signed hears nothing else.
    package var revokedCertificates: RevokedCertificates?

    package init(
        code: WireErrorCode, message: String, reason: InvalidReasonCode? = nil,
        request: String? = nil, revokedCertificates: RevokedCertificates? = nil
    ) {
        self.code = code
        self.message = message
        self.reason = reason
        self.request = request
        self.revokedCertificates = revokedCertificates
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
