import StoreSecurity
import StoreWire

/// Decodes signed statements of the store, and verifies them.
///
/// A statement is verified if its certificates lead to the root of the app's provisioning profile
/// and none of them was revoked, its signature is right, nothing is missing that each of its kind
/// has, and it was made for this app, environment and device. `VerificationError` has no case for
/// another app or environment: the error is `invalidSignature` then.
struct StatementVerifier: Sendable {
    private let verifier: JWSVerifier
    private let isRevoked: @Sendable (Certificate) -> Bool
    private let bundleID: String
    private let environment: String
    private let deviceID: String

    /// - Parameter isRevoked: whether the store has taken a certificate back.
    init(
        profile: DeviceProfile, deviceID: String,
        isRevoked: @escaping @Sendable (Certificate) -> Bool
    ) {
        self.init(
            JWSVerifier(root: profile.verifier.root, isRevoked: isRevoked),
            bundleID: profile.payload.bundleId.text,
            environment: profile.payload.statementEnvironment, deviceID: deviceID)
    }

    init(_ verifier: JWSVerifier, bundleID: String, environment: String, deviceID: String) {
        // Asked apart from the chain: both are `untrusted` to the one below.
        self.verifier = JWSVerifier(root: verifier.root)
        self.isRevoked = verifier.isRevoked
        self.bundleID = bundleID
        self.environment = environment
        self.deviceID = deviceID
    }

    // MARK: Statements

    /// `nil` if the text has no payload, or one that does not say what it is about; here and below.
    func transaction(_ jws: String) -> VerificationResult<Transaction>? { result(jws) }

    func renewalInfo(
        _ jws: String
    ) -> VerificationResult<Product.SubscriptionInfo.RenewalInfo>? {
        result(jws)
    }

    func appTransaction(_ jws: String) -> VerificationResult<AppTransaction>? { result(jws) }

    private func result<Value: SignedValue>(_ jws: String) -> VerificationResult<Value>? {
        var decoded: Value?
        do {
            let statement = try verifier.verified(jws) { payload in
                let value = try Value(JSONBacking(payload, jws: jws))
                decoded = value
                guard value.signedDate != .distantPast else { throw JSONBacking.Missing("date") }
                return value.signedDate
            }
            guard let value = decoded else { return nil }
            if statement.chain.dropLast().contains(where: isRevoked) {
                return .unverified(value, .revokedCertificate)
            }
            return mismatch(of: value).map { .unverified(value, $0) } ?? .verified(value)
        } catch {
            // A header that is refused is refused before the payload is looked at.
            guard let value = decoded ?? Self.value(of: jws) else { return nil }
            return .unverified(value, VerificationResult<Value>.VerificationError(error))
        }
    }

    /// The value of a statement that can't be verified.
    private static func value<Value: SignedValue>(of jws: String) -> Value? {
        guard let payload = JWSParts(jws)?.payload else { return nil }
        return try? Value(JSONBacking(payload, jws: jws))
    }

    /// What is wrong with a value whose signature is right; `nil` if nothing is.
    private func mismatch<Value: SignedValue>(
        of value: Value
    ) -> VerificationResult<Value>.VerificationError? {
        let backing = value.backing
        guard Value.guaranteedKeys.allSatisfy({ backing[$0] != nil }) else {
            return .missingRequiredProperties
        }
        // Renewal information names no app.
        guard value.environment.rawValue == environment,
            backing.text("bundleId") ?? bundleID == bundleID
        else { return .invalidSignature }
        let digest = DeviceVerification.digest(
            nonce: backing.deviceVerificationNonce, device: deviceID)
        return backing.deviceVerification == digest ? nil : .invalidDeviceVerification
    }
}

extension VerificationResult.VerificationError {
    fileprivate init(_ error: any Error) {
        self =
            switch error {
            case is JSONBacking.Missing: .missingRequiredProperties
            case let error as SecurityError where error.code == .badSignature: .invalidSignature
            case let error as SecurityError where error.code != .malformed:
                .invalidCertificateChain
            default: .invalidEncoding
            }
    }
}
