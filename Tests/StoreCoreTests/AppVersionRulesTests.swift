import StoreCore
import StoreModel
import Testing

/// The table of allowed steps, written down a second time as the guides tell it.
@Suite struct AppVersionRulesTests {
    static let inPreparation: Set<AppVersionState> = [
        .prepareForSubmission, .rejected, .developerRejected,
    ]

    /// What a version becomes; nil where it may not take the step.
    static func expected(_ step: AppVersionStep, _ state: AppVersionState) -> AppVersionState? {
        let change: (from: Set<AppVersionState>, to: AppVersionState?) =
            switch step {
            case .edit, .delete: (inPreparation, nil)
            case .chooseBuild: (inPreparation, .prepareForSubmission)
            case .submit: (inPreparation, .waitingForReview)
            case .withdraw:
                ([.waitingForReview, .inReview, .pendingDeveloperRelease], .developerRejected)
            case .beginReview: ([.waitingForReview], .inReview)
            case .approve: ([.inReview], .pendingDeveloperRelease)
            case .reject: ([.inReview], .rejected)
            case .release: ([.pendingDeveloperRelease], .readyForSale)
            case .replace:
                (
                    [.readyForSale, .developerRemovedFromSale, .removedFromSale],
                    .replacedWithNewVersion
                )
            case .removeFromSale: ([.readyForSale], .developerRemovedFromSale)
            case .returnToSale: ([.developerRemovedFromSale], .readyForSale)
            case .takeDown: ([.readyForSale, .developerRemovedFromSale], .removedFromSale)
            case .reinstate: ([.removedFromSale], .readyForSale)
            }
        return change.from.contains(state) ? change.to ?? state : nil
    }

    @Test(arguments: AppVersionStep.allCases, AppVersionState.allCases)
    func `a version takes the steps of the guide, and others are refused with what would help`(
        step: AppVersionStep, state: AppVersionState
    ) throws {
        let expected = Self.expected(step, state)
        #expect(AppVersionRules.steps[step]?[state] == expected)
        do {
            let next = try AppVersionRules.state(of: "1.2", in: state, after: step)
            #expect(next == expected)
        } catch let refusal as ConnectRefusal {
            #expect(expected == nil)
            #expect(refusal.rule == "versionState")
            #expect(refusal.problem.contains(state.title))
            #expect(refusal.problem.contains(step.participle))
            let allowed = AppVersionState.allCases.filter { Self.expected(step, $0) != nil }
            #expect(allowed.allSatisfy { refusal.help.contains($0.title) })
        }
    }

    static let binaries: [(versions: [AppVersionState], binary: BinaryState)] = [
        ([], .prepareForSubmission), ([.prepareForSubmission], .prepareForSubmission),
        ([.inReview], .prepareForSubmission), ([.rejected], .rejected),
        ([.developerRejected], .developerRejected), ([.readyForSale], .readyForSale),
        ([.rejected, .readyForSale], .readyForSale),
        ([.developerRejected, .replacedWithNewVersion, .readyForSale], .readyForSale),
        ([.rejected, .removedFromSale], .rejected),
        ([.removedFromSale, .rejected], .prepareForSubmission),
        ([.pendingDeveloperRelease, .rejected], .prepareForSubmission),
    ]

    @Test(arguments: binaries)
    func `a version on sale keeps the binary's state, else the newest decides`(
        versions: [AppVersionState], binary: BinaryState
    ) {
        #expect(AppVersionRules.binaryState(of: versions) == binary)
    }

    static let numbers: [(number: String, others: [String], rule: String?)] = [
        ("1.0", [], nil), ("2", ["1.9.9"], nil), ("1.10", ["1.9"], nil),
        ("1.0.0", ["1.0"], "versionTaken"), ("1.9", ["1.10"], "versionOlder"),
        ("1.0", ["2.0", "0.9"], "versionOlder"), ("", [], "versionString"),
        ("1.0.0.0", [], "versionString"), ("1.a", [], "versionString"),
        ("1..2", [], "versionString"), ("-1", [], "versionString"), ("１", [], "versionString"),
        ("1.\u{0}", [], "versionString"), ("v1", [], "versionString"),
    ]

    @Test(arguments: numbers)
    func `numbers of versions ascend`(number: String, others: [String], rule: String?) {
        var refusal: ConnectRefusal?
        do {
            let version = try AppVersionRules.check(
                number, beside: others.compactMap { ContentVersion($0) })
            #expect(version.text == number)
        } catch {
            refusal = error as? ConnectRefusal
        }
        #expect(refusal?.rule == rule)
        #expect(refusal.map { $0.field == "versionString" } ?? true)
    }
}
