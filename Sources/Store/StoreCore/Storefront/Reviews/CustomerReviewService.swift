import Foundation
import StoreModel

/// Reviews as customers write and read them.
///
/// The environments are apart: what a tester writes in the sandbox is seen and counted there
/// only, so that testing a shop leaves no stars behind.
package struct CustomerReviewService: Sendable {
    let shop: Shop
    private let holding: HoldRules

    /// As many reviews as one page may have, and as many pages as can be asked for.
    package static let pageSizes = 1...200
    package static let pages = 1...1_000_000

    package init(
        database: any ShopDatabase, clock: any StoreClock,
        settings: StorefrontSettings = StorefrontSettings()
    ) {
        shop = Shop(database: database, clock: clock)
        self.holding = HoldRules(settings)
    }

    // MARK: Reading

    /// Published reviews with text, a page at a time.
    ///
    /// - Parameters:
    ///   - storefront: nil for all.
    ///   - page: from 1 on; one behind the last is empty.
    package func reviews(
        of item: ItemID, in storefront: Storefront?, by order: ReviewOrder, page: Int, size: Int,
        environment: StoreEnvironment = .production
    ) async throws -> ReviewPage {
        let size = min(max(size, Self.pageSizes.lowerBound), Self.pageSizes.upperBound)
        let page = min(max(page, Self.pages.lowerBound), Self.pages.upperBound)
        return try await shop.read { work in
            let reviews = work.customerReviews
            let offset = (page - 1) * size
            let total = try reviews.count(of: item, in: storefront, environment: environment)
            guard offset < total else { return ReviewPage(reviews: [], total: total) }
            return ReviewPage(
                reviews: try reviews.reviews(
                    of: item, in: storefront, environment: environment, by: order, offset: offset,
                    limit: size), total: total)
        }
    }

    /// What the account wrote about an item, in any state; nil for nothing.
    package func own(on item: ItemID, by account: Account) async throws -> CustomerReview? {
        try await shop.read { work in
            try work.customerReviews.review(of: item, by: account.id)
        }
    }

    /// The stars of an item, over all storefronts.
    ///
    /// - Parameter version: counts those of this version only; nil for all.
    package func summary(
        of item: ItemID, version: String? = nil, environment: StoreEnvironment = .production
    ) async throws -> RatingSummary {
        try await shop.read { work in
            let reviews = work.customerReviews
            guard let version else {
                return try reviews.summaries(of: [item], environment: environment)[item]
                    ?? RatingSummary()
            }
            return try reviews.summary(of: item, version: version, environment: environment)
        }
    }

    /// Whether the account may review an item: it got it once, or what it is a part of, or
    /// bought something in the app, or tests it.
    package func canReview(_ item: ItemID, by account: Account) async throws -> Bool {
        try await shop.read { work in
            try work.itemSales.hasBought(item, by: account.id)
        }
    }

    // MARK: Writing

    /// Writes a review, or changes the account's own.
    ///
    /// It is published at once unless a rule holds it. A published one whose texts stay as they
    /// were stays published.
    ///
    /// - Throws: `ReviewRefusal`.
    package func write(
        _ draft: ReviewDraft, on id: ItemID, by account: Account
    ) async throws -> CustomerReview {
        let draft = try draft.checked()
        let texts = [draft.nickname, draft.title, draft.body]
        let ruleReason = holding.reason(for: texts)
        return try await shop.write { work in
            guard let item = try work.items.item(id), item.state != .draft else {
                throw ReviewRefusal.itemUnknown(id)
            }
            guard try work.itemSales.hasBought(id, by: account.id),
                let account = try work.accounts.account(account.id)
            else { throw ReviewRefusal.notBought }
            let reviews = work.customerReviews
            let reason =
                try reviews.wasRejected(on: id, by: account.id)
                ? HoldRules.rejectedBefore : ruleReason
            let version = item.details.facts.version.flatMap { $0.isEmpty ? nil : $0 }
            guard var review = try reviews.review(of: id, by: account.id) else {
                let review = CustomerReview(
                    id: ReviewID(number: 0), item: id, account: account.id,
                    nickname: draft.nickname, storefront: account.storefront,
                    rating: draft.rating, title: draft.title, body: draft.body,
                    version: version, state: reason == nil ? .published : .held,
                    holdReason: reason, created: work.now, changed: work.now,
                    environment: account.environment)
                if review.environment == .production {
                    try work.items.raisePopularity(of: id, by: Self.popularity)
                }
                return try reviews.insert(review)
            }
            let isPublished =
                review.state == .published
                && texts == [review.nickname, review.title, review.body]
            review.nickname = draft.nickname
            review.rating = draft.rating
            review.title = draft.title
            review.body = draft.body
            review.version = version
            if !isPublished {
                review.state = reason == nil ? .published : .held
                review.holdReason = reason
            }
            review.changed = work.now
            try reviews.update(review)
            return review
        }
    }

    /// What a rating adds to an item's popularity.
    private static let popularity: Int64 = 1

    /// Removes the account's review of an item; nothing happens where there is none.
    package func remove(on item: ItemID, by account: Account) async throws {
        try await shop.write { work in
            let reviews = work.customerReviews
            guard let review = try reviews.review(of: item, by: account.id) else { return }
            try reviews.delete(review.id)
            if review.environment == .production {
                try work.items.raisePopularity(of: item, by: -Self.popularity)
            }
        }
    }

    /// Records whether the account finds a review helpful; its last word counts.
    ///
    /// - Throws: `ReviewRefusal`.
    package func vote(_ isHelpful: Bool, on id: ReviewID, by account: Account) async throws {
        try await shop.write { work in
            let reviews = work.customerReviews
            guard let review = try reviews.review(id), review.state == .published,
                review.environment == account.environment
            else { throw ReviewRefusal.reviewUnknown }
            guard review.account != account.id else { throw ReviewRefusal.ownReview }
            try reviews.vote(isHelpful, on: id, by: account.id, at: work.now)
        }
    }
}

/// A page of an item's reviews.
package struct ReviewPage: Sendable, Hashable {
    package let reviews: [CustomerReview]
    /// As many as there are on all pages.
    package let total: Int
}
