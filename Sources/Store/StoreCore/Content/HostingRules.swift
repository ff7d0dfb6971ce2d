import StoreModel

/// The steps that versions of hosted content take in review: what is not in the table is
/// refused. `ProductRules` says what becomes of their product.
package enum HostingRules {
    /// What the state of a version becomes.
    package static let releases: [ProductStep: [ContentState: ContentState]] = [
        .submit: [.readyToSubmit: .waitingForReview],
        .withdraw: [.waitingForReview: .readyToSubmit],
        .beginReview: [.waitingForReview: .inReview],
        .approve: [.inReview: .approved],
        // Content is decided with its binary.
        .awaitBinary: [.inReview: .inReview],
        .approveBinary: [.inReview: .approved],
        .rejectBinary: [.waitingForReview: .readyToSubmit, .inReview: .readyToSubmit],
        .reject: [.inReview: .rejected],
        // The question may be about something else: the same content may go in again.
        .askDeveloper: [.inReview: .readyToSubmit],
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
