import StoreModel

/// The payload of a signed delivery: which bytes belong to a transaction's content.
package struct DeliveryPayload: Codable, Sendable, Hashable {
    package var transactionId: TransactionID
    package var contentIdentifier: String
    package var version: ContentVersion
    package var manifestDigest: ContentDigest
    package var manifestLength: Int64
    /// Bytes that a device fetches which has none of it, the manifest included.
    package var downloadLength: Int64
    package var signedDate: Int64

    package init(
        transactionId: TransactionID, contentIdentifier: String, version: ContentVersion,
        manifestDigest: ContentDigest, manifestLength: Int64, downloadLength: Int64,
        signedDate: Int64
    ) {
        self.transactionId = transactionId
        self.contentIdentifier = contentIdentifier
        self.version = version
        self.manifestDigest = manifestDigest
        self.manifestLength = manifestLength
        self.downloadLength = downloadLength
        self.signedDate = signedDate
    }
}

/// What a grant says: these bytes, for this transaction, until then. Sealed by the
/// store for itself.
package struct GrantPayload: Codable, Sendable, Hashable {
    package var transactionId: TransactionID
    package var digests: [ContentDigest]
    package var expirationDate: Int64

    package init(
        transactionId: TransactionID, digests: [ContentDigest], expirationDate: Int64
    ) {
        self.transactionId = transactionId
        self.digests = digests
        self.expirationDate = expirationDate
    }
}
