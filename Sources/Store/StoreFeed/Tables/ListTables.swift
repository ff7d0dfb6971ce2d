import Foundation
import StoreModel

/// The short tables that the others' numbers mean something by.
struct ListTables {
    private let storefront: FeedTableFile
    private let genre: FeedTableFile
    private let artistType: FeedTableFile
    private let keyValue: FeedTableFile
    private let named: [(file: FeedTableFile, rows: [FeedNumbers.Named])]

    init(_ folder: FeedTableFolder) throws {
        storefront = try folder.file(.storefront)
        genre = try folder.file(.genre)
        artistType = try folder.file(.artistType)
        keyValue = try folder.file(.keyValue)
        named = [
            (try folder.file(.mediaType), FeedNumbers.mediaTypes),
            (try folder.file(.collectionType), FeedNumbers.collectionTypes),
            (try folder.file(.deviceType), FeedNumbers.deviceTypes),
            (try folder.file(.role), FeedNumbers.roles),
            (try folder.file(.parentalAdvisory), FeedNumbers.advisories),
            (try folder.file(.translationType), FeedNumbers.translationTypes),
        ]
    }

    var files: [FeedTableFile] {
        [storefront, genre, artistType, keyValue] + named.map(\.file)
    }

    func write(at date: Date) throws {
        for place in Storefront.all {
            try storefront.write { row in
                row.add(Int64(place.identifier))
                row.add(place.code)
                row.add(place.name)
            }
        }
        for known in Genre.all {
            try genre.write { row in
                row.add(known.id)
                row.add(known.parent)
                row.add(known.name)
            }
        }
        for type in ArtistType.allCases {
            try artistType.write { row in
                row.add(FeedNumbers.artistType(type))
                row.add(type.rawValue)
                row.add(FeedNumbers.mediaType(of: type))
            }
        }
        let values = [("format", "5"), ("made", date.formatted(.iso8601))]
        for (key, value) in values {
            try keyValue.write { row in
                row.add(key)
                row.add(value)
            }
        }
        for (file, rows) in named {
            for known in rows {
                try file.write { row in
                    row.add(known.id)
                    row.add(known.name)
                }
            }
        }
    }
}
