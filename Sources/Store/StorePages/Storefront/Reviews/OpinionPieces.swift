import Foundation
import StoreCore
import StoreModel

/// How pages show what customers think.
enum OpinionPieces {
    /// The form that the buttons for votes of all reviews belong to.
    static let votesForm = "votes"

    /// Average and histogram.
    static func summary(_ summary: RatingSummary) -> HTML {
        guard let average = summary.average else {
            return .element("p", class: "quiet", "Nobody has rated it yet.")
        }
        return .element(
            "div", class: "summary",
            [
                .element(
                    "div", class: "average",
                    [
                        .element("p", class: "large", StoreWords.average(average)),
                        .element("p", class: "count", "out of 5"),
                    ]),
                StarPiece.histogram(summary),
                .element(
                    "p", class: "count total",
                    PortalWords.count(summary.total, "rating", "ratings")),
            ])
    }

    /// One review with what the publisher answered.
    static func review(_ review: CustomerReview, isTop: Bool, votes: HTML = .nothing) -> [HTML] {
        [
            .element(
                "article", class: "review",
                [
                    .element("h3", [], [.foreign(review.title.isEmpty ? "Review" : review.title)]),
                    .element(
                        "p", class: "about",
                        [
                            StarPiece.stars(Double(review.rating)), .text(" "),
                            .element("span", class: "author", [.foreign(review.nickname)]),
                            .text(", "), PortalWords.day(review.changed),
                            review.version.map {
                                .element(
                                    "span", [], [.text(" · Version "), .foreign($0)])
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

    private static func response(_ review: CustomerReview) -> HTML {
        guard let text = review.response else { return .nothing }
        return .element(
            "div", class: "response",
            [
                .element(
                    "p", class: "about",
                    [
                        .element("strong", "Publisher’s response"),
                        review.responseDate.map { .group([.text(", "), PortalWords.day($0)]) }
                            ?? .nothing,
                    ]),
                .element("p", [.init("class", "text"), .init("dir", "auto")], text),
            ])
    }

    private static func helpful(_ review: CustomerReview) -> HTML {
        guard review.votes > 0 else { return .nothing }
        return .element(
            "p", class: "count",
            "\(review.helpfulVotes) of \(review.votes) found this helpful")
    }

    /// The buttons that say whether a review helped.
    static func votes(_ review: CustomerReview) -> HTML {
        func button(_ word: String, _ value: String) -> HTML {
            .element(
                "button",
                [
                    .init("type", "submit"), .init("form", votesForm), .init("name", "vote"),
                    .init("value", "\(review.id)-\(value)"), .init("class", "plain"),
                ],
                [
                    .text(word),
                    .element(
                        "span", class: "unseen",
                        [.text(": review by "), .foreign(review.nickname)]),
                ])
        }
        return .element(
            "p", class: "votes",
            [
                .element("span", class: "count", "Helpful?"), button("Yes", "yes"),
                button("No", "no"),
            ])
    }
}

extension ReviewOrder {
    var title: String {
        switch self {
        case .mostHelpful: "Most Helpful"
        case .mostRecent: "Most Recent"
        case .mostFavorable: "Most Favorable"
        case .mostCritical: "Most Critical"
        }
    }
}
