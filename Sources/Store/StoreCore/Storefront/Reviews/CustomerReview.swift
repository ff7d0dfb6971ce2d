import Foundation
import StoreDatabase
import StoreModel

/// The number of a customer's review.
package typealias ReviewID = ID<CustomerReview>

/// Whether others see a review.
package enum CustomerReviewState: String, Sendable, Hashable, CaseIterable, TextColumnValue {
    case published = "PUBLISHED"
    /// A rule says that somebody has to look at it first.
    case held = "HELD"
    case rejected = "REJECTED"
}

/// What a buyer thinks of an item: one each, which can be changed.
package struct CustomerReview: Sendable, Hashable {
    package let id: ReviewID
    package let item: ItemID
    package let account: AccountID
    /// The name that stands below it.
    package var nickname: String
    package let storefront: Storefront
    /// 1 to 5 stars.
    package var rating: Int
    /// Empty where the customer has only rated.
    package var title: String
    package var body: String
    /// The item's version that it is about; nil for what has none.
    package var version: String?
    package var state: CustomerReviewState
    /// Which rule holds it, for moderators; nil for none.
    package var holdReason: String?
    package var helpfulVotes = 0
    package var votes = 0
    /// What the publisher answered; nil for nothing.
    package var response: String?
    package var responseDate: Date?
    package let created: Date
    package var changed: Date
    /// The account's; in the other environment nobody sees it.
    package let environment: StoreEnvironment

    /// Whether it says anything beside the stars.
    package var hasText: Bool { !title.isEmpty || !body.isEmpty }
}

extension CustomerReview: Record {
    package static let table: StaticString = "customer_review"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        item = try column("item", \.item, .immutable)
        account = try column("account", \.account, .immutable)
        nickname = try column("nickname", \.nickname)
        storefront = try column("storefront", \.storefront, .immutable)
        rating = try column("rating", \.rating)
        title = try column("title", \.title)
        body = try column("body", \.body)
        version = try column("version", \.version)
        state = try column("state", \.state)
        holdReason = try column("hold_reason", \.holdReason)
        helpfulVotes = try column("helpful_votes", \.helpfulVotes, .immutable)
        votes = try column("votes", \.votes, .immutable)
        response = try column("response", \.response)
        responseDate = try column("response_date", \.responseDate)
        created = try column("created", \.created, .immutable)
        changed = try column("changed", \.changed)
        environment = try column("environment", \.environment, .immutable)
    }
}

/// How often an item got how many stars.
package struct RatingSummary: Sendable, Hashable {
    /// For one star to five.
    package var counts = [0, 0, 0, 0, 0]

    package var total: Int { counts.reduce(0, +) }

    /// 1 to 5; nil where nobody has rated.
    package var average: Double? {
        guard total > 0 else { return nil }
        let sum = counts.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element }
        return Double(sum) / Double(total)
    }
}

extension RatingSummary: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        counts = [
            try column("one", \.counts[0]), try column("two", \.counts[1]),
            try column("three", \.counts[2]), try column("four", \.counts[3]),
            try column("five", \.counts[4]),
        ]
    }
}

/// In which order reviews are listed.
package enum ReviewOrder: String, Sendable, Hashable, CaseIterable {
    case mostHelpful = "mosthelpful"
    case mostRecent = "mostrecent"
    case mostFavorable = "mostfavorable"
    case mostCritical = "mostcritical"
}
