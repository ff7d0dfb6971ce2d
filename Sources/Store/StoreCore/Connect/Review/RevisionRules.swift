import StoreModel

extension RevisionState {
    /// The states of a revision that is not open. SQLite uses the indexes only if a statement lists them
    /// in the schema's order, which is that of the cases.
    static let settled: [Self] = allCases.filter { !$0.isOpen }

    /// Whether reviewers have it, or have decided and wait for a binary.
    package var isWithReviewers: Bool {
        self == .waitingForReview || self == .inReview || self == .accepted
    }
}

/// The steps that revisions may take, with their products or, where these are settled, alone:
/// what is not in the table is refused.
package enum RevisionRules {
    package static let table: [ProductStep: [RevisionState: RevisionState]] = [
        .edit: [
            .prepareForSubmission: .prepareForSubmission, .readyForReview: .prepareForSubmission,
            .rejected: .prepareForSubmission, .developerRejected: .prepareForSubmission,
        ],
        .complete: [.prepareForSubmission: .readyForReview],
        .spoil: [.readyForReview: .prepareForSubmission],
        // What was taken back may go in again as it is; what was rejected may not.
        .submit: [.readyForReview: .waitingForReview, .developerRejected: .waitingForReview],
        .withdraw: [.waitingForReview: .developerRejected],
        .beginReview: [.waitingForReview: .inReview],
        .approve: [.inReview: .approved],
        .awaitBinary: [.inReview: .accepted],
        .approveBinary: [.accepted: .approved],
        .rejectBinary: [
            .waitingForReview: .readyForReview, .inReview: .readyForReview,
            .accepted: .readyForReview,
        ],
        .reject: [.inReview: .rejected],
        .askDeveloper: [.inReview: .rejected],
    ]

    /// What becomes of a revision when a newer one is approved.
    package static let superseded: [RevisionState: RevisionState] = [.approved: .replaced]

    /// What the state of a revision becomes.
    ///
    /// - Parameter name: of the product, for people.
    /// - Throws: `ConnectRefusal` with the rule `revisionState` where the step is not allowed.
    package static func state(
        of name: String, after step: ProductStep, from state: RevisionState
    ) throws -> RevisionState {
        guard let next = table[step]?[state] else {
            throw ConnectRefusal(
                .state, rule: "revisionState", field: "state",
                "The newest revision of \(name) is in the state \(state.rawValue) and can't be "
                    + "\(step.participle) now.",
                help: help(in: state))
        }
        return next
    }

    private static func help(in state: RevisionState) -> String {
        switch state {
        case .prepareForSubmission: "Add what is missing first."
        case .readyForReview: "Submit it for review first."
        case .waitingForReview: "Wait for the decision of the review, or take it back."
        case .inReview: "Wait for the decision of the review."
        case .accepted: "Wait for the decision on the app version it came with."
        case .approved, .replaced: "Change the product: that begins its next revision."
        case .rejected: "Read the reviewer's message, change the product and submit it again."
        case .developerRejected: "Submit it again, changed or as it is."
        }
    }
}
