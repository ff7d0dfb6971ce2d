import Foundation
import StoreModel

/// What customers think of items. Reviews of the environments are apart.
package struct CustomerReviewRepository {
    let connection: any SQLConnection

    package func review(_ id: ReviewID) throws -> CustomerReview? {
        try connection.row(
            "SELECT * FROM customer_review_entry WHERE id = ?1", [.integer(id.number)], read)
    }

    package func review(of item: ItemID, by account: AccountID) throws -> CustomerReview? {
        try connection.row(
            "SELECT * FROM customer_review_entry WHERE account = ?2 AND item = ?1",
            [.integer(item.number), .integer(account.number)], read)
    }

    // MARK: What customers read

    /// Published reviews with text.
    ///
    /// - Parameter storefront: nil for all.
    package func reviews(
        of item: ItemID, in storefront: Storefront?, environment: StoreEnvironment,
        by order: ReviewOrder, offset: Int, limit: Int
    ) throws -> [CustomerReview] {
        let place: [SQLValue] = [
            .integer(item.number), .text(environment.rawValue), .integer(limit), .integer(offset),
        ]
        guard let storefront else {
            return try connection.rows(Self.statement(order), place, read)
        }
        return try connection.rows(
            Self.statementInStorefront(order), place + [.text(storefront.code)], read)
    }

    /// Each reads its index only, until it comes to the page.
    private static func statement(_ order: ReviewOrder) -> StaticString {
        switch order {
        case .mostHelpful:
            """
            SELECT * FROM customer_review_entry
            WHERE item = ?1 AND environment = ?2 AND state = 'PUBLISHED' AND has_text = 1
            ORDER BY helpfulness DESC, changed DESC, id DESC LIMIT ?3 OFFSET ?4
            """
        case .mostRecent:
            """
            SELECT * FROM customer_review_entry
            WHERE item = ?1 AND environment = ?2 AND state = 'PUBLISHED' AND has_text = 1
            ORDER BY changed DESC, id DESC LIMIT ?3 OFFSET ?4
            """
        case .mostFavorable:
            """
            SELECT * FROM customer_review_entry
            WHERE item = ?1 AND environment = ?2 AND state = 'PUBLISHED' AND has_text = 1
            ORDER BY rating DESC, changed DESC, id DESC LIMIT ?3 OFFSET ?4
            """
        case .mostCritical:
            """
            SELECT * FROM customer_review_entry
            WHERE item = ?1 AND environment = ?2 AND state = 'PUBLISHED' AND has_text = 1
            ORDER BY rating, changed DESC, id DESC LIMIT ?3 OFFSET ?4
            """
        }
    }

    private static func statementInStorefront(_ order: ReviewOrder) -> StaticString {
        switch order {
        case .mostHelpful:
            """
            SELECT * FROM customer_review_entry
            WHERE item = ?1 AND environment = ?2 AND storefront = ?5 AND state = 'PUBLISHED'
                AND has_text = 1
            ORDER BY helpfulness DESC, changed DESC, id DESC LIMIT ?3 OFFSET ?4
            """
        case .mostRecent:
            """
            SELECT * FROM customer_review_entry
            WHERE item = ?1 AND environment = ?2 AND storefront = ?5 AND state = 'PUBLISHED'
                AND has_text = 1
            ORDER BY changed DESC, id DESC LIMIT ?3 OFFSET ?4
            """
        case .mostFavorable:
            """
            SELECT * FROM customer_review_entry
            WHERE item = ?1 AND environment = ?2 AND storefront = ?5 AND state = 'PUBLISHED'
                AND has_text = 1
            ORDER BY rating DESC, changed DESC, id DESC LIMIT ?3 OFFSET ?4
            """
        case .mostCritical:
            """
            SELECT * FROM customer_review_entry
            WHERE item = ?1 AND environment = ?2 AND storefront = ?5 AND state = 'PUBLISHED'
                AND has_text = 1
            ORDER BY rating, changed DESC, id DESC LIMIT ?3 OFFSET ?4
            """
        }
    }

    /// How many `reviews` there are.
    package func count(
        of item: ItemID, in storefront: Storefront?, environment: StoreEnvironment
    ) throws -> Int {
        try connection.row(
            """
            SELECT reviews FROM review_count
            WHERE item = ?1 AND environment = ?2 AND storefront = ?3
            """,
            [
                .integer(item.number), .text(environment.rawValue),
                .text(storefront?.code ?? ""),
            ]
        ) { Int($0.integer(0)) } ?? 0
    }

    /// The stars of items, over all storefronts; rejected and held reviews don't count.
    package func summaries(
        of items: [ItemID], environment: StoreEnvironment
    ) throws -> [ItemID: RatingSummary] {
        guard !items.isEmpty else { return [:] }
        let found = try connection.rows(
            """
            SELECT one, two, three, four, five, r.item
            FROM json_each(?1) j CROSS JOIN item_rating r ON r.item = CAST(j.value AS INTEGER)
            WHERE r.environment = ?2 AND r.version = ''
            """, [.list(items.map(\.number)), .text(environment.rawValue)]
        ) { (ItemID(number: $0.integer(5)), readSummary($0)) }
        return Dictionary(found) { first, _ in first }
    }

    /// The stars of one version of an item.
    package func summary(
        of item: ItemID, version: String, environment: StoreEnvironment
    ) throws -> RatingSummary {
        try connection.row(
            """
            SELECT one, two, three, four, five FROM item_rating
            WHERE item = ?1 AND environment = ?2 AND version = ?3 AND version <> ''
            """,
            [.integer(item.number), .text(environment.rawValue), .text(version)]
        ) { readSummary($0) } ?? RatingSummary()
    }

    // MARK: Writing

    /// Whether what the account wrote on an item was rejected, and nothing of it published since:
    /// also where it was removed.
    package func wasRejected(on item: ItemID, by account: AccountID) throws -> Bool {
        try connection.row(
            "SELECT 1 FROM review_rejection WHERE account = ?2 AND item = ?1",
            [.integer(item.number), .integer(account.number)]
        ) { _ in true } ?? false
    }

    /// Adds a review; gives it its number.
    package func insert(_ review: CustomerReview) throws -> CustomerReview {
        let number = try connection.row(
            """
            INSERT INTO customer_review (item, team, environment, account, nickname, storefront,
                rating, title, body, version, state, hold_reason, response, response_date, created,
                changed)
            VALUES (?1, (SELECT team FROM item WHERE id = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
                ?11, ?12, ?13, ?14, ?15)
            RETURNING id
            """,
            [
                .integer(review.item.number), .text(review.environment.rawValue),
                .integer(review.account.number), .text(review.nickname),
                .text(review.storefront.code), .integer(review.rating), .text(review.title),
                .text(review.body), .text(review.version), .text(review.state.rawValue),
                .text(review.holdReason), .text(review.response), .date(review.responseDate),
                .date(review.created), .date(review.changed),
            ]
        ) { $0.integer(0) }
        guard let number, let added = try self.review(ReviewID(number: number)) else {
            throw SQLError(code: .other, "the review was not added")
        }
        return added
    }

    /// Changes what can be changed of a review; votes are counted by `vote`.
    package func update(_ review: CustomerReview) throws {
        try connection.run(
            """
            UPDATE customer_review SET nickname = ?2, rating = ?3, title = ?4, body = ?5,
                version = ?6, state = ?7, hold_reason = ?8, response = ?9, response_date = ?10,
                changed = ?11
            WHERE id = ?1
            """,
            [
                .integer(review.id.number), .text(review.nickname), .integer(review.rating),
                .text(review.title), .text(review.body), .text(review.version),
                .text(review.state.rawValue), .text(review.holdReason), .text(review.response),
                .date(review.responseDate), .date(review.changed),
            ])
    }

    package func delete(_ id: ReviewID) throws {
        try connection.run("DELETE FROM customer_review WHERE id = ?1", [.integer(id.number)])
    }

    /// Records whether an account finds a review helpful; its last word counts.
    package func vote(
        _ isHelpful: Bool, on id: ReviewID, by account: AccountID, at date: Date
    ) throws {
        // The same again changes nothing that others see.
        try connection.run(
            """
            INSERT INTO review_vote (review, account, helpful, date) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (review, account) DO UPDATE SET helpful = excluded.helpful,
                date = excluded.date WHERE review_vote.helpful <> excluded.helpful
            """,
            [
                .integer(id.number), .integer(account.number), .integer(isHelpful),
                .date(date),
            ])
    }

    // MARK: Reading rows

    func read(_ row: any SQLRow) throws -> CustomerReview {
        CustomerReview(
            id: ReviewID(number: row.integer(0)), item: ItemID(number: row.integer(1)),
            account: AccountID(number: row.integer(2)), nickname: row.text(3),
            storefront: try row.value(4, Storefront.named), rating: Int(row.integer(5)),
            title: row.text(6), body: row.text(7), version: row.optionalText(8),
            state: try row.value(9, CustomerReviewState.init(rawValue:)),
            holdReason: row.optionalText(10), helpfulVotes: Int(row.integer(11)),
            votes: Int(row.integer(12)), response: row.optionalText(13),
            responseDate: row.isNull(14) ? nil : row.date(14), created: row.date(15),
            changed: row.date(16),
            environment: try row.value(17, StoreEnvironment.init(rawValue:)))
    }

    private func readSummary(_ row: any SQLRow) -> RatingSummary {
        RatingSummary(counts: (0..<5).map { Int(row.integer($0)) })
    }
}
