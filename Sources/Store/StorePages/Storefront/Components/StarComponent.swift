import StoreCore
import StoreModel
import StoreTexts

/// Stars: how good customers find an item.
enum StarComponent {
    /// An average as stars, with words for who does not see them.
    static func stars(_ value: Double, _ texts: Texts) -> HTML {
        let halves = min(10, max(0, Int(clamping: (value * 2).rounded())))
        return .element(
            "span",
            [
                .init("class", "stars s\(halves)"), .init("role", "img"),
                .init(
                    "aria-label", texts.meanOfFiveStars(mean: StorefrontFormatting.average(value))),
            ])
    }

    /// Average and count in one line; nothing where nobody has rated.
    static func line(_ summary: RatingSummary, _ texts: Texts) -> HTML {
        guard let average = summary.average else { return .nothing }
        return .element(
            "span", class: "rated",
            [
                stars(average, texts),
                .element("span", class: "count", StorefrontFormatting.count(summary.total)),
            ])
    }

    /// How many customers gave how many stars.
    static func histogram(_ summary: RatingSummary, _ texts: Texts) -> HTML {
        let total = max(1, summary.total)
        let rows = summary.counts.enumerated().reversed().map { index, count -> HTML in
            let share = "\(count * 100 / total)%"
            let bar = HTML.element(
                "svg",
                [.init("aria-hidden", "true"), .init("height", "6"), .init("width", "100%")],
                [
                    .element(
                        "rect",
                        [
                            .init("class", "ground"), .init("width", "100%"),
                            .init("height", "6"), .init("rx", "3"),
                        ]),
                    count == 0
                        ? .nothing
                        : .element(
                            "rect",
                            [
                                .init("class", "fill"), .init("width", share),
                                .init("height", "6"), .init("rx", "3"),
                            ]),
                ])
            let stars = index + 1
            return .element(
                "tr", [],
                [
                    .element(
                        "th", [.init("scope", "row")],
                        [
                            .text(String(stars)),
                            .element("span", class: "unseen", "★"),
                        ]),
                    .element("td", class: "bar", [bar]),
                    .element("td", [], [.text(String(count))]),
                ])
        }
        return .element(
            "table", class: "histogram",
            [
                .element("caption", class: "unseen", texts.ratingsByStars),
                .element("tbody", [], rows),
            ])
    }
}
