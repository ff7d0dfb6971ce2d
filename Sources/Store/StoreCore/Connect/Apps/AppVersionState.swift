import StoreDatabase

/// Where a version of an app stands between its making and its sale, spelled as in App Store
/// Connect's API.
package enum AppVersionState: String, Hashable, CaseIterable, TextColumnValue {
    case prepareForSubmission = "PREPARE_FOR_SUBMISSION"
    case waitingForReview = "WAITING_FOR_REVIEW"
    case inReview = "IN_REVIEW"
    case pendingDeveloperRelease = "PENDING_DEVELOPER_RELEASE"
    case readyForSale = "READY_FOR_SALE"
    case rejected = "REJECTED"
    case developerRejected = "DEVELOPER_REJECTED"
    case replacedWithNewVersion = "REPLACED_WITH_NEW_VERSION"
    case developerRemovedFromSale = "DEVELOPER_REMOVED_FROM_SALE"
    case removedFromSale = "REMOVED_FROM_SALE"

    /// Whether customers have never had it: of these an app has one for each platform.
    package var isAhead: Bool {
        switch self {
        case .prepareForSubmission, .waitingForReview, .inReview, .pendingDeveloperRelease,
            .rejected, .developerRejected:
            true
        case .readyForSale, .replacedWithNewVersion, .developerRemovedFromSale, .removedFromSale:
            false
        }
    }

    /// The name that people read.
    package var title: String {
        switch self {
        case .prepareForSubmission: "Prepare for Submission"
        case .waitingForReview: "Waiting for Review"
        case .inReview: "In Review"
        case .pendingDeveloperRelease: "Pending Developer Release"
        case .readyForSale: "Ready for Sale"
        case .rejected: "Rejected"
        case .developerRejected: "Developer Rejected"
        case .replacedWithNewVersion: "Replaced with New Version"
        case .developerRemovedFromSale: "Developer Removed from Sale"
        case .removedFromSale: "Removed from Sale"
        }
    }
}

/// What a version runs on.
package enum AppPlatform: String, Hashable, CaseIterable, TextColumnValue {
    case linux = "LINUX"
    case iOS = "IOS"
    case macOS = "MAC_OS"
    case tvOS = "TV_OS"
    case visionOS = "VISION_OS"

    /// The name that people read.
    package var title: String {
        switch self {
        case .linux: "Linux"
        case .iOS: "iOS"
        case .macOS: "macOS"
        case .tvOS: "tvOS"
        case .visionOS: "visionOS"
        }
    }
}

/// When an approved version goes on sale.
package enum AppReleaseType: String, Hashable, CaseIterable, TextColumnValue {
    /// When the publisher says so.
    case manual = "MANUAL"
    /// With the approval.
    case afterApproval = "AFTER_APPROVAL"
}
