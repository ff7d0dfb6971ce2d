import StoreCore
import StoreModel

/// The numbers that tables of the feed name things by which have none in the store.
enum FeedNumbers {
    struct Named: Sendable, Hashable {
        let id: Int
        let name: String
    }

    /// The numbers of `mt` in links.
    static let mediaTypes: [Named] = [
        Named(id: 1, name: "Music"), Named(id: 2, name: "Podcasts"),
        Named(id: 3, name: "Audiobooks"), Named(id: 4, name: "TV Shows"),
        Named(id: 5, name: "Music Videos"), Named(id: 6, name: "Movies"),
        Named(id: 8, name: "Software"), Named(id: 11, name: "Books"),
        Named(id: 12, name: "Mac Software"),
    ]

    static let collectionTypes: [Named] = [
        Named(id: 1, name: "Album"), Named(id: 2, name: "TV Season"),
        Named(id: 3, name: "Podcast"), Named(id: 4, name: "Audiobook"),
        Named(id: 5, name: "Book"),
    ]

    static func collectionType(of kind: ItemKind) -> Int? {
        switch kind {
        case .album: 1
        case .tvSeason: 2
        case .podcast: 3
        case .audiobook: 4
        case .ebook: 5
        default: nil
        }
    }

    static let roles: [Named] = [Named(id: 1, name: "Performer"), Named(id: 2, name: "Author")]

    static func role(of kind: ItemKind) -> Int {
        kind == .ebook || kind == .audiobook ? 2 : 1
    }

    static let advisories: [Named] = [
        Named(id: 1, name: "Explicit"), Named(id: 2, name: "Cleaned"),
        Named(id: 3, name: "Not Explicit"),
    ]

    static func advisory(_ explicitness: Explicitness) -> Int {
        switch explicitness {
        case .explicit: 1
        case .cleaned: 2
        case .notExplicit: 3
        }
    }

    static let translationTypes: [Named] = [Named(id: 1, name: "Translation")]

    static let deviceTypes: [Named] = [
        Named(id: 1, name: "iPhone"), Named(id: 2, name: "iPad"), Named(id: 3, name: "iPod touch"),
        Named(id: 4, name: "Mac"), Named(id: 5, name: "Apple TV"),
        Named(id: 6, name: "Apple Watch"), Named(id: 7, name: "Other"),
    ]

    /// The kinds of devices among names such as `iPhone5s-iPhone5s`; each once, in order.
    static func deviceTypes(of devices: [String], kind: ItemKind) -> [Int] {
        if kind == .macSoftware { return [4] }
        let found = devices.map { device -> Int in
            let device = device.lowercased()
            if device.hasPrefix(scalars: "iphone") { return 1 }
            if device.hasPrefix(scalars: "ipad") { return 2 }
            if device.hasPrefix(scalars: "ipod") { return 3 }
            if device.hasPrefix(scalars: "mac") { return 4 }
            if device.hasPrefix(scalars: "apple tv") || device.hasPrefix(scalars: "appletv") {
                return 5
            }
            if device.hasPrefix(scalars: "apple watch") || device.hasPrefix(scalars: "watch") {
                return 6
            }
            return 7
        }
        return Set(found).sorted()
    }

    static func artistType(_ type: ArtistType) -> Int {
        switch type {
        case .artist: 1
        case .movieArtist: 2
        case .author: 3
        case .softwareArtist: 4
        case .podcastArtist: 5
        case .televisionShow: 6
        }
    }

    static func mediaType(of type: ArtistType) -> Int {
        switch type {
        case .artist: 1
        case .movieArtist: 6
        case .author: 11
        case .softwareArtist: 8
        case .podcastArtist: 2
        case .televisionShow: 4
        }
    }
}
