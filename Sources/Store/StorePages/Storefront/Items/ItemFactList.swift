import Foundation
import StoreCore
import StoreModel
import StoreTexts

/// What is known about an item, as names and values.
struct ItemFactList {
    let item: StorefrontItem
    let frame: StorefrontFrame

    private var details: ItemDetails { item.item.details }
    private var facts: ItemFacts { item.item.details.facts }
    private var texts: Texts { frame.texts }

    var html: HTML {
        .element(
            "section", [.init("class", "information")],
            [
                .element("h2", texts.informationHeading),
                .element(
                    "dl", class: "facts",
                    rows.map { row in
                        .element("div", [], [.element("dt", row.0), .element("dd", [], row.1)])
                    }),
                links,
            ])
    }

    private var rows: [(String, [HTML])] {
        var rows: [(String, [HTML])] = []
        func add(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            rows.append((name, [.foreign(value)]))
        }
        func addList(_ name: String, _ values: [String]) {
            guard !values.isEmpty else { return }
            rows.append((name, Self.list(values)))
        }
        add(texts.sellerLabel, item.sellerName)
        add(texts.publisherLabel, facts.publisher)
        genres.map { rows.append((texts.genreLabel, $0)) }
        if let date = details.releaseDate { rows.append((texts.releasedLabel, [texts.day(date)])) }
        add(texts.versionLabel, facts.version)
        add(texts.sizeLabel, facts.fileSize.map { PortalFormatting.bytes($0) })
        add(texts.lengthLabel, facts.duration.map { StorefrontFormatting.duration($0) })
        add(
            details.kind == .tvSeason ? texts.episodesOfSeason : texts.songsOfAlbum,
            details.kind.isCollection ? facts.trackCount.map(String.init) : nil)
        addList(texts.languagesLabel, facts.languages.map { texts.name(ofLanguage: $0) })
        age.map { rows.append((texts.ageRatingLabel, $0)) }
        compatibility.map { rows.append((texts.compatibilityLabel, $0)) }
        addList(texts.featuresLabel, facts.features)
        add(texts.composerLabel, facts.composer)
        add(texts.directorLabel, facts.director)
        addList(texts.producersLabel, facts.producers)
        addList(texts.castLabel, facts.actors)
        add("ISBN", details.isbn)
        add("UPC", details.upc)
        add(texts.copyrightLabel, facts.copyright)
        return rows
    }

    private var genres: [HTML]? {
        let genres = details.genres.compactMap(Genre.numbered).filter { $0.parent != nil }
        guard !genres.isEmpty else { return nil }
        return genres.enumerated().flatMap { index, genre -> [HTML] in
            let name = frame.link(GenreLink.path(genre, in: frame), [.text(genre.name)])
            return index == 0 ? [name] : [.text(", "), name]
        }
    }

    private var age: [HTML]? {
        guard let rating = facts.advisoryRating, !rating.isEmpty else { return nil }
        guard !facts.advisories.isEmpty else { return [.foreign(rating)] }
        return [
            .foreign(rating),
            .element(
                "ul", class: "advisories",
                facts.advisories.map { .element("li", [], [.foreign($0)]) }),
        ]
    }

    private var compatibility: [HTML]? {
        var pieces: [HTML] = []
        if let system = facts.minimumOS, !system.isEmpty {
            pieces.append(texts.requiresSystem(system: .foreign(system)))
        }
        if !facts.supportedDevices.isEmpty {
            if !pieces.isEmpty { pieces.append(.text(". ")) }
            pieces += Self.list(facts.supportedDevices)
        }
        return pieces.isEmpty ? nil : pieces
    }

    /// Texts of others, none of which turns the ones beside it around.
    private static func list(_ values: [String]) -> [HTML] {
        values.enumerated().flatMap { index, value -> [HTML] in
            index == 0 ? [.foreign(value)] : [.text(", "), .foreign(value)]
        }
    }

    private var links: HTML {
        let links = [
            link("seller", facts.sellerURL, texts.sellerWebsite),
            link("support", facts.supportURL, texts.supportLink),
            link("feed", details.kind == .podcast ? facts.feedURL : nil, texts.podcastFeed),
        ].filter { !$0.isNothing }
        return links.isEmpty ? .nothing : .element("p", class: "outside", links)
    }

    /// An address that the publisher gave. From a page inside of an app it is reached over the
    /// storefront's.
    private func link(_ id: String, _ address: String?, _ title: String) -> HTML {
        guard frame.app != nil else { return OuterLink.html(address, title, id: id) }
        return OuterLink.safe(address) == nil
            ? .nothing
            : frame.link(frame.links.page(of: item) + "#" + id, [.text(title)])
    }
}
