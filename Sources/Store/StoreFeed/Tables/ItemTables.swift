import Foundation
import StoreCore
import StoreModel

/// The feed `itunes`: what there is.
struct ItemTables: FeedTables {
    static let needsMedia = true
    let links: StorefrontLinks
    private let applications: ApplicationTables
    private let collections: CollectionTables
    private let videos: VideoTables
    private let artist: FeedTableFile
    private let genreArtist: FeedTableFile
    /// In full exports only: they come with the program.
    private let lists: ListTables?

    init(_ folder: FeedTableFolder) throws {
        links = folder.links
        applications = try ApplicationTables(folder)
        collections = try CollectionTables(folder)
        videos = try VideoTables(folder)
        artist = try folder.file(.artist)
        genreArtist = try folder.file(.genreArtist)
        lists = folder.mode == .full ? try ListTables(folder) : nil
    }

    var files: [FeedTableFile] {
        applications.files + collections.files + videos.files + [artist, genreArtist]
            + (lists?.files ?? [])
    }

    func writeLists(at date: Date) throws { try lists?.write(at: date) }

    func write(_ item: FeedItem) throws {
        switch FeedTableGroup(item.kind) {
        case .application: try applications.write(item)
        case .collection: try collections.write(item)
        case .song: try collections.write(song: item)
        case .video: try videos.write(item)
        }
    }

    func write(_ artist: Artist) throws {
        try self.artist.write { row in
            row.add(artist.id.number)
            row.add(artist.name)
            row.add(artist.type != .televisionShow)
            row.add(links.page(of: artist, in: .unitedStates))
            row.add(FeedNumbers.artistType(artist.type))
        }
        guard let genre = artist.genre else { return }
        try genreArtist.write { row in
            row.add(genre)
            row.add(artist.id.number)
            row.add(true)
        }
    }
}

extension FeedItem {
    /// Writes a row for each genre, and each above it; the first one is the primary one.
    func writeGenres(to file: FeedTableFile) throws {
        var seen: Set<Int> = []
        for number in details.genres {
            var genre = Genre.numbered(number)
            while let current = genre {
                if seen.insert(current.id).inserted {
                    try file.write { row in
                        row.add(current.id)
                        row.add(id.number)
                        row.add(current.id == details.genres.first)
                    }
                }
                genre = current.parent.flatMap(Genre.numbered)
            }
        }
    }

    /// Writes a row for each language beside the primary one.
    func writeTranslations(to file: FeedTableFile) throws {
        for (locale, text) in details.texts.sorted(by: { $0.key < $1.key })
        where locale != details.primaryLocale {
            try file.write { row in
                row.add(id.number)
                row.add(Self.languageCode(locale))
                row.add(false)
                row.add(1)
                row.add(text.title)
            }
        }
    }

    /// `en_US` as `en-US`: each language of an item stays one of its own.
    static func languageCode(_ locale: String) -> String {
        locale.replacing(scalar: "_", with: "-")
    }

    func viewURL(_ links: StorefrontLinks) -> String {
        links.page(of: item, title: text.title, in: storefront)
    }

    func artworkURL(_ links: StorefrontLinks, size: Int) -> String? {
        artwork.map { links.artwork($0, width: size, height: size) }
    }
}
