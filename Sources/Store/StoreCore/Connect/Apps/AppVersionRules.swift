import StoreModel

/// Something that happens to a version of an app.
package enum AppVersionStep: String, Sendable, Hashable, CaseIterable {
    /// Number, texts and the way of release are changed.
    case edit
    /// A build is added, or another one chosen.
    case chooseBuild
    case submit
    /// The publisher takes it out of review, or cancels the release.
    case withdraw
    case beginReview
    case approve
    case reject
    /// An approved version goes on sale.
    case release
    /// A newer version goes on sale.
    case replace
    /// The publisher takes it from sale.
    case removeFromSale
    /// The publisher puts it on sale again.
    case returnToSale
    /// The store takes it from sale.
    case takeDown
    /// The store lets it be sold again.
    case reinstate
    case delete

    /// What it is called after "can't be".
    package var participle: String {
        switch self {
        case .edit: "changed"
        case .chooseBuild: "given a build"
        case .submit: "submitted"
        case .withdraw: "withdrawn"
        case .beginReview: "reviewed"
        case .approve: "approved"
        case .reject: "rejected"
        case .release: "released"
        case .replace: "replaced"
        case .removeFromSale: "removed from sale"
        case .returnToSale: "put on sale again"
        case .takeDown: "taken down"
        case .reinstate: "reinstated"
        case .delete: "deleted"
        }
    }
}

/// The steps that a version may take: what is not in the table is refused.
package enum AppVersionRules {
    /// What a version's state becomes. A version that may be deleted keeps its state until it
    /// is gone.
    package static let steps: [AppVersionStep: [AppVersionState: AppVersionState]] = [
        .edit: [
            .prepareForSubmission: .prepareForSubmission, .rejected: .rejected,
            .developerRejected: .developerRejected,
        ],
        // Another build is what a rejection asks for: it makes a new attempt.
        .chooseBuild: [
            .prepareForSubmission: .prepareForSubmission, .rejected: .prepareForSubmission,
            .developerRejected: .prepareForSubmission,
        ],
        .submit: [
            .prepareForSubmission: .waitingForReview, .rejected: .waitingForReview,
            .developerRejected: .waitingForReview,
        ],
        .withdraw: [
            .waitingForReview: .developerRejected, .inReview: .developerRejected,
            .pendingDeveloperRelease: .developerRejected,
        ],
        .beginReview: [.waitingForReview: .inReview],
        .approve: [.inReview: .pendingDeveloperRelease],
        .reject: [.inReview: .rejected],
        .release: [.pendingDeveloperRelease: .readyForSale],
        .replace: [
            .readyForSale: .replacedWithNewVersion,
            .developerRemovedFromSale: .replacedWithNewVersion,
            .removedFromSale: .replacedWithNewVersion,
        ],
        .removeFromSale: [.readyForSale: .developerRemovedFromSale],
        .returnToSale: [.developerRemovedFromSale: .readyForSale],
        .takeDown: [
            .readyForSale: .removedFromSale, .developerRemovedFromSale: .removedFromSale,
        ],
        // What its publisher had off sale before goes back there: see `VersionInProgress`.
        .reinstate: [.removedFromSale: .readyForSale],
        .delete: [
            .prepareForSubmission: .prepareForSubmission, .rejected: .rejected,
            .developerRejected: .developerRejected,
        ],
    ]

    /// What a version's state becomes.
    ///
    /// - Throws: `ConnectRefusal` with the rule `versionState` where the step is not allowed.
    package static func state(
        of version: String, in state: AppVersionState, after step: AppVersionStep
    ) throws -> AppVersionState {
        guard let next = steps[step]?[state] else {
            let allowed = (steps[step] ?? [:]).keys.map(\.title).sorted()
            throw ConnectRefusal(
                .state, rule: "versionState", field: "appStoreState",
                "Version \(version) is in the state \(state.title) and can't be "
                    + "\(step.participle).",
                help: "That is possible in: \(allowed.joined(separator: ", ")).")
        }
        return next
    }

    /// What devices learn about an app's binary from its versions.
    ///
    /// - Parameter versions: of the app, the newest first.
    package static func binaryState(of versions: [AppVersionState]) -> BinaryState {
        if versions.contains(.readyForSale) { return .readyForSale }
        return switch versions.first {
        case .rejected: .rejected
        case .developerRejected: .developerRejected
        default: .prepareForSubmission
        }
    }

    /// Whether a version may have a number, beside the other ones of its platform.
    ///
    /// - Throws: `ConnectRefusal` with the rules `versionString`, `versionTaken` or
    ///   `versionOlder`.
    package static func check(
        _ text: String, beside others: [ContentVersion]
    ) throws -> ContentVersion {
        let field = "versionString"
        guard let version = ContentVersion(text),
            text.split(scalar: ".", omittingEmptySubsequences: false).count <= 3
        else {
            throw ConnectRefusal(
                .invalid, rule: "versionString", field: field,
                "\(quoted(text)) is not a version.",
                help: "A version is one to three whole numbers with periods between them, for "
                    + "example 1.2.")
        }
        if others.contains(version) {
            throw ConnectRefusal(
                .taken, rule: "versionTaken", field: field,
                "There is a version \(text) already.", help: "Give this one a higher number.")
        }
        if let newest = others.max(), newest > version {
            throw ConnectRefusal(
                .invalid, rule: "versionOlder", field: field,
                "Version \(text) is lower than \(newest).",
                help: "Versions ascend: give it a number higher than \(newest).")
        }
        return version
    }
}
