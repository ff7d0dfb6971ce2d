import StoreCore
import StoreModel

/// What the feed says of films, episodes and music videos.
struct VideoTables {
    private let links: StorefrontLinks
    private let video: FeedTableFile
    private let translation: FeedTableFile
    private let artist: FeedTableFile
    private let genre: FeedTableFile
    private let part: FeedTableFile

    init(_ folder: FeedTableFolder) throws {
        links = folder.links
        video = try folder.file(.video)
        translation = try folder.file(.videoTranslation)
        artist = try folder.file(.artistVideo)
        genre = try folder.file(.genreVideo)
        part = try folder.file(.collectionVideo)
    }

    var files: [FeedTableFile] { [video, translation, artist, genre, part] }

    func write(_ item: FeedItem) throws {
        let details = item.details
        let isEpisode = item.kind == .tvEpisode
        try video.write { row in
            row.add(item.id.number)
            row.add(item.text.title)
            row.add(item.text.subtitle)
            row.add(details.facts.keywords.joined(separator: " "))
            row.add(FeedNumbers.advisory(details.explicitness))
            row.add(item.artist?.name)
            row.add(item.parent.map { $0.details.text(locale: $0.details.primaryLocale).title })
            row.add(item.kind.mediaTypeNumber)
            row.add(item.viewURL(links))
            row.add(item.artworkURL(links, size: 100))
            row.add(details.releaseDate)
            row.add(details.releaseDate)
            row.add(isEpisode ? nil : details.facts.publisher)
            row.add(isEpisode ? details.facts.publisher : nil)
            row.add(item.sellerName)
            row.add(details.facts.duration)
            row.add(details.facts.copyright)
            row.addNothing()
            row.add(item.text.shortDescription)
            row.add(item.text.description)
            row.addNothing()
        }
        try item.writeTranslations(to: translation)
        if let maker = details.artist {
            try artist.write { row in
                row.add(maker.number)
                row.add(item.id.number)
                row.add(true)
                row.add(FeedNumbers.role(of: item.kind))
            }
        }
        try item.writeGenres(to: genre)
        if let collection = item.parent { try item.writePart(of: collection.id, to: part) }
    }
}
