/// The payload of a signed app transaction, with the keys of Apple's `AppTransaction`: that an
/// account has an app.
package struct AppTransactionPayload: Codable, Sendable, Hashable {
    /// The environment.
    package var receiptType: String
    /// The app's number; 0 in the sandbox for servers, `nil` there for devices.
    package var appAppleId: Int64?
    package var bundleId: String
    package var applicationVersion: String
    /// `nil` for devices in the sandbox.
    package var versionExternalIdentifier: Int64?
    package var receiptCreationDate: Int64
    /// When it was asked for; `nil` for servers.
    package var requestDate: Int64?
    package var originalPurchaseDate: Int64
    package var originalApplicationVersion: String
    /// Binds it to one device: the SHA-384 of nonce and device identifier, Base64; nil where a
    /// server asked.
    package var deviceVerification: String?
    /// A UUID in lower case.
    package var deviceVerificationNonce: String?
    package var appTransactionId: String
    package var originalPlatform: String

    package init(
        receiptType: String, appAppleId: Int64?, bundleId: String, applicationVersion: String,
        versionExternalIdentifier: Int64?, receiptCreationDate: Int64, originalPurchaseDate: Int64,
        originalApplicationVersion: String, appTransactionId: String,
        originalPlatform: String = "iOS"
    ) {
        self.receiptType = receiptType
        self.appAppleId = appAppleId
        self.bundleId = bundleId
        self.applicationVersion = applicationVersion
        self.versionExternalIdentifier = versionExternalIdentifier
        self.receiptCreationDate = receiptCreationDate
        self.originalPurchaseDate = originalPurchaseDate
        self.originalApplicationVersion = originalApplicationVersion
        self.appTransactionId = appTransactionId
        self.originalPlatform = originalPlatform
    }
}
