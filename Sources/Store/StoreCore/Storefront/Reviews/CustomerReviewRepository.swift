import Foundation
import StoreDatabase
import StoreModel

/// What customers think of items. Reviews of the environments are apart.
package struct CustomerReviewRepository {
    let connection: any SQLConnection

    package func review(_ id: ReviewID) throws -> CustomerReview? {
        try connection.find(CustomerReview.self, id)
    }

    package func review(of item: ItemID, by account: AccountID) throws -> CustomerReview? {
        try connection.first(
            CustomerReview.self, "WHERE account = \(account) AND item = \(item)")
    }

    // MARK: What customers read

    /// Published reviews with text. Each order reads its index only, until it comes to the page.
    ///
    /// - Parameter storefront: nil for all.
    package func reviews(
        of item: ItemID, in storefront: Storefront?, environment: StoreEnvironment,
        by order: ReviewOrder, offset: Int, limit: Int
    ) throws -> [CustomerReview] {
        let inStorefront: SQL? = storefront.map { "AND storefront = \($0)" }
        let first: SQL? =
            switch order {
            case .mostHelpful: "helpfulness DESC,"
            case .mostRecent: nil
            case .mostFavorable: "rating DESC,"
            case .mostCritical: "rating,"
            }
        return try connection.all(
            CustomerReview.self,
            """
            WHERE item = \(item) AND environment = \(environment) \(inStorefront)
                AND state = 'PUBLISHED' AND has_text = 1
            ORDER BY \(first) changed DESC, id DESC LIMIT \(limit) OFFSET \(offset)
            """)
    }

    /// How many `reviews` there are.
    package func count(
        of item: ItemID, in storefront: Storefront?, environment: StoreEnvironment
    ) throws -> Int {
        try connection.value(
            Int.self,
            """
            SELECT reviews FROM review_count WHERE item = \(item)
                AND environment = \(environment) AND storefront = \(storefront?.code ?? "")
            """) ?? 0
    }

    /// The stars of an item.
    private struct ItemRating: RecordPart {
        let item: ItemID
        let summary: RatingSummary

        init(_ column: borrowing RecordColumns<Self>) throws {
            item = try column("item", \.item)
            summary = try column.part(\.summary)
        }
    }

    /// The stars of items, over all storefronts; rejected and held reviews don't count.
    package func summaries(
        of items: [ItemID], environment: StoreEnvironment
    ) throws -> [ItemID: RatingSummary] {
        guard !items.isEmpty else { return [:] }
        let ids = "[\(items.map(\.description).joined(separator: ","))]"
        let found = try connection.records(
            ItemRating.self,
            """
            SELECT \(ItemRating.columns, of: "r")
            FROM json_each(\(ids)) j
                CROSS JOIN item_rating r ON r.item = CAST(j.value AS INTEGER)
            WHERE r.environment = \(environment) AND r.version = ''
            """)
        return Dictionary(found.map { ($0.item, $0.summary) }) { first, _ in first }
    }

    /// The stars of one version of an item.
    package func summary(
        of item: ItemID, version: String, environment: StoreEnvironment
    ) throws -> RatingSummary {
        try connection.records(
            RatingSummary.self,
            """
            SELECT \(RatingSummary.columns) FROM item_rating
            WHERE item = \(item) AND environment = \(environment) AND version = \(version)
                AND version <> ''
            """
        ).first ?? RatingSummary()
    }

    // MARK: Writing

    /// Whether what the account wrote on an item was rejected, and nothing of it published since:
    /// also where it was removed.
    package func wasRejected(on item: ItemID, by account: AccountID) throws -> Bool {
        try connection.exists(
            "FROM review_rejection WHERE account = \(account) AND item = \(item)")
    }

    /// Adds a review; gives it its number.
    package func insert(_ review: CustomerReview) throws -> CustomerReview {
        let team = try connection.value(
            Int64?.self, "SELECT team FROM item WHERE id = \(review.item)")
        return try connection.inserted(review, with: OtherColumn("team", team ?? nil))
    }

    /// Changes what can be changed of a review; votes are counted by `vote`.
    package func update(_ review: CustomerReview) throws { try connection.update(review) }

    package func delete(_ id: ReviewID) throws { try connection.delete(CustomerReview.self, id) }

    /// Records whether an account finds a review helpful; its last word counts.
    package func vote(
        _ isHelpful: Bool, on id: ReviewID, by account: AccountID, at date: Date
    ) throws {
        // The same again changes nothing that others see.
        try connection.run(
            """
            INSERT INTO review_vote (review, account, helpful, date)
            VALUES (\(id), \(account), \(isHelpful), \(date))
            ON CONFLICT (review, account) DO UPDATE SET helpful = excluded.helpful,
                date = excluded.date WHERE review_vote.helpful <> excluded.helpful
            """)
    }
}

extension StoreRepositories {
    package var customerReviews: CustomerReviewRepository {
        CustomerReviewRepository(connection: connection)
    }
}
