import StoreCore
import StoreModel

/// The feed `match`: by which numbers others know things.
struct MatchTables: FeedTables {
    static let needsMedia = false
    private let artist: FeedTableFile
    private let collection: FeedTableFile
    private let video: FeedTableFile

    init(_ folder: FeedTableFolder) throws {
        artist = try folder.file(.artistMatch)
        collection = try folder.file(.collectionMatch)
        video = try folder.file(.videoMatch)
    }

    var files: [FeedTableFile] { [artist, collection, video] }

    func write(_ item: FeedItem) throws {
        let details = item.details
        guard details.upc != nil || details.amgAlbumID != nil || details.amgVideoID != nil else {
            return
        }
        switch FeedTableGroup(item.kind) {
        case .collection:
            try collection.write { row in
                row.add(item.id.number)
                row.add(details.upc)
                row.addNothing()
                row.add(details.amgAlbumID)
            }
        case .video:
            try video.write { row in
                row.add(item.id.number)
                row.add(details.upc)
                row.addNothing()
                row.add(details.amgVideoID)
                row.addNothing()
            }
        case .application, .song: break
        }
    }

    func write(_ artist: Artist) throws {
        guard let number = artist.amgArtistID else { return }
        try self.artist.write { row in
            row.add(artist.id.number)
            row.add(number)
            row.addNothing()
        }
    }
}

/// Among which tables an item of a kind is.
enum FeedTableGroup: Sendable, Hashable {
    case application
    case collection
    case song
    case video

    init(_ kind: ItemKind) {
        switch kind {
        case .software, .macSoftware: self = .application
        case .album, .tvSeason, .podcast, .audiobook, .ebook: self = .collection
        case .song: self = .song
        case .musicVideo, .movie, .shortFilm, .tvEpisode: self = .video
        }
    }
}
