import Foundation
import StoreCore
import StoreModel
import StoreTexts

/// How pages show what customers think.
struct OpinionComponents {
    let texts: Texts

    /// The form that the buttons for votes of all reviews belong to.
    static let votesForm = "votes"

    /// Average and histogram.
    func summary(_ summary: RatingSummary) -> HTML {
        guard let average = summary.average else {
            return .element("p", class: "quiet", texts.nobodyRated)
        }
        return .element(
            "div", class: "summary",
            [
                .element(
                    "div", class: "average",
                    [
                        .element("p", class: "large", StorefrontFormatting.average(average)),
                        .element("p", class: "count", texts.outOfFive),
                    ]),
                StarComponent.histogram(summary, texts),
                .element(
                    "p", class: "count total",
                    texts.ratings(count: summary.total)),
            ])
    }

    /// One review with what the publisher answered.
    func review(_ review: CustomerReview, votes: HTML = .nothing) -> [HTML] {
        [
            .element(
                "article", class: "review",
                [
                    .element(
                        "h3", [],
                        [.foreign(review.title.isEmpty ? texts.reviewWithoutTitle : review.title)]),
                    .element(
                        "p", class: "about",
                        [
                            StarComponent.stars(Double(review.rating), texts), .text(" "),
                            .element("span", class: "author", [.foreign(review.nickname)]),
                            .text(", "), texts.day(review.changed),
                            review.version.map {
                                .element(
                                    "span", [],
                                    [.text(" · "), texts.versionAlone(version: .foreign($0))])
                            } ?? .nothing,
                        ]),
                    review.body.isEmpty
                        ? .nothing
                        : .element(
                            "p", [.init("class", "text"), .init("dir", "auto")], review.body),
                    response(review),
                    helpful(review),
                    votes,
                ])
        ]
    }

    private func response(_ review: CustomerReview) -> HTML {
        guard let text = review.response else { return .nothing }
        return .element(
            "div", class: "response",
            [
                .element(
                    "p", class: "about",
                    [
                        .element("strong", texts.publisherResponse),
                        review.responseDate.map { .group([.text(", "), texts.day($0)]) }
                            ?? .nothing,
                    ]),
                .element("p", [.init("class", "text"), .init("dir", "auto")], text),
            ])
    }

    private func helpful(_ review: CustomerReview) -> HTML {
        guard review.votes > 0 else { return .nothing }
        return .element(
            "p", class: "count",
            texts.foundHelpful(
                helpful: texts.number(review.helpfulVotes), votes: texts.number(review.votes)))
    }

    /// The buttons that say whether a review helped.
    func votes(_ review: CustomerReview) -> HTML {
        func button(_ word: String, _ value: String) -> HTML {
            .element(
                "button",
                [
                    .init("type", "submit"), .init("form", Self.votesForm), .init("name", "vote"),
                    .init("value", "\(review.id)-\(value)"), .init("class", "plain"),
                ],
                [
                    .text(word),
                    .element(
                        "span", class: "unseen",
                        [.text(": "), texts.reviewOf(name: .foreign(review.nickname))]),
                ])
        }
        return .element(
            "p", class: "votes",
            [
                .element("span", class: "count", texts.isItHelpful),
                button(texts.helpfulYes, "yes"),
                button(texts.helpfulNo, "no"),
            ])
    }
}
