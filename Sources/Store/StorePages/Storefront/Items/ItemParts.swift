import StoreCore
import StoreModel

/// What a collection consists of: the songs of an album, the episodes of a season.
struct ItemParts {
    let parts: [StorefrontItem]
    let frame: StorefrontFrame
    /// The button of a part.
    let offer: (StorefrontItem) -> HTML
    private var links: StorefrontLinks { frame.links }

    init(
        parts: [StorefrontItem], frame: StorefrontFrame,
        offer: @escaping (StorefrontItem) -> HTML
    ) {
        self.parts = parts
        self.frame = frame
        self.offer = offer
    }

    var html: HTML {
        guard let first = parts.first else { return .nothing }
        let isMusic = first.kind == .song || first.kind == .musicVideo
        return .element(
            "section", [.init("class", isMusic ? "parts songs" : "parts episodes")],
            [
                .element("h2", isMusic ? frame.texts.songsOfAlbum : frame.texts.episodesOfSeason),
                .element("ol", class: "tracks", parts.map { .element("li", [], track($0)) }),
            ])
    }

    private func track(_ part: StorefrontItem) -> [HTML] {
        let facts = part.item.details.facts
        let number = facts.trackNumber.map(String.init) ?? "•"
        let title = frame.link(links.page(of: part), [.foreign(part.text.title)])
        let preview = (part.media(.audioPreview).first).map {
            ItemPreviews.sound($0, of: part, links, frame.texts)
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
            facts.duration.map {
                .element("span", class: "time", StorefrontFormatting.duration($0))
            }
                ?? .nothing,
            offer(part),
        ]
    }

    private func explicit(_ part: StorefrontItem) -> HTML {
        part.item.details.explicitness == .explicit
            ? .element(
                "abbr", [.init("class", "explicit"), .init("title", frame.texts.explicitContent)],
                "E") : .nothing
    }
}
