import Foundation
import StoreDatabase
import StoreModel

/// A build as the store hands it out: the file that was uploaded, and the same in chunks.
///
/// The file itself lies in the content store under the build's digest.
package struct BuildDelivery: Sendable, Hashable {
    package var format: AppPackageFormat
    /// As it was uploaded.
    package var fileName: String
    package var manifestDigest: ContentDigest
    package var manifestLength: Int64
    /// Where its chunks lie, in the order of the manifest; also blobs of earlier builds.
    package var blobs: [ContentBlob]
    /// Bytes that a device without any of it downloads, the manifest included.
    package var downloadLength: Int64
    package var unpackedLength: Int64
    package var created: Date
    /// The last permission to download it; noted at most once an hour.
    package var lastPermit: Date?
    /// When its bytes were given up; nobody gets it any more.
    package var retired: Date?

    package init(
        format: AppPackageFormat, fileName: String, manifestDigest: ContentDigest,
        manifestLength: Int64, blobs: [ContentBlob], downloadLength: Int64, unpackedLength: Int64,
        created: Date, lastPermit: Date? = nil, retired: Date? = nil
    ) {
        self.format = format
        self.fileName = fileName
        self.manifestDigest = manifestDigest
        self.manifestLength = manifestLength
        self.blobs = blobs
        self.downloadLength = downloadLength
        self.unpackedLength = unpackedLength
        self.created = created
        self.lastPermit = lastPermit
        self.retired = retired
    }

    package var isRetired: Bool { retired != nil }

    /// Everything that a device may fetch for it: the manifest and all blobs.
    package var digests: [ContentDigest] { [manifestDigest] + blobs.map(\.digest) }
}

/// Without the blobs, which have rows of their own.
extension BuildDelivery: Record {
    package static let table: StaticString = "build_delivery"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        format = try column("format", \.format)
        fileName = try column("file_name", \.fileName)
        manifestDigest = try column("manifest_digest", \.manifestDigest)
        manifestLength = try column("manifest_length", \.manifestLength)
        blobs = []
        downloadLength = try column("download_length", \.downloadLength)
        unpackedLength = try column("unpacked_length", \.unpackedLength)
        created = try column("created", \.created)
        lastPermit = try column("permitted", \.lastPermit)
        retired = try column("retired", \.retired)
    }
}

/// A build with its delivery and its version, for whoever decides how long it is kept.
package struct DeliveredBuild: Sendable, Hashable {
    package let build: AppBuild
    package let version: AppVersion
    package let delivery: BuildDelivery
}

/// What is known of a build's file without its bytes.
package struct AppBuildFile: Sendable, Hashable {
    package var format: AppPackageFormat
    package var name: String
    /// Bytes that a device without any of it downloads.
    package var downloadLength: Int64
    package var unpackedLength: Int64
}

/// Columns of the build's delivery.
extension AppBuildFile: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        format = try column("format", \.format, .joined)
        name = try column("file_name", \.name, .joined)
        downloadLength = try column("download_length", \.downloadLength, .joined)
        unpackedLength = try column("unpacked_length", \.unpackedLength, .joined)
    }
}
