import Foundation
import StoreModel

/// The identifier of an upload: a UUID in small letters.
package struct UploadID: TextIdentifier {
    package static let name = "upload identifier"
    package let text: String

    package init?(_ text: String) {
        // Only one spelling: it is also the name of a folder.
        guard let uuid = UUID(uuidString: text), uuid.uuidString.lowercased() == text else {
            return nil
        }
        self.text = text
    }

    package init(_ uuid: UUID) {
        self.text = uuid.uuidString.lowercased()
    }
}

/// Where an upload stands, spelled as App Store Connect spells the states of assets.
package enum UploadState: String, Sendable, Hashable, CaseIterable {
    /// Parts are missing.
    case awaitingUpload = "AWAITING_UPLOAD"
    /// The package is there and is being processed.
    case uploadComplete = "UPLOAD_COMPLETE"
    /// The package has become a version of the product's content, or the build has its file.
    case complete = "COMPLETE"
    /// The package was refused.
    case failed = "FAILED"
}

/// Why a package was refused.
package struct ContentProblem: Sendable, Hashable {
    /// Inside the package; empty where it is about the whole.
    package var path: String
    /// The rule that was broken, for programs.
    package var rule: String
    /// What is wrong and what to do.
    package var advice: String

    package init(path: String, rule: String, advice: String) {
        self.path = path
        self.rule = rule
        self.advice = advice
    }
}

/// A package on its way into the store.
package struct PackageUpload: Sendable, Hashable {
    package let id: UploadID
    package let app: AppID
    package let bundleID: BundleID
    package let subject: UploadSubject
    package let team: Int64
    package let fileName: String
    package let parts: UploadParts
    /// The SHA-256 of the whole file, as the publisher states it.
    package let digest: ContentDigest
    package let state: UploadState
    package let created: Date
    /// When something last happened to it.
    package let changed: Date
    /// What the product goes back to where the package is refused; `nil` for builds.
    package let earlierState: ProductState?
    /// How often processing was begun.
    package let attempts: Int
    /// Bytes of the file that were processed so far.
    package let processed: Int64
    /// What it became.
    package let version: ContentVersion?
}

/// An upload to be begun.
package struct UploadDraft: Sendable, Hashable {
    package var id: UploadID
    package var bundleID: BundleID
    package var subject: UploadSubject
    package var fileName: String
    /// Bytes.
    package var size: Int64
    package var digest: ContentDigest
    /// The version of the content, where it is known before the package is there.
    package var version: ContentVersion?

    package init(
        id: UploadID, bundleID: BundleID, subject: UploadSubject, fileName: String, size: Int64,
        digest: ContentDigest, version: ContentVersion? = nil
    ) {
        self.id = id
        self.bundleID = bundleID
        self.subject = subject
        self.fileName = fileName
        self.size = size
        self.digest = digest
        self.version = version
    }
}
