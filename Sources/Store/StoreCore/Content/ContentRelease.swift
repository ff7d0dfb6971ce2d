import Foundation
import StoreDatabase
import StoreModel

/// Where a version of hosted content stands, spelled as in App Store Connect's API.
package enum ContentState: String, Sendable, Hashable, CaseIterable {
    /// Checked and made ready for delivery; testers get it.
    case readyToSubmit = "READY_TO_SUBMIT"
    case waitingForReview = "WAITING_FOR_REVIEW"
    case inReview = "IN_REVIEW"
    /// Customers get it.
    case approved = "APPROVED"
    case rejected = "REJECTED"
}

/// Compressed bytes of content, named by their digest.
package struct ContentBlob: Sendable, Hashable {
    package var digest: ContentDigest
    /// Bytes.
    package var length: Int64

    package init(digest: ContentDigest, length: Int64) {
        self.digest = digest
        self.length = length
    }
}

extension ContentBlob: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        digest = try column("digest", \.digest)
        length = try column("length", \.length)
    }
}

/// A version of hosted content that the store can deliver.
package struct ContentRelease: Sendable, Hashable {
    package var version: ContentVersion
    package var manifestDigest: ContentDigest
    package var manifestLength: Int64
    /// Where its chunks lie, in the order of the manifest; also blobs of earlier versions.
    package var blobs: [ContentBlob]
    /// Bytes that a device without any of it downloads, the manifest included.
    package var downloadLength: Int64
    package var unpackedLength: Int64
    package var state: ContentState
    /// Whether its bytes were given up: nobody gets it any more.
    package var isRetired: Bool

    package init(
        version: ContentVersion, manifestDigest: ContentDigest, manifestLength: Int64,
        blobs: [ContentBlob], downloadLength: Int64, unpackedLength: Int64, state: ContentState,
        isRetired: Bool = false
    ) {
        self.version = version
        self.manifestDigest = manifestDigest
        self.manifestLength = manifestLength
        self.blobs = blobs
        self.downloadLength = downloadLength
        self.unpackedLength = unpackedLength
        self.state = state
        self.isRetired = isRetired
    }

    /// Whether production may deliver it.
    package var isApproved: Bool { state == .approved }

    /// Everything that a device may fetch for it: the manifest and all blobs.
    package var digests: [ContentDigest] { [manifestDigest] + blobs.map(\.digest) }
}

/// A version with what happened to it.
package struct ReleaseRecord: Sendable, Hashable {
    package let release: ContentRelease
    /// What the reviewer said.
    package let message: String?
    package let created: Date
    /// When its state last changed.
    package let changed: Date
    /// The last permission to download it; noted at most once an hour.
    package let lastPermit: Date?
}

/// A version without the places of its chunks.
struct ReleaseRow: Sendable {
    let id: Int64
    /// The row of its product.
    let product: Int64
    let version: ContentVersion
    let manifestDigest: ContentDigest
    let manifestLength: Int64
    let downloadLength: Int64
    let unpackedLength: Int64
    let state: ContentState
    let retired: Date?

    func release(_ blobs: [ContentBlob]) -> ContentRelease {
        ContentRelease(
            version: version, manifestDigest: manifestDigest, manifestLength: manifestLength,
            blobs: blobs, downloadLength: downloadLength, unpackedLength: unpackedLength,
            state: state, isRetired: retired != nil)
    }
}

extension ReleaseRow: RecordPart {
    init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id)
        product = try column("product", \.product)
        version = try column("version", \.version)
        manifestDigest = try column("manifest_digest", \.manifestDigest)
        manifestLength = try column("manifest_length", \.manifestLength)
        downloadLength = try column("download_length", \.downloadLength)
        unpackedLength = try column("unpacked_length", \.unpackedLength)
        state = try column("state", \.state)
        retired = try column("retired", \.retired)
    }
}

extension ContentState: TextColumnValue {}

/// A chunk of a version.
struct ReleaseBlob: RecordPart {
    let release: Int64
    let blob: ContentBlob

    init(_ column: borrowing RecordColumns<Self>) throws {
        release = try column("release", \.release)
        blob = try column.part(\.blob)
    }
}

/// What happened to a version.
struct ReleaseDetails: RecordPart {
    let version: ContentVersion
    let message: String?
    let created: Date
    let changed: Date
    let lastPermit: Date?

    init(_ column: borrowing RecordColumns<Self>) throws {
        version = try column("version", \.version)
        message = try column("message", \.message)
        created = try column("created", \.created)
        changed = try column("changed", \.changed)
        lastPermit = try column("last_permit", \.lastPermit)
    }
}
