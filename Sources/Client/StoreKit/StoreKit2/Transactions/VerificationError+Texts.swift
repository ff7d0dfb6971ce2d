@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension VerificationResult.VerificationError: LocalizedError {
    /// What went wrong.
    public var errorDescription: String? { "The purchase could not be verified." }

    /// Why it went wrong.
    public var failureReason: String? {
        switch self {
        case .revokedCertificate: "The certificate that it was signed with was revoked."
        case .invalidCertificateChain: "It was not signed by a certificate of this app's store."
        case .invalidDeviceVerification: "It was signed for another device."
        case .invalidEncoding: "It does not have the form of a signed statement."
        case .invalidSignature: "Its signature is not valid for this app."
        case .missingRequiredProperties: "Required properties are missing from it."
        }
    }

    /// What to do about it.
    public var recoverySuggestion: String? { "Restore your purchases, and try again." }
}
