import StoreCore
import StoreModel

/// What of a product's page belongs to a customer who has reviewed it, or may vote.
struct OwnReviewComponent {
    let review: CustomerReview
    let frame: StorefrontFrame

    var html: HTML {
        .element(
            "div", class: "own",
            [
                .element(
                    "p", [],
                    [
                        .text(frame.texts.ownReviewIs + " "),
                        StarComponent.stars(Double(review.rating), frame.texts), .text(" "),
                        .text(frame.texts.sentence(of: review.state)),
                    ]),
                .element(
                    "a",
                    [
                        .init("class", "button"),
                        .init("href", frame.review(of: review.item)),
                    ], frame.texts.editYourReview),
            ])
    }

    /// The form that the buttons for votes belong to.
    static func votesForm(_ item: ItemID, token: String, in frame: StorefrontFrame) -> HTML {
        .element(
            "form",
            [
                .init("id", OpinionComponents.votesForm), .init("method", "post"),
                .init("action", frame.vote(on: item)),
            ],
            [PageForm.hidden(PageForm.tokenField, token)])
    }
}
