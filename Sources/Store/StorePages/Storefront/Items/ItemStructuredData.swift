import Foundation
import StoreCore
import StoreKernel
import StoreModel

/// An item in the words of schema.org: what its page says to programs, in JSON within a script element.
struct ItemStructuredData {
    let page: ItemPage

    /// A member of an object; left out where there is no value.
    private struct Member {
        let name: String
        let value: ScriptJSON?

        init(_ name: String, _ value: ScriptJSON?) {
            self.name = name
            self.value = value
        }

        init(_ name: String, _ text: String?) {
            self.init(name, text.flatMap { $0.isEmpty ? nil : .text($0) })
        }
    }

    private static func object(_ members: [Member]) -> ScriptJSON {
        .object(members.compactMap { member in member.value.map { (member.name, $0) } })
    }

    private var item: StorefrontItem { page.item }
    private var details: ItemDetails { page.item.item.details }
    private var facts: ItemFacts { page.item.item.details.facts }
    private var links: StorefrontLinks { page.frame.outerLinks }

    var data: ScriptJSON {
        var members: [Member] = [
            Member("@context", "https://schema.org"), Member("@type", type),
            Member("name", item.text.title), Member("url", links.page(of: item)),
            Member("description", StorefrontMetadata.summary(item.text.description)),
            Member(
                "image", item.artwork.map { links.artwork($0, width: 1200, height: 1200) }),
            Member("datePublished", details.releaseDate.map(Self.day)),
            Member("contentRating", facts.advisoryRating),
            Member("genre", genres), Member("offers", offer),
            Member("aggregateRating", rating),
            Member(
                "isFamilyFriendly",
                details.explicitness == .explicit ? "https://schema.org/False" : nil),
            Member("copyrightNotice", facts.copyright),
        ]
        members += kindMembers
        members.append(Member("review", reviews))
        return Self.object(members)
    }

    private var type: String {
        switch item.kind {
        case .software, .macSoftware: "SoftwareApplication"
        case .ebook: "Book"
        case .album: "MusicAlbum"
        case .song: "MusicRecording"
        case .musicVideo: "MusicVideoObject"
        case .movie, .shortFilm: "Movie"
        case .tvEpisode: "TVEpisode"
        case .tvSeason: "TVSeason"
        case .podcast: "PodcastSeries"
        case .audiobook: "Audiobook"
        }
    }

    private var kindMembers: [Member] {
        switch item.kind {
        case .software, .macSoftware:
            [
                Member("applicationCategory", applicationCategory),
                Member(
                    "operatingSystem", facts.minimumOS.map { "Requires \($0) or later" } ?? "All"),
                Member("softwareVersion", facts.version),
                Member("fileSize", facts.fileSize.map { PortalFormatting.bytes($0) }),
                Member("author", maker("Organization")),
                Member("screenshot", screenshots), Member("inLanguage", languages),
            ]
        case .ebook:
            [
                Member("author", maker("Person")), Member("isbn", details.isbn),
                Member("bookFormat", "https://schema.org/EBook"),
                Member("publisher", organization(facts.publisher)),
                Member("inLanguage", languages),
            ]
        case .audiobook:
            [
                Member("author", maker("Person")), Member("duration", duration),
                Member("bookFormat", "https://schema.org/AudiobookFormat"),
                Member("publisher", organization(facts.publisher)),
            ]
        case .album:
            [
                Member("byArtist", maker("MusicGroup")),
                Member("numTracks", .integer(facts.trackCount ?? page.content.parts.count)),
                Member("track", parts("MusicRecording")),
            ]
        case .song:
            [
                Member("byArtist", maker("MusicGroup")), Member("duration", duration),
                Member("inAlbum", whole("MusicAlbum")),
            ]
        case .musicVideo:
            [Member("creator", maker("MusicGroup")), Member("duration", duration)]
        case .movie, .shortFilm:
            [
                Member("director", person(facts.director)), Member("duration", duration),
                Member("actor", people(facts.actors)),
                Member("productionCompany", organization(facts.publisher)),
            ]
        case .tvSeason:
            [
                Member("partOfSeries", maker("TVSeries")),
                Member("numberOfEpisodes", .integer(facts.trackCount ?? page.content.parts.count)),
                Member("episode", parts("TVEpisode")),
            ]
        case .tvEpisode:
            [
                Member("partOfSeries", maker("TVSeries")), Member("duration", duration),
                Member("partOfSeason", whole("TVSeason")),
                Member("episodeNumber", facts.trackNumber.map { .integer($0) }),
            ]
        case .podcast:
            [
                Member("author", maker("Person")),
                Member("webFeed", OuterLink.safe(facts.feedURL)),
            ]
        }
    }

