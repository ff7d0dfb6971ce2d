import StoreCore
import StoreTexts

/// The fields of a review.
struct ReviewForm {
    let draft: ReviewDraft
    /// What the customer wrote before; nil for nothing.
    let own: CustomerReview?
    let token: String
    let texts: Texts

    var html: HTML {
        PageForm.form(
            token: token,
            [
                state, stars,
                PageForm.field(
                    "title", label: texts.reviewTitleField,
                    [
                        .init("type", "text"), .init("value", draft.title),
                        .init("maxlength", String(ReviewDraft.titleLength)),
                        .init("autocomplete", "off"),
                    ]),
                .element(
                    "div", class: "field",
                    [
                        .element("label", [.init("for", "body")], texts.reviewBodyField),
                        .element(
                            "textarea",
                            [
                                .init("id", "body"), .init("name", "body"), .init("rows", "6"),
                                .init("maxlength", String(ReviewDraft.bodyLength)),
                            ], draft.body),
                    ]),
                PageForm.field(
                    "nickname", label: texts.nicknameField,
                    hint: texts.nicknameHint,
                    [
                        .init("type", "text"), .init("value", draft.nickname),
                        .init("maxlength", String(ReviewDraft.nicknameLength)),
                        .init("autocomplete", "nickname"),
                    ]),
                .element(
                    "div", class: "actions",
                    [
                        OfferPages.button(texts.saveReview, "save", "primary"),
                        own == nil
                            ? .nothing
                            : .element(
                                "button",
                                [
                                    .init("type", "submit"), .init("name", PageForm.answerField),
                                    .init("value", "remove"), .init("class", "plain danger"),
                                    .init("formnovalidate"),
                                ], texts.removeOwnReview),
                    ]),
            ])
    }

    private var state: HTML {
        guard let own else { return .nothing }
        let sentence = texts.sentence(of: own.state)
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
                        "span", class: "unseen", texts.meanOfFiveStars(mean: texts.number(number))),
                ])
        }
        return .element(
            "fieldset", class: "rate", [.element("legend", texts.ratingLabel)] + choices)
    }
}
