import Foundation
import StoreCore
import StoreModel

/// An item in the words of schema.org.
struct ItemStructuredData {
    let page: ItemPage
    private typealias Member = StructuredData.Member

    private var item: StorefrontItem { page.item }
    private var details: ItemDetails { page.item.item.details }
    private var facts: ItemFacts { page.item.item.details.facts }
    private var links: StorefrontLinks { page.frame.outerLinks }

    var data: StructuredData {
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
        return .object(members)
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
                Member("numTracks", .whole(facts.trackCount ?? page.content.parts.count)),
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
                Member("numberOfEpisodes", .whole(facts.trackCount ?? page.content.parts.count)),
                Member("episode", parts("TVEpisode")),
            ]
        case .tvEpisode:
            [
                Member("partOfSeries", maker("TVSeries")), Member("duration", duration),
                Member("partOfSeason", whole("TVSeason")),
                Member("episodeNumber", facts.trackNumber.map { .whole($0) }),
            ]
        case .podcast:
            [
                Member("author", maker("Person")),
                Member("webFeed", OuterLink.safe(facts.feedURL)),
            ]
        }
    }

    private var offer: StructuredData? {
        guard let price = item.price, item.obstacle == nil else { return nil }
        return .object([
            Member("@type", "Offer"), Member("price", "\(price.decimal)"),
            Member("priceCurrency", price.currency),
            Member("availability", "https://schema.org/InStock"),
            Member("url", links.page(of: item)),
            Member("seller", organization(item.sellerName)),
        ])
    }

    private var rating: StructuredData? {
        guard let average = item.rating.average else { return nil }
        return .object([
            Member("@type", "AggregateRating"),
            Member("ratingValue", StorefrontFormatting.average(average)),
            Member("ratingCount", .whole(item.rating.total)), Member("bestRating", .whole(5)),
            Member("worstRating", .whole(1)),
        ])
    }

    private var reviews: StructuredData? {
        guard !page.reviews.isEmpty else { return nil }
        return .list(
            page.reviews.prefix(3).map { review in
                .object([
                    Member("@type", "Review"), Member("name", review.title),
                    Member("reviewBody", review.body),
                    Member("datePublished", Self.day(review.changed)),
                    Member("author", person(review.nickname)),
                    Member(
                        "reviewRating",
                        .object([
                            Member("@type", "Rating"), Member("ratingValue", .whole(review.rating)),
                            Member("bestRating", .whole(5)),
                        ])),
                ])
            })
    }

    private var genres: StructuredData? {
        texts(details.genres.compactMap(Genre.numbered).map(\.name))
    }

    private var languages: StructuredData? { texts(facts.languages.map { $0.lowercased() }) }

    private var screenshots: StructuredData? {
        texts(item.media(.screenshot).map { links.artwork($0, width: 1200, height: 1200) })
    }

    private var duration: String? { facts.duration.map(StorefrontFormatting.isoDuration) }

    private var applicationCategory: String {
        let primary = details.genres.first.flatMap(Genre.numbered)
        let isGame = primary?.id == 6014 || primary?.parent == 6014 || primary?.id == 12006
        return isGame ? "GameApplication" : "\(primary?.name ?? "Other")Application"
    }

    private func maker(_ type: String) -> StructuredData? {
        item.artist.map { artist in
            .object([
                Member("@type", type), Member("name", artist.name),
                Member("url", links.page(of: artist, in: item.storefront)),
            ])
        }
    }

    private func whole(_ type: String) -> StructuredData? {
        item.parent.map { parent in
            .object([
                Member("@type", type), Member("name", parent.text.title),
                Member(
                    "url",
                    links.page(of: parent.item, title: parent.text.title, in: item.storefront)),
            ])
        }
    }

    private func parts(_ type: String) -> StructuredData? {
        guard !page.content.parts.isEmpty else { return nil }
        return .list(
            page.content.parts.map { part in
                .object([
                    Member("@type", type), Member("name", part.text.title),
                    Member("url", links.page(of: part)),
                    Member(
                        "duration",
                        part.item.details.facts.duration.map(StorefrontFormatting.isoDuration)),
                ])
            })
    }

    private func person(_ name: String?) -> StructuredData? { named("Person", name) }

    private func organization(_ name: String?) -> StructuredData? { named("Organization", name) }

    private func people(_ names: [String]) -> StructuredData? {
        names.isEmpty ? nil : .list(names.compactMap(person))
    }

    private func named(_ type: String, _ name: String?) -> StructuredData? {
        guard let name, !name.isEmpty else { return nil }
        return .object([Member("@type", type), Member("name", name)])
    }

    private func texts(_ texts: [String]) -> StructuredData? {
        texts.isEmpty ? nil : .list(texts.map { .text($0) })
    }

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}
