import StoreCore
import StoreModel

/// What of a product's page belongs to a customer who has reviewed it, or may vote.
struct OwnReviewPiece {
    let review: CustomerReview
    let frame: StorefrontFrame

    var html: HTML {
        .element(
            "div", class: "own",
            [
                .element(
                    "p", [],
                    [
                        .text("Your review: "), StarPiece.stars(Double(review.rating)), .text(" "),
                        .text(Self.sentence(review.state)),
                    ]),
                .element(
                    "a",
                    [
                        .init("class", "button"),
                        .init("href", frame.review(of: review.item)),
                    ], "Edit Your Review"),
            ])
    }

    /// What others see of it.
    static func sentence(_ state: CustomerReviewState) -> String {
        switch state {
        case .published: ""
        case .held: "Others see it once somebody of the store has looked at it."
        case .rejected: "Others don’t see it: it does not follow the store’s rules."
        }
    }

    /// The form that the buttons for votes belong to.
    static func votesForm(_ item: ItemID, token: String, in frame: StorefrontFrame) -> HTML {
        .element(
            "form",
            [
                .init("id", OpinionPieces.votesForm), .init("method", "post"),
                .init("action", frame.vote(on: item)),
            ],
            [PageForm.hidden(PageForm.tokenField, token)])
    }
}
