import StoreCore

/// The fields of a review.
struct ReviewForm {
    let draft: ReviewDraft
    /// What the customer wrote before; nil for nothing.
    let own: CustomerReview?
    let token: String

    var html: HTML {
        PageForm.form(
            token: token,
            [
                state, stars,
                PageForm.field(
                    "title", label: "Title",
                    [
                        .init("type", "text"), .init("value", draft.title),
                        .init("maxlength", String(ReviewDraft.titleLength)),
                        .init("autocomplete", "off"),
                    ]),
                .element(
                    "div", class: "field",
                    [
                        .element("label", [.init("for", "body")], "Review"),
                        .element(
                            "textarea",
                            [
                                .init("id", "body"), .init("name", "body"), .init("rows", "6"),
                                .init("maxlength", String(ReviewDraft.bodyLength)),
                            ], draft.body),
                    ]),
                PageForm.field(
                    "nickname", label: "Nickname",
                    hint: "Others see it below your review. Your email address is never shown.",
                    [
                        .init("type", "text"), .init("value", draft.nickname),
                        .init("maxlength", String(ReviewDraft.nicknameLength)),
                        .init("autocomplete", "nickname"),
                    ]),
                .element(
                    "div", class: "actions",
                    [
                        OfferPages.button("Save", "save", "primary"),
                        own == nil
                            ? .nothing
                            : .element(
                                "button",
                                [
                                    .init("type", "submit"), .init("name", PageForm.answerField),
                                    .init("value", "remove"), .init("class", "plain danger"),
                                    .init("formnovalidate"),
                                ], "Remove review"),
                    ]),
            ])
    }

    private var state: HTML {
        guard let own else { return .nothing }
        let sentence = OwnReviewPiece.sentence(own.state)
        return sentence.isEmpty ? .nothing : .element("p", class: "note", sentence)
    }

    /// A choice of one to five stars, which looks like stars and works like any choice.
    private var stars: HTML {
        let choices = ReviewDraft.ratings.map { number -> HTML in
            var attributes: [HTML.Attribute] = [
                .init("type", "radio"), .init("name", "rating"), .init("value", String(number)),
                .init("required"),
            ]
            if number == draft.rating { attributes.append(.init("checked")) }
            return .element(
                "label", [],
                [
                    .element("input", attributes),
                    .element("span", [.init("class", "star"), .init("aria-hidden", "true")], "★"),
                    .element(
                        "span", class: "unseen", number == 1 ? "1 star" : "\(number) stars"),
                ])
        }
        return .element(
            "fieldset", class: "rate", [.element("legend", "Rating")] + choices)
    }
}
