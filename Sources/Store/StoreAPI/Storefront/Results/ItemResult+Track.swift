import StoreCore
import StoreKernel
import StoreModel

extension ItemResult {
    /// Something that plays: a song, a music video, a film, an episode, a podcast.
    var track: ScriptJSON {
        var fields = ResultFields()
        fields.add("wrapperType", text: "track")
        // Clients know short films as films; the genre tells them apart.
        fields.add("kind", text: (item.kind == .shortFilm ? .movie : item.kind).rawValue)
        addNames(to: &fields)
        addAddresses(to: &fields)
        addTrackPrices(to: &fields)
        fields.add("releaseDate", time: details.releaseDate)
        if isPartOrPodcast {
            let whole = item.parent?.item.details ?? details
            fields.add("collectionExplicitness", text: whole.explicitness.rawValue)
        } else {
            fields.add("collectionExplicitness", text: details.explicitness.rawValue)
        }
        fields.add("trackExplicitness", text: details.explicitness.rawValue)
        fields.add("discCount", integer: facts.discCount)
        fields.add("discNumber", integer: facts.discNumber)
        fields.add(
            "trackCount", integer: item.parent?.item.details.facts.trackCount ?? facts.trackCount)
        fields.add("trackNumber", integer: facts.trackNumber)
        fields.add("trackTimeMillis", integer: facts.duration)
        fields.add("country", text: item.storefront.code)
        fields.add("currency", text: currency)
        fields.add("primaryGenreName", text: primaryGenre?.name)
        fields.add("contentAdvisoryRating", text: advisoryRating)
        addKindsOwn(to: &fields)
        return fields.json
    }

    /// Whether it has a collection: its own, or itself.
    private var isPartOrPodcast: Bool { item.parent != nil || item.kind == .podcast }

    private func addNames(to fields: inout ResultFields) {
        let collection =
            item.parent.map { ($0.item.id, $0.text.title) }
            ?? (item.kind == .podcast ? (item.id, title) : nil)
        fields.add("artistId", integer: item.artist?.id.number)
        fields.add("collectionId", integer: collection?.0.number)
        fields.add("trackId", integer: item.id.number)
        fields.add("artistName", text: artistName)
        fields.add("collectionName", text: collection?.1)
        fields.add("trackName", text: title)
        fields.add("collectionCensoredName", text: collection?.1)
        fields.add("trackCensoredName", text: title)
        if let other = item.parent?.artist, other.id != item.artist?.id {
            fields.add("collectionArtistId", integer: other.id.number)
            fields.add("collectionArtistName", text: other.name)
        }
    }

    private func addAddresses(to fields: inout ResultFields) {
        fields.add("artistViewUrl", text: artistAddress)
        fields.add(
            "collectionViewUrl", text: item.kind == .podcast ? pageAddress : collectionAddress)
        if item.kind == .podcast { fields.add("feedUrl", text: facts.feedURL) }
        fields.add("trackViewUrl", text: pageAddress)
        fields.add("previewUrl", text: previewAddress)
        for size in [30, 60, 100] { fields.add("artworkUrl\(size)", text: artwork(size)) }
        if item.kind == .podcast { fields.add("artworkUrl600", text: artwork(600)) }
    }

    /// There is one quality, so that the prices of both are the same.
    private func addTrackPrices(to fields: inout ResultFields) {
        let whole = item.parent == nil ? item.price : item.parent?.price
        fields.add("collectionPrice", number(whole))
        fields.add("trackPrice", number(item.price))
        guard item.kind != .song, item.kind != .musicVideo else { return }
        fields.add("collectionHdPrice", number(whole))
        fields.add("trackHdPrice", number(item.price))
        if let rental = item.rentalPrice, item.kind == .movie || item.kind == .shortFilm {
            fields.add("trackRentalPrice", number(rental))
            fields.add("trackHdRentalPrice", number(rental))
        }
    }

    private func addKindsOwn(to fields: inout ResultFields) {
        switch item.kind {
        case .song: fields.add("isStreamable", .flag(facts.isStreamable ?? false))
        case .movie, .shortFilm, .tvEpisode:
            if !item.text.shortDescription.isEmpty {
                fields.add("shortDescription", text: item.text.shortDescription)
            }
            fields.add("longDescription", text: item.text.description)
            if item.kind != .tvEpisode {
                fields.add("hasITunesExtras", .flag(facts.hasExtras ?? false))
            }
        case .podcast: addGenres(withRoot, to: &fields)
        default: break
        }
    }
}
