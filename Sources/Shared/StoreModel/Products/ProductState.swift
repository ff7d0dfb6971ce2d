/// Where a product stands between its making and its sale, spelled as in App Store
/// Connect's API.
package enum ProductState: String, Sendable, Codable, CaseIterable {
    case missingMetadata = "MISSING_METADATA"
    case waitingForUpload = "WAITING_FOR_UPLOAD"
    case processingContent = "PROCESSING_CONTENT"
    case readyToSubmit = "READY_TO_SUBMIT"
    case waitingForReview = "WAITING_FOR_REVIEW"
    case inReview = "IN_REVIEW"
    case developerActionNeeded = "DEVELOPER_ACTION_NEEDED"
    case pendingBinaryApproval = "PENDING_BINARY_APPROVAL"
    case approved = "APPROVED"
    case developerRemovedFromSale = "DEVELOPER_REMOVED_FROM_SALE"
    case removedFromSale = "REMOVED_FROM_SALE"
    case rejected = "REJECTED"

    /// Whether the publisher or the store took it out of sale.
    package var isRemovedFromSale: Bool {
        self == .developerRemovedFromSale || self == .removedFromSale
    }
}

/// The state of an app's newest binary.
package enum BinaryState: String, Sendable, Codable, CaseIterable {
    case prepareForSubmission = "PREPARE_FOR_SUBMISSION"
    case readyForSale = "READY_FOR_SALE"
    case rejected = "REJECTED"
    case developerRejected = "DEVELOPER_REJECTED"

    /// Products of an app whose binary was rejected by anyone are invalid.
    package var isRejected: Bool { self == .rejected || self == .developerRejected }
}
