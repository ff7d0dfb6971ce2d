import StoreCore
import StoreModel

/// What the feed says of apps.
struct ApplicationTables {
    private let links: StorefrontLinks
    private let application: FeedTableFile
    private let detail: FeedTableFile
    private let deviceType: FeedTableFile
    private let artist: FeedTableFile
    private let genre: FeedTableFile

    init(_ folder: FeedTableFolder) throws {
        links = folder.links
        application = try folder.file(.application)
        detail = try folder.file(.applicationDetail)
        deviceType = try folder.file(.applicationDeviceType)
        artist = try folder.file(.artistApplication)
        genre = try folder.file(.genreApplication)
    }

    var files: [FeedTableFile] { [application, detail, deviceType, artist, genre] }

    func write(_ item: FeedItem) throws {
        let text = item.text
        let facts = item.details.facts
        try application.write { row in
            row.add(item.id.number)
            row.add(text.title)
            row.add(facts.advisoryRating)
            row.add(item.artist?.name)
            row.add(item.sellerName)
            row.add(facts.sellerURL)
            row.add(facts.supportURL)
            row.add(item.viewURL(links))
            row.add(item.artworkURL(links, size: 512))
            row.add(item.artworkURL(links, size: 60))
            row.add(item.details.releaseDate)
            row.add(facts.copyright)
            row.add(text.description)
            row.add(facts.version)
            row.addNothing()
            row.add(facts.fileSize)
        }
        for (locale, text) in item.details.texts.sorted(by: { $0.key < $1.key }) {
            try write(text, locale, of: item)
        }
        for type in FeedNumbers.deviceTypes(of: facts.supportedDevices, kind: item.kind) {
            try deviceType.write { row in
                row.add(item.id.number)
                row.add(type)
            }
        }
        if let maker = item.details.artist {
            try artist.write { row in
                row.add(maker.number)
                row.add(item.id.number)
            }
        }
        try item.writeGenres(to: genre)
    }

    private func write(_ text: ItemText, _ locale: String, of item: FeedItem) throws {
        let screenshots = item.media.filter { $0.kind == .screenshot }
        let tablet = item.media.filter { $0.kind == .tabletScreenshot }
        try detail.write { row in
            row.add(item.id.number)
            row.add(FeedItem.languageCode(locale))
            row.add(text.title)
            row.add(text.description)
            row.add(text.releaseNotes)
            row.add(item.details.facts.sellerURL)
            row.add(item.details.facts.supportURL)
            for pictures in [screenshots, tablet] {
                for place in 0..<4 { row.add(address(pictures, place)) }
                for place in 0..<4 { row.add(size(pictures, place)) }
            }
        }
    }

    private func address(_ pictures: [ItemMedia], _ place: Int) -> String? {
        guard pictures.indices.contains(place), let width = pictures[place].width,
            let height = pictures[place].height
        else { return nil }
        return links.artwork(pictures[place], width: width, height: height)
    }

    private func size(_ pictures: [ItemMedia], _ place: Int) -> String? {
        guard pictures.indices.contains(place), let width = pictures[place].width,
            let height = pictures[place].height
        else { return nil }
        return "\(width)x\(height)"
    }
}
