import Foundation
import StoreModel

/// What a request wants to change about a version; what is nil stays.
package struct AppVersionChange: Sendable, Hashable {
    package var versionString: String?
    package var releaseType: AppReleaseType?
    package var whatsNew: String?
    package var reviewNote: String?

    package init(
        versionString: String? = nil, releaseType: AppReleaseType? = nil,
        whatsNew: String? = nil, reviewNote: String? = nil
    ) {
        self.versionString = versionString
        self.releaseType = releaseType
        self.whatsNew = whatsNew
        self.reviewNote = reviewNote
    }

    /// - Parameter others: the other versions of its platform.
    /// - Throws: `ConnectRefusal`.
    func apply(to version: inout AppVersion, beside others: [AppVersion]) throws {
        if let versionString, versionString != version.version.text {
            version.version = try AppVersionRules.check(
                versionString, beside: others.map(\.version))
        }
        if let releaseType { version.releaseType = releaseType }
        if let whatsNew, whatsNew != version.whatsNew {
            version.whatsNew = try ConnectText.checked(
                whatsNew, field: "whatsNew", name: "text about what is new", in: 0...4000,
                allowsLines: true)
        }
        if let reviewNote, reviewNote != version.reviewNote {
            version.reviewNote = try ConnectText.checked(
                reviewNote, field: "reviewNote", name: "note for the review", in: 0...4000,
                allowsLines: true)
        }
    }
}

/// What the record of a binary may be.
package enum BuildRules {
    static func digest(_ text: String) throws -> ContentDigest {
        guard let digest = ContentDigest(text.lowercased()) else {
            throw ConnectRefusal(
                .invalid, rule: "checksum", field: "sha256",
                "\(quoted(text)) is not a SHA-256 checksum.",
                help: "Give 64 hexadecimal digits, as sha256sum prints them.")
        }
        return digest
    }

    static func check(size: Int64) throws {
        guard (1...(1 << 40)).contains(size) else {
            throw ConnectRefusal(
                .invalid, rule: "buildSize", field: "fileSize",
                "A binary can't have \(size) bytes.", help: "Give the size of the file in bytes.")
        }
    }

    /// The number of the build after another one: its first number raised by one.
    static func next(after newest: ContentVersion?) -> String {
        let first = newest?.text.split(scalar: ".").first.flatMap { Int64($0) } ?? 0
        return String(first.addingReportingOverflow(1).partialValue)
    }

    static func check(number: String, beside others: [AppBuild]) throws -> ContentVersion {
        let field = "version"
        guard let wanted = ContentVersion(number),
            number.split(scalar: ".", omittingEmptySubsequences: false).count <= 3
        else {
            throw ConnectRefusal(
                .invalid, rule: "buildNumber", field: field,
                "\(quoted(number)) is not a build number.",
                help: "A build number is one to three whole numbers with periods between them.")
        }
        guard let newest = others.map(\.number).max(), newest >= wanted else { return wanted }
        throw ConnectRefusal(
            .taken, rule: "buildNumberTaken", field: field,
            "The version has a build \(newest) already.",
            help: "Give this one a number higher than \(newest).")
    }
}

extension AppVersion {
    /// How the audit log names it.
    package func subject(in app: App) -> String {
        "\(app.bundleID) \(version) (\(platform.title))"
    }

    /// What the audit log tells of it.
    package var summary: String {
        var parts = [state.rawValue, releaseType.rawValue]
        if let build { parts.append("build \(build)") }
        if !whatsNew.isEmpty { parts.append("what's new: \(whatsNew)") }
        if !reviewNote.isEmpty { parts.append("review note: \(reviewNote)") }
        return parts.joined(separator: ", ")
    }
}
