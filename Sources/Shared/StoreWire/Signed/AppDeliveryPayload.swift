import StoreModel

/// The payload of an app's signed delivery, its code signature: which bytes a build consists of.
package struct AppDeliveryPayload: Codable, Sendable, Hashable {
    package var appId: Int64
    package var bundleId: String
    package var version: ContentVersion
    package var build: ContentVersion
    package var format: AppPackageFormat
    package var manifestDigest: ContentDigest
    package var manifestLength: Int64
    /// Bytes that a device fetches which has none of it, the manifest included.
    package var downloadLength: Int64
    package var unpackedLength: Int64
    package var signedDate: Int64

    package init(
        appId: Int64, bundleId: String, version: ContentVersion, build: ContentVersion,
        format: AppPackageFormat, manifestDigest: ContentDigest, manifestLength: Int64,
        downloadLength: Int64, unpackedLength: Int64, signedDate: Int64
    ) {
        self.appId = appId
        self.bundleId = bundleId
        self.version = version
        self.build = build
        self.format = format
        self.manifestDigest = manifestDigest
        self.manifestLength = manifestLength
        self.downloadLength = downloadLength
        self.unpackedLength = unpackedLength
        self.signedDate = signedDate
    }
}
