import StoreCore
import StoreKernel
import StoreModel

/// An item as the search gives it: the fields of the App Store's search, each kind with its own.
struct ItemResult {
    let item: StorefrontItem
    let links: StorefrontLinks
    let prices: PriceTexts

    /// The result on one line.
    var bytes: [UInt8] { json.bytes }

    var json: ScriptJSON {
        switch item.kind {
        case .software, .macSoftware: software
        case .ebook: book
        case .album, .tvSeason: collection
        case .audiobook: audiobook
        case .song, .musicVideo, .movie, .shortFilm, .tvEpisode, .podcast: track
        }
    }

    // MARK: What the kinds have in common

    var details: ItemDetails { item.item.details }
    var facts: ItemFacts { details.facts }
    var title: String { item.text.title }
    var artistName: String { item.artist?.name ?? item.sellerName }
    var currency: String { item.storefront.currency }

    /// Clients add parameters of their own behind an ampersand, so there is always one before.
    var pageAddress: String { address(links.page(of: item), of: item.kind) }

    var artistAddress: String? {
        item.artist.map { address(links.page(of: $0, in: item.storefront), of: item.kind) }
    }

    var collectionAddress: String? {
        item.parent.map { parent in
            address(
                links.page(of: parent.item, title: parent.text.title, in: item.storefront),
                of: parent.item.details.kind)
        }
    }

    private func address(_ page: String, of kind: ItemKind) -> String {
        "\(page)?mt=\(kind.mediaTypeNumber)&uo=4"
    }

    var genres: [Genre] { details.genres.compactMap(Genre.numbered) }

    /// Nil for an app of before apps needed a genre.
    var primaryGenre: Genre? {
        genres.first ?? (item.kind.isApp ? nil : Genre.root(of: item.kind))
    }

    var previewAddress: String? {
        (item.media(.audioPreview) + item.media(.videoPreview)).first.map(links.media)
    }

    func artwork(_ size: Int) -> String? {
        item.artwork.map { links.artwork($0, width: size, height: size) }
    }

    func screenshots(_ kind: ItemMedia.Kind) -> ScriptJSON {
        .texts(item.media(kind).map(links.media))
    }

    /// A price as a number; what is not sold alone costs -1, as in the App Store.
    func number(_ price: Money?) -> ScriptJSON { .number(price?.resultNumber ?? "-1.00") }

    /// Stars, with five decimals at most.
    func stars(_ summary: RatingSummary) -> ScriptJSON {
        let average = ((summary.average ?? 0) * 100_000).rounded() / 100_000
        return .number(average == average.rounded() ? String(Int(average)) : String(average))
    }

    /// Numbers of genres, which are texts here.
    func addGenres(_ genres: [Genre], to fields: inout ResultFields) {
        fields.add("genreIds", .texts(genres.map { String($0.id) }))
        fields.add("genres", .texts(genres.map(\.name)))
    }

    /// What warns parents; a word for songs without a rating.
    var advisoryRating: String? {
        if let rating = facts.advisoryRating { return rating }
        switch (item.kind, details.explicitness) {
        case (.song, .explicit), (.musicVideo, .explicit), (.album, .explicit),
            (.podcast, .explicit):
            return "Explicit"
        case (.song, .cleaned), (.musicVideo, .cleaned), (.album, .cleaned), (.podcast, .cleaned):
            return "Clean"
        default: return nil
        }
    }
}

/// Whoever makes items, as the search gives them.
struct ArtistResult {
    let artist: Artist
    let storefront: Storefront
    let links: StorefrontLinks

    var json: ScriptJSON {
        let genre = artist.genre.flatMap(Genre.numbered)
        var fields = ResultFields()
        fields.add("wrapperType", text: "artist")
        fields.add("artistType", text: artist.type.rawValue)
        fields.add("artistName", text: artist.name)
        fields.add("artistLinkUrl", text: links.page(of: artist, in: storefront) + "?uo=4")
        fields.add("artistId", integer: artist.id.number)
        fields.add("amgArtistId", integer: artist.amgArtistID)
        fields.add("primaryGenreName", text: genre?.name)
        fields.add("primaryGenreId", integer: genre?.id)
        return fields.json
    }
}
