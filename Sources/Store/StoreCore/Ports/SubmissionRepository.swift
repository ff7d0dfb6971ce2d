import Foundation
import StoreModel

/// What was submitted for review, and what was decided.
package protocol SubmissionRepository {
    func submission(_ id: SubmissionID) throws -> Submission?
    /// The submission that something is in.
    func submission(with item: SubmissionItemID) throws -> Submission?
    /// What nobody has decided yet, of all teams, the oldest first.
    func queue(_ page: PageRequest) throws -> ListPage<Submission>
    /// Submissions of a team, the newest first.
    ///
    /// - Parameters:
    ///   - team: whose; nil for all.
    ///   - app: of which app; nil for all.
    func submissions(
        team: Int64?, app: AppID?, states: [SubmissionState], _ page: PageRequest
    ) throws -> ListPage<Submission>
    /// Adds a submission that waits for review.
    func insert(
        _ items: [SubmissionItemDraft], of app: AppID, by submitter: ReviewParty, at date: Date
    ) throws -> SubmissionID
    func set(
        _ state: SubmissionState, claimant: ReviewParty?, of id: SubmissionID, at date: Date
    ) throws
    func set(
        _ state: SubmissionItemState, message: String?, decider: ReviewParty?,
        of id: SubmissionItemID, at date: Date
    ) throws
    /// What of a product is with the reviewers; nil where nothing is.
    func openItem(of product: ProductID, in app: AppID) throws -> SubmissionItem?
    /// The item with which a version of an app is with the reviewers.
    func openItem(of version: AppVersionID) throws -> SubmissionItem?
    /// What became of a product's submissions, the newest first.
    func items(of product: ProductID, in app: AppID, limit: Int) throws -> [SubmissionItem]
    /// The same of a version of an app.
    func items(of version: AppVersionID, limit: Int) throws -> [SubmissionItem]
    /// The product as it was submitted; nil for a version.
    func snapshot(of item: SubmissionItemID) throws -> ProductSnapshot?
    /// The product as it was approved last before an item was submitted; nil where it never
    /// was.
    func approvedSnapshot(
        of product: ProductID, in app: AppID, before item: SubmissionItemID?
    ) throws -> ProductSnapshot?
    /// Products of an app that have something to be submitted, by identifier.
    func submittable(of app: AppID, limit: Int) throws -> [SubmittableProduct]
    /// How many of the store's staff could review, other than somebody.
    func reviewers(otherThan party: ReviewParty) throws -> Int
    /// Notes that a product was taken from sale, or put back.
    func insert(_ change: SaleChange, of product: ProductID, in app: AppID, at date: Date) throws
    /// How a product came to be where it is sold, the newest change first.
    func saleChanges(of product: ProductID, in app: AppID, limit: Int) throws -> [SaleChange]
}

/// That a product was taken from sale, or put back.
package struct SaleChange: Sendable, Hashable {
    package let step: ProductStep
    package let before: ProductState
    package let after: ProductState
    /// What the store tells the publisher; empty where it is the publisher's own change.
    package let reason: String
    package let actor: ReviewParty
    package let date: Date

    package init(
        step: ProductStep, before: ProductState, after: ProductState, reason: String,
        actor: ReviewParty, date: Date
    ) {
        self.step = step
        self.before = before
        self.after = after
        self.reason = reason
        self.actor = actor
        self.date = date
    }
}

/// A product that has something to be submitted.
package struct SubmittableProduct: Sendable, Hashable {
    package let id: ProductID
    package let referenceName: String
    package let state: ProductState
    /// Whether texts are new, and whether content is; a product that was never approved goes
    /// as a whole.
    package let hasNewTexts: Bool
    package let hasNewContent: Bool

    package init(
        id: ProductID, referenceName: String, state: ProductState, hasNewTexts: Bool,
        hasNewContent: Bool
    ) {
        self.id = id
        self.referenceName = referenceName
        self.state = state
        self.hasNewTexts = hasNewTexts
        self.hasNewContent = hasNewContent
    }
}
