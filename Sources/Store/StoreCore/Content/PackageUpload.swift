import Foundation
import StoreDatabase
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
    /// Bytes of the whole file.
    package let size: Int64
    /// Bytes of each part but the last.
    package let partSize: Int64
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

    package var parts: UploadParts { UploadParts(size: size, partSize: partSize) }
}

extension PackageUpload {
    /// A new upload without parts yet.
    package init(_ draft: UploadDraft, of app: App, partSize: Int64, at date: Date) {
        self.init(
            id: draft.id, app: app.id, bundleID: app.bundleID, subject: draft.subject,
            team: app.teamID, fileName: draft.fileName, size: draft.size, partSize: partSize,
            digest: draft.digest, state: .awaitingUpload, created: date, changed: date,
            earlierState: nil, attempts: 0, processed: 0, version: nil)
    }
}

/// Read with its app, its team, and its product or build.
extension PackageUpload: Record {
    package static let table: StaticString = "content_upload"
    package static let source: StaticString = """
        (SELECT u.*, a.id AS app, a.bundle_id, a.team, p.product_id, b.id AS build_id
            FROM content_upload u LEFT JOIN product p ON p.id = u.product
                LEFT JOIN app_build b ON b.number = u.build
                LEFT JOIN app_version v ON v.number = b.version
                JOIN app a ON a.id = coalesce(p.app, v.app)) uploads
        """

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        app = try column("app", \.app, .joined)
        bundleID = try column("bundle_id", \.bundleID, .joined)
        subject = try column.part(\.subject)
        team = try column("team", \.team, .joined)
        fileName = try column("file_name", \.fileName, .immutable)
        size = try column("size", \.size, .immutable)
        partSize = try column("part_size", \.partSize, .immutable)
        digest = try column("digest", \.digest, .immutable)
        state = try column("state", \.state)
        created = try column("created", \.created, .immutable)
        changed = try column("changed", \.changed)
        earlierState = try column("earlier_state", \.earlierState)
        attempts = try column("attempts", \.attempts)
        processed = try column("processed", \.processed)
        version = try column("version", \.version)
    }
}

extension UploadID: TextColumnValue {}
extension UploadState: TextColumnValue {}

extension UploadSubject: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        self = try column.either(
            "product_id", \.product, UploadSubject.product,
            "build_id", \.build, UploadSubject.build, .joined)
    }
}

extension ContentProblem: Record {
    package static let table: StaticString = "content_upload_problem"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        path = try column("path", \.path)
        rule = try column("rule", \.rule)
        advice = try column("advice", \.advice)
    }
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
