import StoreSecurity

extension VerificationResult where SignedType == Transaction {
    /// The signed statement, as servers can verify it.
    public var jwsRepresentation: String { signedText }
    /// The header of the statement, JSON.
    public var headerData: Data { parts?.header ?? Data() }
    /// The payload of the statement, JSON.
    public var payloadData: Data { parts?.payload ?? Data() }
    /// The signature, R and S in 64 bytes.
    public var signatureData: Data { parts?.signature ?? Data() }
    /// The bytes that `signatureData` is for.
    public var signedData: Data { parts?.signedBytes ?? Data() }
    /// When the store signed it.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// The hash that binds it to a device.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
    /// What was hashed together with the device's identifier.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
    /// The signed statement, as servers can verify it.
    public var jwsRepresentation: String { signedText }
    /// The header of the statement, JSON.
    public var headerData: Data { parts?.header ?? Data() }
    /// The payload of the statement, JSON.
    public var payloadData: Data { parts?.payload ?? Data() }
    /// The signature, R and S in 64 bytes.
    public var signatureData: Data { parts?.signature ?? Data() }
    /// The bytes that `signatureData` is for.
    public var signedData: Data { parts?.signedBytes ?? Data() }
    /// When the store signed it.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// The hash that binds it to a device.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
    /// What was hashed together with the device's identifier.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension VerificationResult where SignedType == AppTransaction {
    /// The signed statement, as servers can verify it.
    public var jwsRepresentation: String { signedText }
    /// The header of the statement, JSON.
    public var headerData: Data { parts?.header ?? Data() }
    /// The payload of the statement, JSON.
    public var payloadData: Data { parts?.payload ?? Data() }
    /// The signature, R and S in 64 bytes.
    public var signatureData: Data { parts?.signature ?? Data() }
    /// The bytes that `signatureData` is for.
    public var signedData: Data { parts?.signedBytes ?? Data() }
    /// When the store signed it.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// The hash that binds it to a device.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
    /// What was hashed together with the device's identifier.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

extension VerificationResult where SignedType: SignedValue {
    fileprivate var signedText: String { unsafePayloadValue.backing.jws ?? "" }
    fileprivate var parts: JWSParts? { JWSParts(signedText) }
}

extension VerificationResult: CustomDebugStringConvertible
where SignedType: CustomDebugStringConvertible {
    /// Header and payload, for people, and whether they are verified.
    public var debugDescription: String {
        let standing =
            switch self {
            case .verified: "verified"
            case .unverified(_, let error): "unverified: \(error)"
            }
        let payload = unsafePayloadValue.debugDescription
        guard let signed = unsafePayloadValue as? any SignedValue,
            let parts = JWSParts(signed.backing.jws ?? ""), let header = parts.header
        else { return "payload: \(payload)\n(\(standing))" }
        let headerText =
            (try? JSONBacking(header).prettyText) ?? String(decoding: header, as: UTF8.self)
        return """
            header: \(headerText)
            payload: \(payload)
            signature: \(parts.signature?.count ?? 0) bytes (\(standing))
            """
    }
}