    private var offer: ScriptJSON? {
        guard let price = item.price, item.obstacle == nil else { return nil }
        return Self.object([
            Member("@type", "Offer"), Member("price", "\(price.decimal)"),
            Member("priceCurrency", price.currency),
            Member("availability", "https://schema.org/InStock"),
            Member("url", links.page(of: item)),
            Member("seller", organization(item.sellerName)),
        ])
    }

    private var rating: ScriptJSON? {
        guard let average = item.rating.average else { return nil }
        return Self.object([
            Member("@type", "AggregateRating"),
            Member("ratingValue", StorefrontFormatting.average(average)),
            Member("ratingCount", .integer(item.rating.total)), Member("bestRating", .integer(5)),
            Member("worstRating", .integer(1)),
        ])
    }

    private var reviews: ScriptJSON? {
        guard !page.reviews.isEmpty else { return nil }
        return .list(
            page.reviews.prefix(3).map { review in
                Self.object([
                    Member("@type", "Review"), Member("name", review.title),
                    Member("reviewBody", review.body),
                    Member("datePublished", Self.day(review.changed)),
                    Member("author", person(review.nickname)),
                    Member(
                        "reviewRating",
                        Self.object([
                            Member("@type", "Rating"),
                            Member("ratingValue", .integer(review.rating)),
                            Member("bestRating", .integer(5)),
                        ])),
                ])
            })
    }

    private var genres: ScriptJSON? {
        texts(details.genres.compactMap(Genre.numbered).map(\.name))
    }

    private var languages: ScriptJSON? { texts(facts.languages.map { $0.lowercased() }) }

    private var screenshots: ScriptJSON? {
        texts(item.media(.screenshot).map { links.artwork($0, width: 1200, height: 1200) })
    }

    private var duration: String? { facts.duration.map(StorefrontFormatting.isoDuration) }

    private var applicationCategory: String {
        let primary = details.genres.first.flatMap(Genre.numbered)
        let isGame = primary?.id == 6014 || primary?.parent == 6014 || primary?.id == 12006
        return isGame ? "GameApplication" : "\(primary?.name ?? "Other")Application"
    }

    private func maker(_ type: String) -> ScriptJSON? {
        item.artist.map { artist in
            Self.object([
                Member("@type", type), Member("name", artist.name),
                Member("url", links.page(of: artist, in: item.storefront)),
            ])
        }
    }

    private func whole(_ type: String) -> ScriptJSON? {
        item.parent.map { parent in
            Self.object([
                Member("@type", type), Member("name", parent.text.title),
                Member(
                    "url",
                    links.page(of: parent.item, title: parent.text.title, in: item.storefront)),
            ])
        }
    }

    private func parts(_ type: String) -> ScriptJSON? {
        guard !page.content.parts.isEmpty else { return nil }
        return .list(
            page.content.parts.map { part in
                Self.object([
                    Member("@type", type), Member("name", part.text.title),
                    Member("url", links.page(of: part)),
                    Member(
                        "duration",
                        part.item.details.facts.duration.map(StorefrontFormatting.isoDuration)),
                ])
            })
    }

    private func person(_ name: String?) -> ScriptJSON? { named("Person", name) }

    private func organization(_ name: String?) -> ScriptJSON? { named("Organization", name) }

    private func people(_ names: [String]) -> ScriptJSON? {
        names.isEmpty ? nil : .list(names.compactMap(person))
    }

    private func named(_ type: String, _ name: String?) -> ScriptJSON? {
        guard let name, !name.isEmpty else { return nil }
        return Self.object([Member("@type", type), Member("name", name)])
    }

    private func texts(_ texts: [String]) -> ScriptJSON? {
        texts.isEmpty ? nil : .texts(texts)
    }

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}
