import StoreModel

/// Something that happens to hosted content, and to the product that it belongs to.
package enum HostingStep: String, Sendable, Hashable, CaseIterable {
    /// The publisher has the store host the product's content.
    case host
    /// The publisher takes that back.
    case unhost
    /// A package was uploaded, and is being processed.
    case receive
    /// The package became a version that testers get.
    case prepare
    case submit
    case beginReview
    case approve
    case reject

    /// What it is called after "can't be".
    var participle: String {
        switch self {
        case .host: "hosted"
        case .unhost: "taken out of hosting"
        case .receive: "given new content"
        case .prepare: "made ready"
        case .submit: "submitted"
        case .beginReview: "reviewed"
        case .approve: "approved"
        case .reject: "rejected"
        }
    }
}

/// The steps that hosted content may take: what is not in these tables is refused.
///
/// A product that was approved stays so while a newer version of its content is processed
/// and reviewed; only the version has a state of its own then.
package enum HostingRules {
    /// Products that stay as they are, whatever becomes of newer content.
    private static let settled: [ProductState: ProductState] = [
        .approved: .approved, .developerRemovedFromSale: .developerRemovedFromSale,
        .removedFromSale: .removedFromSale,
    ]

    /// What a product's state becomes.
    package static let products: [HostingStep: [ProductState: ProductState]] = [
        .host: [
            .missingMetadata: .waitingForUpload, .waitingForUpload: .waitingForUpload,
            .readyToSubmit: .waitingForUpload, .developerActionNeeded: .waitingForUpload,
            .rejected: .waitingForUpload,
        ],
        .unhost: [
            .missingMetadata: .readyToSubmit, .waitingForUpload: .readyToSubmit,
            .readyToSubmit: .readyToSubmit, .developerActionNeeded: .readyToSubmit,
            .rejected: .readyToSubmit,
        ],
        .receive: settled.merging([
            .missingMetadata: .processingContent, .waitingForUpload: .processingContent,
            .readyToSubmit: .processingContent, .developerActionNeeded: .processingContent,
            .rejected: .processingContent,
        ]) { $1 },
        .prepare: settled.merging([.processingContent: .readyToSubmit]) { $1 },
        .submit: settled.merging([.readyToSubmit: .waitingForReview]) { $1 },
        .beginReview: settled.merging([.waitingForReview: .inReview]) { $1 },
        .approve: settled.merging([.inReview: .approved]) { $1 },
        .reject: settled.merging([.inReview: .rejected]) { $1 },
    ]

    /// What the state of a version becomes.
    package static let releases: [HostingStep: [ContentState: ContentState]] = [
        .submit: [.readyToSubmit: .waitingForReview],
        .beginReview: [.waitingForReview: .inReview],
        .approve: [.inReview: .approved],
        .reject: [.inReview: .rejected],
    ]

    /// Whether a version may follow the ones that there are, also refused and retired ones.
    ///
    /// - Throws: `ContentRefusal` with `versionTaken` or `versionOlder`.
    package static func checkSuccession(
        of version: ContentVersion, to releases: [ContentRelease], of product: ProductID
    ) throws {
        guard let newest = releases.map(\.version).max(), newest >= version else { return }
        if releases.contains(where: { $0.version == version }) {
            throw ContentRefusal.versionTaken(product, version)
        }
        throw ContentRefusal.versionOlder(product, version, newest: newest)
    }
}
