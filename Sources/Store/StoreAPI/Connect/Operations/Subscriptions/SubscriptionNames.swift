import StoreModel

extension ProductState {
    /// What App Store Connect calls the state of a subscription, which has no hosted content.
    var subscriptionName: String {
        switch self {
        case .waitingForUpload, .processingContent: ProductState.missingMetadata.rawValue
        default: rawValue
        }
    }
}

extension RevisionState {
    /// What App Store Connect calls the state of a text.
    var localizationName: String {
        switch self {
        case .prepareForSubmission, .readyForReview, .developerRejected:
            RevisionState.prepareForSubmission.rawValue
        case .waitingForReview, .inReview, .accepted: RevisionState.waitingForReview.rawValue
        case .approved, .replaced: RevisionState.approved.rawValue
        case .rejected: RevisionState.rejected.rawValue
        }
    }
}
