import StoreCore
import StoreModel

/// What a collection consists of: the songs of an album, the episodes of a season.
struct ItemParts {
    let parts: [StorefrontItem]
    let links: StorefrontLinks
    /// The button of a part; nothing where parts are only looked at.
    let offer: (StorefrontItem) -> HTML
    /// Whether titles lead to pages of their own.
    let leads: Bool

    var html: HTML {
        guard let first = parts.first else { return .nothing }
        let isMusic = first.kind == .song || first.kind == .musicVideo
        return .element(
            "section", [.init("class", isMusic ? "parts songs" : "parts episodes")],
            [
                .element("h2", isMusic ? "Songs" : "Episodes"),
                .element("ol", class: "tracks", parts.map { .element("li", [], track($0)) }),
            ])
    }

    private func track(_ part: StorefrontItem) -> [HTML] {
        let facts = part.item.details.facts
        let number = facts.trackNumber.map(String.init) ?? "•"
        let name = HTML.foreign(part.text.title)
        let title: HTML =
            leads
            ? .element("a", [.init("href", links.page(of: part))], [name])
            : .element("span", [], [name])
        let preview = (part.media(.audioPreview).first).map {
            ItemPreviews.sound($0, of: part, links)
        }
        return [
            .element("span", [.init("class", "number"), .init("aria-hidden", "true")], number),
            .element(
                "div", class: "words",
                [
                    .element("p", class: "name", [title, explicit(part)]),
                    part.text.shortDescription.isEmpty
                        ? .nothing
                        : .element("p", class: "by", [.foreign(part.text.shortDescription)]),
                    preview ?? .nothing,
                ]),
            facts.duration.map { .element("span", class: "time", StoreWords.duration($0)) }
                ?? .nothing,
            offer(part),
        ]
    }

    private func explicit(_ part: StorefrontItem) -> HTML {
        part.item.details.explicitness == .explicit
            ? .element(
                "abbr", [.init("class", "explicit"), .init("title", "Explicit")], "E") : .nothing
    }
}
