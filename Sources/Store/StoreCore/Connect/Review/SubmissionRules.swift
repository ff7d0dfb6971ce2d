import StoreDatabase

/// Where a submission stands.
package enum SubmissionState: String, Hashable, CaseIterable, TextColumnValue {
    case waitingForReview = "WAITING_FOR_REVIEW"
    /// A reviewer has claimed it.
    case inReview = "IN_REVIEW"
    /// Everything in it is decided.
    case complete = "COMPLETE"
    /// All of it was taken back by its publisher before anybody looked at it.
    case withdrawn = "WITHDRAWN"

    /// Whether it is in the queue.
    package var isOpen: Bool { Self.open.contains(self) }

    static let open: [Self] = [.waitingForReview, .inReview]
}

/// Where one of the things that were submitted together stands.
package enum SubmissionItemState: String, Hashable, CaseIterable, TextColumnValue {
    case waitingForReview = "WAITING_FOR_REVIEW"
    case inReview = "IN_REVIEW"
    /// Approved, as soon as the binary beside it is.
    case accepted = "ACCEPTED"
    case approved = "APPROVED"
    case rejected = "REJECTED"
    case developerActionNeeded = "DEVELOPER_ACTION_NEEDED"
    case withdrawn = "WITHDRAWN"
    /// Undecided, because the binary beside it was rejected or taken back.
    case returned = "RETURNED"

    /// Whether a decision is still to come.
    package var isOpen: Bool { Self.open.contains(self) }

    static let open: [Self] = [.waitingForReview, .inReview, .accepted]
}

/// The steps that submissions and what is in them may take.
package enum SubmissionRules {
    /// As many products as one submission may have.
    static let largestSubmission = 200

    static let nothingChosen = ConnectRefusal(
        .invalid, rule: "submissionEmpty", field: "items", "Nothing was chosen.",
        help: "Choose products, a version of the app, or both.")

    /// A reviewer may take over what another one has claimed.
    package static let submissions: [SubmissionStep: [SubmissionState: SubmissionState]] = [
        .claim: [.waitingForReview: .inReview, .inReview: .inReview],
        .withdraw: [.waitingForReview: .withdrawn],
        .decide: [.inReview: .inReview],
        .complete: [.waitingForReview: .withdrawn, .inReview: .complete],
    ]

    /// A version of an app can be taken back while it is reviewed too; whether what the item
    /// stands for allows a step is looked at beside this.
    package static let items: [ProductStep: [SubmissionItemState: SubmissionItemState]] = [
        .withdraw: [.waitingForReview: .withdrawn, .inReview: .withdrawn],
        .beginReview: [.waitingForReview: .inReview],
        .approve: [.inReview: .approved],
        .awaitBinary: [.inReview: .accepted],
        .approveBinary: [.accepted: .approved],
        .rejectBinary: [
            .waitingForReview: .returned, .inReview: .returned, .accepted: .returned,
        ],
        .reject: [.inReview: .rejected],
        .askDeveloper: [.inReview: .developerActionNeeded],
    ]

    /// - Throws: `ConnectRefusal` with the rule `submissionState`.
    package static func state(
        after step: SubmissionStep, from state: SubmissionState
    ) throws -> SubmissionState {
        guard let next = submissions[step]?[state] else {
            throw ConnectRefusal(
                .state, rule: "submissionState", field: "state",
                "The submission is in the state \(state.rawValue) and can't be "
                    + "\(step.participle) now.",
                help: help(in: state))
        }
        return next
    }

    /// - Throws: `ConnectRefusal` with the rule `submissionItemState`.
    package static func state(
        of name: String, after step: ProductStep, from state: SubmissionItemState
    ) throws -> SubmissionItemState {
        guard let next = items[step]?[state] else {
            throw ConnectRefusal(
                .state, rule: "submissionItemState", field: "state",
                "What was submitted of \(name) is in the state \(state.rawValue) and can't be "
                    + "\(step.participle) now.",
                help: state == .waitingForReview
                    ? "Claim the submission first (openstore review claim)."
                    : "It is decided: wait for its next submission."
            )
        }
        return next
    }

    private static func help(in state: SubmissionState) -> String {
        switch state {
        case .waitingForReview:
            "Claim it first (openstore review claim), which begins its review."
        case .inReview: "Its review has begun; wait for the decision."
        case .complete: "Everything in it is decided; submit again what was rejected."
        case .withdrawn: "Its publisher has taken it back; it can be submitted again."
        }
    }
}

/// Something that happens to a submission as a whole.
package enum SubmissionStep: String, Sendable, Hashable, CaseIterable {
    /// A reviewer takes it on, which begins the review of all that is in it.
    case claim
    case withdraw
    /// Something in it is decided.
    case decide
    /// Nothing in it is left to be decided.
    case complete

    var participle: String {
        switch self {
        case .claim: "claimed"
        case .withdraw: "taken back"
        case .decide: "decided"
        case .complete: "completed"
        }
    }
}
