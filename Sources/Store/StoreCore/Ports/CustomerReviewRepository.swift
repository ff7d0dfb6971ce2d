import Foundation
import StoreModel

/// What customers think of items. Reviews of the environments are apart.
package protocol CustomerReviewRepository {
    func review(_ id: ReviewID) throws -> CustomerReview?
    func review(of item: ItemID, by account: AccountID) throws -> CustomerReview?
    /// Published reviews with text.
    ///
    /// - Parameter storefront: nil for all.
    func reviews(
        of item: ItemID, in storefront: Storefront?, environment: StoreEnvironment,
        by order: ReviewOrder, offset: Int, limit: Int
    ) throws -> [CustomerReview]
    /// How many `reviews` there are.
    func count(
        of item: ItemID, in storefront: Storefront?, environment: StoreEnvironment
    ) throws -> Int
    /// For moderators (team nil) and publishers, the newest first.
    ///
    /// - Parameter environment: nil for both.
    func page(
        of team: Int64?, states: Set<CustomerReviewState>, item: ItemID?, rating: Int?,
        environment: StoreEnvironment?, _ request: PageRequest
    ) throws -> ListPage<CustomerReview>
    /// The stars of items, over all storefronts; rejected and held reviews don't count.
    func summaries(
        of items: [ItemID], environment: StoreEnvironment
    ) throws -> [ItemID: RatingSummary]
    /// The stars of one version of an item.
    func summary(
        of item: ItemID, version: String, environment: StoreEnvironment
    ) throws -> RatingSummary
    /// Whether what the account wrote on an item was rejected, and nothing of it published since:
    /// also where it was removed.
    func wasRejected(on item: ItemID, by account: AccountID) throws -> Bool
    /// Adds a review; gives it its number.
    func insert(_ review: CustomerReview) throws -> CustomerReview
    /// Changes what can be changed of a review; votes are counted by `vote`.
    func update(_ review: CustomerReview) throws
    func delete(_ id: ReviewID) throws
    /// Records whether an account finds a review helpful; its last word counts.
    func vote(_ isHelpful: Bool, on id: ReviewID, by account: AccountID, at date: Date) throws
}
