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

/// What a download token says: this version of content may be fetched for this transaction, on this
/// device, until then. Sealed by the store for itself. It buys nothing, and names no account.
package struct DownloadTokenPayload: Codable, Sendable, Hashable {
    // Every kind of sealed statement has keys of its own, so that none passes for another.
    package var downloadOf: TransactionID
    package var contentIdentifier: String
    package var version: ContentVersion
    package var device: String
    package var expirationDate: Int64

    package init(
        downloadOf: TransactionID, contentIdentifier: String, version: ContentVersion,
        device: String, expirationDate: Int64
    ) {
        self.downloadOf = downloadOf
        self.contentIdentifier = contentIdentifier
        self.version = version
        self.device = device
        self.expirationDate = expirationDate
    }
}

/// What a grant says: these bytes, for this transaction, until then. Sealed by the
/// store for itself.
package struct GrantPayload: Codable, Sendable, Hashable {
    /// `nil` for the bytes of an app.
    package var transactionId: TransactionID?
    package var digests: [ContentDigest]
    package var expirationDate: Int64

    package init(transactionId: TransactionID?, digests: [ContentDigest], expirationDate: Int64) {
        self.transactionId = transactionId
        self.digests = digests
        self.expirationDate = expirationDate
    }
}
