import StoreCore
import StoreModel
import StoreTexts

/// What of an item can be seen and heard before one gets it.
struct ItemPreviews {
    let item: StorefrontItem
    let links: StorefrontLinks
    let texts: Texts
    /// Pixels of the style sheet that screenshots are high.
    private static let height = 460

    /// Screenshots beside one another, to be moved sideways.
    func gallery(of kind: ItemMedia.Kind, _ title: String, opens: Bool) -> HTML {
        let shots = item.media(kind)
        guard !shots.isEmpty else { return .nothing }
        return .element(
            "section", [.init("class", "gallery")],
            [
                .element("h2", title),
                .element(
                    "ul",
                    [
                        .init("tabindex", "0"),
                        .init("aria-label", texts.scrollsSideways(title: title)),
                    ],
                    shots.enumerated().map { index, shot in
                        .element("li", [], [screenshot(shot, index + 1, opens: opens)])
                    }),
            ])
    }

    private func screenshot(_ shot: ItemMedia, _ number: Int, opens: Bool) -> HTML {
        func address(_ scale: Int) -> String {
            links.artwork(shot, width: 2 * Self.height * scale, height: Self.height * scale)
        }
        var attributes: [HTML.Attribute] = [
            .init("src", address(1)), .init("srcset", "\(address(1)) 1x, \(address(2)) 2x"),
            .init("alt", texts.screenshotNumber(number: texts.number(number))),
            .init("loading", "lazy"),
            .init("decoding", "async"),
        ]
        if let width = shot.width, let height = shot.height, height > 0 {
            attributes.append(.init("width", String(width * Self.height / height)))
            attributes.append(.init("height", String(Self.height)))
        }
        let image = HTML.element("img", attributes)
        guard opens else { return image }
        return .element(
            "a", [.init("href", links.artwork(shot, width: 2048, height: 2048))], [image])
    }

    /// Players of the item's own samples; nothing where it has none.
    var players: HTML {
        let sounds = item.media(.audioPreview).map { Self.sound($0, of: item, links, texts) }
        let films = item.media(.videoPreview).map { film($0) }
        guard !sounds.isEmpty || !films.isEmpty else { return .nothing }
        return .element(
            "section", [.init("class", "preview")],
            [.element("h2", texts.preview)] + films + sounds)
    }

    static func sound(
        _ media: ItemMedia, of item: StorefrontItem, _ links: StorefrontLinks, _ texts: Texts
    ) -> HTML {
        .element(
            "audio",
            [
                .init("controls"), .init("preload", "none"), .init("src", links.media(media)),
                .init("aria-label", texts.previewOf(title: item.text.title)),
            ])
    }

    private func film(_ media: ItemMedia) -> HTML {
        var attributes: [HTML.Attribute] = [
            .init("controls"), .init("preload", "none"), .init("playsinline"),
            .init("src", links.media(media)),
            .init("aria-label", texts.previewOf(title: item.text.title)),
        ]
        if let width = media.width, let height = media.height {
            attributes += [.init("width", String(width)), .init("height", String(height))]
        }
        if let artwork = item.artwork {
            attributes.append(
                .init("poster", links.artwork(artwork, width: 1280, height: 720)))
        }
        return .element("video", attributes)
    }
}
