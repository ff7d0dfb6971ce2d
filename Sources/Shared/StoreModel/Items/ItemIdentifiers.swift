/// The number of an item of the storefront: what follows `id` in its page's address. An app's
/// item has the number of its app.
package struct ItemID: NumberIdentifier {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// The number of an artist: whoever makes items, such as a developer, an author or a band.
package struct ArtistID: NumberIdentifier {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// What kind of works an artist makes. The raw value is the search API's `artistType`.
package enum ArtistType: String, Sendable, Hashable, Codable, CaseIterable {
    case artist = "Artist"
    case movieArtist = "Movie Artist"
    case author = "Author"
    case softwareArtist = "Software Artist"
    case podcastArtist = "Podcast Artist"
    case televisionShow = "TV Show"

    /// The type of whoever makes an item of a kind.
    package init(makerOf kind: ItemKind) {
        switch kind {
        case .software, .macSoftware: self = .softwareArtist
        case .ebook, .audiobook: self = .author
        case .album, .song, .musicVideo: self = .artist
        case .movie, .shortFilm: self = .movieArtist
        case .tvEpisode, .tvSeason: self = .televisionShow
        case .podcast: self = .podcastArtist
        }
    }
}
