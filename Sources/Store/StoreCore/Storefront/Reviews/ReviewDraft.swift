import StoreModel

/// What a customer writes about an item.
package struct ReviewDraft: Sendable, Hashable {
    /// 1 to 5 stars.
    package var rating: Int
    /// Both empty to rate only.
    package var title: String
    package var body: String
    /// What stands below it; may be empty where there is no text.
    package var nickname: String

    package static let ratings = 1...5
    package static let titleLength = 100
    package static let bodyLength = 6000
    package static let nicknameLength = 40

    package init(rating: Int, title: String = "", body: String = "", nickname: String = "") {
        self.rating = rating
        self.title = title
        self.body = body
        self.nickname = nickname
    }

    /// The draft as it is kept, without space around its texts.
    ///
    /// - Throws: `ReviewRefusal`.
    package func checked() throws(ReviewRefusal) -> ReviewDraft {
        guard Self.ratings.contains(rating) else { throw .rating(rating) }
        var draft = self
        draft.title = try Self.text(title, "title", 0...Self.titleLength)
        draft.body = try Self.text(body, "body", 0...Self.bodyLength, allowsLines: true)
        let shortest = draft.hasText ? 1 : 0
        draft.nickname = try Self.text(nickname, "nickname", shortest...Self.nicknameLength)
        return draft
    }

    /// Whether it says anything beside the stars.
    package var hasText: Bool { !title.isEmpty || !body.isEmpty }

    private static func text(
        _ text: String, _ field: String, _ range: ClosedRange<Int>, allowsLines: Bool = false
    ) throws(ReviewRefusal) -> String {
        do {
            return try ConnectText.checked(
                text, field: field, name: field, in: range, allowsLines: allowsLines,
                allowsBidirectionalControls: false)
        } catch {
            throw .text(error)
        }
    }
}

/// Why a customer's review, or a vote on one, is refused.
package enum ReviewRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case itemUnknown(ItemID)
    /// The account has never bought it.
    case notBought
    case rating(Int)
    /// A text is too long, missing, or has characters that it can't have; the refusal says
    /// which.
    case text(ConnectRefusal)
    /// There is no such review that others see.
    case reviewUnknown
    /// Nobody votes on a review of their own.
    case ownReview

    /// The rule's stable name.
    package var rule: String {
        switch self {
        case .itemUnknown: "itemUnknown"
        case .notBought: "notBought"
        case .rating: "rating"
        case .text(let refusal): refusal.rule
        case .reviewUnknown: "reviewUnknown"
        case .ownReview: "ownReview"
        }
    }

    /// The part of the draft that is wrong; nil where it is none.
    package var field: String? {
        switch self {
        case .rating: "rating"
        case .text(let refusal): refusal.field
        case .itemUnknown, .notBought, .reviewUnknown, .ownReview: nil
        }
    }

    package var description: String {
        switch self {
        case .itemUnknown(let id): "There is no item \(id) in this store."
        case .notBought:
            "Only those who got it from this store can review it. Get it first, or sign in with "
                + "the account that has it."
        case .rating(let rating): "\(rating) is no rating. Choose 1 to 5 stars."
        case .text(let refusal): refusal.description
        case .reviewUnknown: "The review is not there any more."
        case .ownReview: "You wrote this review; others say whether it helps them."
        }
    }
}
