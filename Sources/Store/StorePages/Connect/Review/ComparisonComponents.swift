import StoreCore
import StoreModel

/// What was submitted of a product beside what was approved of it last.
enum ComparisonComponents {
    /// As many files as are listed of each kind.
    private static let fileLimit = 100

    static func html(
        _ comparison: ReviewComparison, of item: SubmissionItem, in submission: Submission,
        _ call: PortalCall
    ) async -> [HTML] {
        let changes = comparison.diff.changes.filter { $0.name != "Screenshot for review" }
        let isFirst = comparison.approved == nil
        return [
            .element("h3", isFirst ? "What was submitted" : "What has changed"),
            .element(
                "p", class: "quiet",
                isFirst
                    ? "Nothing of it was approved before."
                    : "Beside what was approved last; everything else is as it was."),
            changes.isEmpty
                ? .element("p", "Nothing that customers or reviewers read has changed.")
                : PortalDiff(
                    changes.map { PortalDiff.Change($0.name, old: $0.before, new: $0.after) }
                ).html,
            ReviewScreenshot.html(item, comparison), notes(comparison),
            await files(comparison, call),
        ]
    }

    private static func notes(_ comparison: ReviewComparison) -> HTML {
        let note = comparison.submitted.reviewNote
        guard !note.isEmpty else { return .nothing }
        return .group([
            .element("h3", "Review notes"), .element("p", class: "letter", [.foreign(note)]),
        ])
    }

    /// The files that another version of content adds, changes and removes.
    private static func files(
        _ comparison: ReviewComparison, _ call: PortalCall
    ) async -> HTML {
        guard let readManifest = call.services.readManifest,
            let new = comparison.submitted.contentManifest,
            new != comparison.approved?.contentManifest
        else { return .nothing }
        let found = try? await contents(of: new, readManifest)
        guard let after = found ?? nil else {
            return PortalNotice(.warn, "The files of this content can’t be listed any more.").html
        }
        var before: [ContentFile]?
        if let approved = comparison.approved?.contentManifest {
            before = (try? await contents(of: approved, readManifest)) ?? nil
        }
        let diff = ContentDiff(from: before ?? [], to: after)
        return .group([
            .element("h3", "Hosted content"),
            .element(
                "p", class: "quiet",
                "\(PortalFormatting.count(diff.added.count, "file", "files")) added, "
                    + "\(diff.changed.count) changed, \(diff.removed.count) removed, "
                    + "\(diff.unchanged) as before."),
            list("Added", diff.added), list("Changed", diff.changed),
            list("Removed", diff.removed),
        ])
    }

    private static func contents(
        of manifest: String, _ read: ManifestReader
    ) async throws -> [ContentFile]? {
        guard let digest = ContentDigest(manifest) else { return nil }
        return try await read(digest)
    }

    private static func list(_ title: String, _ files: [ContentFile]) -> HTML {
        guard !files.isEmpty else { return .nothing }
        let rest = files.count - fileLimit
        return .element(
            "details", files.count <= 20 ? [.init("open")] : [],
            [
                .element(
                    "summary", "\(title): \(PortalFormatting.count(files.count, "file", "files"))"),
                .element(
                    "ul", class: "files",
                    files.prefix(fileLimit).map { file in
                        .element(
                            "li", [],
                            [
                                .element("code", [], [.foreign(file.path)]),
                                .text(" \(PortalFormatting.bytes(file.length))"),
                            ])
                    }),
                rest > 0 ? .element("p", "and \(rest) more") : .nothing,
            ])
    }
}
