import StoreKit

/// An entry of `_storeKitErrors` in a StoreKit configuration: a call, and what it fails with.
struct FileFailure: Decodable {
    struct Choice: Decodable {
        let index: Int
        let type: String
    }

    let name: String
    let enabled: Bool?
    let current: Choice?

    /// The call and its error; `nil` if it is not to fail.
    ///
    /// Apple has not said which error an index stands for: it is taken for the place of the case in
    /// the declaration of its type.
    ///
    /// - Throws: `SKTestError.invalidURL` for one that is enabled, and whose API or error does not exist.
    func failure(
        at path: String
    ) throws -> (call: SimulatedErrors.Call, code: _SKTestFailureCode)? {
        guard enabled ?? false else { return nil }
        guard let call = SimulatedErrors.Call(rawValue: name) else {
            throw SKTestError(
                .invalidURL, "The configuration's \(path).name is \"\(name)\", no API.")
        }
        guard let current else { return nil }
        guard let errors = Self.errors[current.type], errors.indices.contains(current.index) else {
            throw SKTestError(
                .invalidURL,
                "The configuration's \(path).current has no error of type \"\(current.type)\" with "
                    + "the index \(current.index).")
        }
        return (call, _SKTestFailureCode(errors[current.index]))
    }

    private static let errors: [String: [any Error]] = [
        "generic": [
            StoreKitError.unknown, StoreKitError.userCancelled,
            StoreKitError.networkError(URLError(.notConnectedToInternet)),
            StoreKitError.systemError(SKError(.unknown)), StoreKitError.notAvailableInStorefront,
            StoreKitError.notEntitled, StoreKitError.unsupported,
            StoreKitError.invalidPresentationContext,
        ],
        "purchase": [
            Product.PurchaseError.invalidQuantity, Product.PurchaseError.productUnavailable,
            Product.PurchaseError.purchaseNotAllowed, Product.PurchaseError.ineligibleForOffer,
            Product.PurchaseError.invalidOfferIdentifier, Product.PurchaseError.invalidOfferPrice,
            Product.PurchaseError.invalidOfferSignature,
            Product.PurchaseError.missingOfferParameters,
        ],
        "verification": [
            VerificationResult<Any>.VerificationError.revokedCertificate,
            VerificationResult<Any>.VerificationError.invalidCertificateChain,
            VerificationResult<Any>.VerificationError.invalidDeviceVerification,
            VerificationResult<Any>.VerificationError.invalidEncoding,
            VerificationResult<Any>.VerificationError.invalidSignature,
            VerificationResult<Any>.VerificationError.missingRequiredProperties,
        ],
    ]
}
