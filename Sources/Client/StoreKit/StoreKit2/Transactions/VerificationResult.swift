/// The value of a signed statement, and whether it is verified.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
@frozen public enum VerificationResult<SignedType> {
    /// The value, which can't be trusted, and the reason.
    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    /// The value; the store signed it for this app on this device.
    case verified(SignedType)

    /// Why a statement could not be verified.
    public enum VerificationError: Error, Equatable, Hashable {
        /// The store has taken the certificate back that it was signed with.
        case revokedCertificate
        /// Its certificates don't lead to the root that this app trusts.
        case invalidCertificateChain
        /// It was made for another device.
        case invalidDeviceVerification
        /// It does not have the form of a signed statement.
        case invalidEncoding
        /// The signature does not belong to these bytes, or the statement not to this app.
        case invalidSignature
        /// Something is missing that each statement of its kind has.
        case missingRequiredProperties
    }

    /// The value, if it is verified.
    ///
    /// - Throws: the ``VerificationError`` if it isn't.
    public var payloadValue: SignedType {
        get throws {
            switch self {
            case .verified(let value): return value
            case .unverified(_, let error): throw error
            }
        }
    }

    /// The value, be it verified or not.
    public var unsafePayloadValue: SignedType {
        switch self {
        case .verified(let value), .unverified(let value, _): value
        }
    }
}

extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}
extension VerificationResult: Sendable where SignedType: Sendable {}
