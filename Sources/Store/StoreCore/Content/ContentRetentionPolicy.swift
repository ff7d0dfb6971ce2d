import Foundation

/// Which versions of content are worth their bytes.
///
/// What new buyers get is kept, and what reviewers may still let them get. Anything else is
/// kept for those who go on with a download, as long as somebody does.
package struct ContentRetentionPolicy: Sendable, Hashable {
    /// The least that is kept, seconds: a permission is good for an hour, and noted once an
    /// hour.
    package static let shortest: TimeInterval = 2 * 3600

    /// How long a version is kept after its last use, seconds.
    package let time: TimeInterval
    /// How long bytes are kept that belong to nothing, seconds: somebody may be making a
    /// version of them.
    package let unreferencedGracePeriod: TimeInterval

    package init(days: Int, unreferencedGracePeriod: TimeInterval = 86_400) {
        self.time = max(Self.shortest, TimeInterval(days) * 86_400)
        self.unreferencedGracePeriod = unreferencedGracePeriod
    }

    /// 30 days.
    package static let standard = ContentRetentionPolicy(days: 30)

    /// The versions of a product that can be given up.
    package func retirable(
        _ records: [ReleaseRecord], hostsContent: Bool, at now: Date
    ) -> [ContentRelease] {
        let kept = records.filter { !$0.release.isRetired }
        return kept.filter { record in
            guard let since = superseded(record, by: kept, hostsContent: hostsContent) else {
                return false
            }
            let uses = [since, record.changed, record.lastPermit].compactMap { $0 }
            return uses.allSatisfy { $0.addingTimeInterval(time) <= now }
        }.map(\.release)
    }

    /// The builds of an app, or of several, whose files can be given up: nobody gets a build any
    /// more whose version was replaced, or that a version on sale has not chosen.
    package func retirable(_ builds: [DeliveredBuild], at now: Date) -> [DeliveredBuild] {
        builds.filter { one in
            let version = one.version
            let isLeft =
                version.state == .replacedWithNewVersion
                || (version.released != nil && version.build != one.build.id)
            guard isLeft else { return false }
            // When the version after it went on sale.
            let replaced = builds.filter {
                $0.version.app == version.app && $0.version.platform == version.platform
            }.compactMap(\.version.released).filter { $0 > version.released ?? .distantPast }.min()
            let uses = [
                one.delivery.created, version.released, replaced, one.delivery.lastPermit,
            ].compactMap { $0 }
            return uses.allSatisfy { $0.addingTimeInterval(time) <= now }
        }
    }

    /// Since when nobody new gets a version; nil where somebody does, or may.
    private func superseded(
        _ record: ReleaseRecord, by others: [ReleaseRecord], hostsContent: Bool
    ) -> Date? {
        guard hostsContent else { return record.changed }
        let newer = others.filter { other in
            other.release.version > record.release.version && other.release.state != .rejected
        }
        switch record.release.state {
        case .rejected: return record.changed
        case .waitingForReview, .inReview: return nil
        case .readyToSubmit: return newer.map(\.created).min()
        case .approved: return newer.filter(\.release.isApproved).map(\.changed).min()
        }
    }
}
