/// An addition of OpenStoreKit: a transaction as the store signed it.
public struct OpenStoreSignature: Sendable, Hashable {
    /// The compact serialization (RFC 7515), as a server of the app's own can verify it.
    public let jws: String
    /// When the store signed it.
    public let signedDate: Date
    /// The SHA-256 of the root certificate that the signature leads to, hexadecimal.
    public let rootFingerprint: String
    /// Thousandths of ``currency`` that were charged for the whole quantity.
    public let chargedThousandths: Int64
    /// The ISO 4217 code of the currency.
    public let currency: String
}
