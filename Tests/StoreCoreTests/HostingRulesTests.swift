import StoreCore
import StoreModel
import Testing

/// The table of allowed steps, written down a second time as the guides tell them.
@Suite struct HostingRulesTests {
    @Test func `a version goes through review once, and comes back where nobody decided it`() {
        #expect(
            HostingRules.releases == [
                .submit: [.readyToSubmit: .waitingForReview],
                .withdraw: [.waitingForReview: .readyToSubmit],
                .beginReview: [.waitingForReview: .inReview],
                .approve: [.inReview: .approved], .reject: [.inReview: .rejected],
                .awaitBinary: [.inReview: .inReview], .approveBinary: [.inReview: .approved],
                .rejectBinary: [.waitingForReview: .readyToSubmit, .inReview: .readyToSubmit],
                .askDeveloper: [.inReview: .readyToSubmit],
            ])
    }

    /// Versions that there are, the next one, and whether it may come.
    static let successions: [(releases: [String], next: String, isAllowed: Bool)] = [
        ([], "1.0", true), (["1.0"], "1.1", true), (["1.9"], "1.10", true),
        (["1.0", "3.0", "2.0"], "3.0.1", true), (["1.0"], "1.0", false),
        (["1.0"], "1", false), (["1.10"], "1.9", false), (["1.0", "3.0"], "2.0", false),
    ]

    @Test(arguments: successions)
    func `a version is higher than all before it`(
        releases: [String], next: String, isAllowed: Bool
    ) {
        // Also than one that was rejected, or whose bytes were given up.
        for isRetired in [false, true] {
            var made: [ContentRelease] = releases.map { .made($0, isApproved: false) }
            for index in made.indices { made[index].isRetired = isRetired }
            var refusal: ContentRefusal?
            do {
                try HostingRules.checkSuccession(
                    of: ContentVersion(next)!, to: made, of: Situation.badge)
            } catch {
                refusal = error as? ContentRefusal
            }
            #expect((refusal == nil) == isAllowed)
            let sentence = refusal.map { "\($0)" } ?? ""
            #expect(isAllowed || sentence.contains("raise ContentVersion"))
        }
    }

    @Test(arguments: [("1.0.0", true), ("0.9", false)])
    func `a version that is there is told from one that is older`(next: String, isThere: Bool) {
        let version = ContentVersion(next)!
        let releases: [ContentRelease] = [.made("1.0", isApproved: true)]
        #expect(
            throws: isThere
                ? ContentRefusal.versionTaken(Situation.badge, version)
                : .versionOlder(Situation.badge, version, newest: ContentVersion("1.0")!)
        ) {
            try HostingRules.checkSuccession(of: version, to: releases, of: Situation.badge)
        }
    }
}
