/// Where a revision of a product's texts stands between its making and its being replaced,
/// spelled as the versions of in-app purchases in App Store Connect's API.
package enum RevisionState: String, Sendable, Codable, CaseIterable {
    case prepareForSubmission = "PREPARE_FOR_SUBMISSION"
    case readyForReview = "READY_FOR_REVIEW"
    case waitingForReview = "WAITING_FOR_REVIEW"
    case inReview = "IN_REVIEW"
    /// Approved with a binary that is not on sale yet.
    case accepted = "ACCEPTED"
    case approved = "APPROVED"
    case replaced = "REPLACED_WITH_NEW_VERSION"
    case rejected = "REJECTED"
    case developerRejected = "DEVELOPER_REJECTED"

    /// Whether it is neither on sale nor history: a product has at most one such revision.
    package var isOpen: Bool { self != .approved && self != .replaced }

    /// Whether the publisher may change the texts.
    package var isEditable: Bool {
        switch self {
        case .prepareForSubmission, .readyForReview, .rejected, .developerRejected: true
        case .waitingForReview, .inReview, .accepted, .approved, .replaced: false
        }
    }
}
