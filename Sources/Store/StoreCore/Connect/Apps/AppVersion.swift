import Foundation
import StoreDatabase
import StoreModel

/// The identifier of a version: a UUID in small letters.
package struct AppVersionID: TextIdentifier, TextColumnValue {
    package static let name = "version identifier"
    package let text: String

    package init(_ uuid: UUID) {
        text = uuid.uuidString.lowercased()
    }

    package init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.text = uuid.uuidString.lowercased()
    }
}

/// The identifier of a build: a UUID in small letters.
package struct AppBuildID: TextIdentifier, TextColumnValue {
    package static let name = "build identifier"
    package let text: String

    package init(_ uuid: UUID) {
        text = uuid.uuidString.lowercased()
    }

    package init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.text = uuid.uuidString.lowercased()
    }
}

/// A version of an app.
package struct AppVersion: Sendable, Hashable {
    package let id: AppVersionID
    package let app: AppID
    package let platform: AppPlatform
    package var version: ContentVersion
    package var state: AppVersionState = .prepareForSubmission
    /// The state that it goes back to when it is reinstated; nil unless the store took it from
    /// sale.
    package var stateBeforeTakeDown: AppVersionState?
    package var releaseType: AppReleaseType = .afterApproval
    /// What customers read about it, in the app's primary language.
    package var whatsNew: String = ""
    /// What reviewers read about it.
    package var reviewNote: String = ""
    /// The build that is submitted, reviewed and sold; nil where none is chosen yet.
    package var build: AppBuildID?
    package let created: Date
    /// When it was last submitted; nil where it never was.
    package var submitted: Date?
    /// When it went on sale; nil where it never did.
    package var released: Date?
}

extension AppVersion: Record {
    package static let table: StaticString = "app_version"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        app = try column("app", \.app, .immutable)
        platform = try column("platform", \.platform, .immutable)
        version = try column("version", \.version)
        state = try column("state", \.state)
        stateBeforeTakeDown = try column("before_take_down", \.stateBeforeTakeDown)
        releaseType = try column("release_type", \.releaseType)
        whatsNew = try column("whats_new", \.whatsNew)
        reviewNote = try column("review_note", \.reviewNote)
        build = try column("build", \.build)
        created = try column("created", \.created, .immutable)
        submitted = try column("submitted", \.submitted)
        released = try column("released", \.released)
    }
}

/// The record of a binary. Which one was reviewed is known by its checksum; a version goes on sale
/// once the store has the binary's file too.
package struct AppBuild: Sendable, Hashable {
    package let id: AppBuildID
    package let version: AppVersionID
    /// For example `42` or `1.2.7`; higher with each build of a version.
    package let number: ContentVersion
    package let digest: ContentDigest
    /// Bytes.
    package let size: Int64
    package let uploaded: Date
    /// `nil` if the store has no file of it, or gave it up.
    package let file: AppBuildFile?

    package init(
        id: AppBuildID, version: AppVersionID, number: ContentVersion, digest: ContentDigest,
        size: Int64, uploaded: Date, file: AppBuildFile? = nil
    ) {
        self.id = id
        self.version = version
        self.number = number
        self.digest = digest
        self.size = size
        self.uploaded = uploaded
        self.file = file
    }
}

/// Read with its file. In the database, builds and versions refer to each other by internal numbers.
extension AppBuild: Record {
    package static let table: StaticString = "app_build"
    package static let source: StaticString = """
        (SELECT b.*, v.id AS version_id, d.format, d.file_name, d.download_length, d.unpacked_length
            FROM app_version v JOIN app_build b ON b.version = v.number
                LEFT JOIN build_delivery d ON d.build = b.number AND d.retired IS NULL) builds
        """

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        version = try column("version_id", \.version, .joined)
        number = try column("build", \.number, .immutable)
        digest = try column("digest", \.digest, .immutable)
        size = try column("size", \.size, .immutable)
        uploaded = try column("uploaded", \.uploaded, .immutable)
        file = try column.part(\.file)
    }
}
