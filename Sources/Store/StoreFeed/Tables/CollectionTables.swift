import StoreCore
import StoreModel

/// What the feed says of albums, seasons, podcasts and books, and of songs.
struct CollectionTables {
    private let links: StorefrontLinks
    private let collection: FeedTableFile
    private let translation: FeedTableFile
    private let artist: FeedTableFile
    private let genre: FeedTableFile
    private let song: FeedTableFile
    private let part: FeedTableFile
    private let songArtist: FeedTableFile

    init(_ folder: FeedTableFolder) throws {
        links = folder.links
        collection = try folder.file(.collection)
        translation = try folder.file(.collectionTranslation)
        artist = try folder.file(.artistCollection)
        genre = try folder.file(.genreCollection)
        song = try folder.file(.song)
        part = try folder.file(.collectionSong)
        songArtist = try folder.file(.artistSong)
    }

    var files: [FeedTableFile] {
        [collection, translation, artist, genre, song, part, songArtist]
    }

    func write(_ item: FeedItem) throws {
        let details = item.details
        try collection.write { row in
            row.add(item.id.number)
            row.add(item.text.title)
            row.add(item.text.subtitle)
            row.add(details.facts.keywords.joined(separator: " "))
            row.add(FeedNumbers.advisory(details.explicitness))
            row.add(item.artist?.name)
            row.add(item.viewURL(links))
            row.add(item.artworkURL(links, size: 100))
            row.add(details.releaseDate)
            row.add(details.releaseDate)
            row.add(details.facts.publisher)
            row.add(item.sellerName)
            row.add(details.facts.copyright)
            row.addNothing()
            row.add(item.kind.mediaTypeNumber)
            row.add(details.facts.isCompilation ?? false)
            row.add(FeedNumbers.collectionType(of: item.kind))
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
    }

    func write(song item: FeedItem) throws {
        let details = item.details
        let preview = item.media.first { $0.kind == .audioPreview }
        try song.write { row in
            row.add(item.id.number)
            row.add(item.text.title)
            row.add(item.text.subtitle)
            row.add(details.facts.keywords.joined(separator: " "))
            row.add(FeedNumbers.advisory(details.explicitness))
            row.add(item.artist?.name)
            row.add(item.parent.map { $0.details.text(locale: $0.details.primaryLocale).title })
            row.add(item.viewURL(links))
            row.add(details.releaseDate)
            row.add(details.releaseDate)
            row.add(details.facts.duration)
            row.add(details.facts.copyright)
            row.addNothing()
            row.add(preview.map { links.media($0) })
            row.addNothing()
        }
        if let album = item.parent { try item.writePart(of: album.id, to: part) }
        if let maker = details.artist {
            try songArtist.write { row in
                row.add(maker.number)
                row.add(item.id.number)
            }
        }
    }
}

extension FeedItem {
    /// Its place in an album or a season.
    func writePart(of collection: ItemID, to file: FeedTableFile) throws {
        try file.write { row in
            row.add(collection.number)
            row.add(id.number)
            row.add(details.facts.trackNumber)
            row.add(details.facts.discNumber)
            row.add(false)
        }
    }
}
