/// What an order says of offers, in the requests for a quote and for a purchase.
package struct OfferWish: Codable, Sendable, Hashable {
    /// The name of a promotional or win-back offer. Without it the introductory offer applies.
    package var identifier: String?
    /// That the publisher's server allows a promotional offer.
    package var permission: OfferPermission?
    /// What the publisher's server says of the customer's right to an introductory offer: a JWS.
    package var introductoryEligibility: String?

    package init(
        identifier: String? = nil, permission: OfferPermission? = nil,
        introductoryEligibility: String? = nil
    ) {
        self.identifier = identifier
        self.permission = permission
        self.introductoryEligibility = introductoryEligibility
    }
}

/// The signature of a publisher's server for a promotional offer: a JWS, or a signature over
/// fields.
package struct OfferPermission: Codable, Sendable, Hashable {
    package var jws: String?
    /// Of the publisher's key.
    package var keyIdentifier: String?
    /// A UUID.
    package var nonce: String?
    /// DER, in Base64.
    package var signature: String?
    /// When it was signed, milliseconds since 1970.
    package var timestamp: Int64?

    package init(jws: String) {
        self.jws = jws
    }

    package init(keyIdentifier: String, nonce: String, signature: String, timestamp: Int64) {
        self.keyIdentifier = keyIdentifier
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
    }
}
