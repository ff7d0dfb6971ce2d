import StoreCore
import StoreKernel
import StoreModel

extension ItemResult {
    /// An album or a season.
    var collection: ScriptJSON {
        var fields = ResultFields()
        fields.add("wrapperType", text: "collection")
        fields.add("collectionType", text: item.kind == .tvSeason ? "TV Season" : "Album")
        addCollection(to: &fields)
        if item.kind == .tvSeason {
            fields.add("collectionHdPrice", number(item.price))
            fields.add("longDescription", text: item.text.description)
        }
        return fields.json
    }

    /// A book that is read aloud: a collection with a wrapper of its own, and without a kind.
    var audiobook: ScriptJSON {
        var fields = ResultFields()
        fields.add("wrapperType", text: "audiobook")
        addCollection(to: &fields)
        fields.add("previewUrl", text: previewAddress)
        fields.add("description", text: item.text.description)
        return fields.json
    }

    private func addCollection(to fields: inout ResultFields) {
        fields.add("artistId", integer: item.artist?.id.number)
        fields.add("collectionId", integer: item.id.number)
        fields.add("amgArtistId", integer: item.artist?.amgArtistID)
        fields.add("artistName", text: artistName)
        fields.add("collectionName", text: title)
        fields.add("collectionCensoredName", text: title)
        fields.add("artistViewUrl", text: artistAddress)
        fields.add("collectionViewUrl", text: pageAddress)
        for size in [60, 100] { fields.add("artworkUrl\(size)", text: artwork(size)) }
        fields.add("collectionPrice", number(item.price))
        fields.add("collectionExplicitness", text: details.explicitness.rawValue)
        fields.add("contentAdvisoryRating", text: advisoryRating)
        fields.add("trackCount", integer: facts.trackCount)
        fields.add("copyright", text: facts.copyright)
        fields.add("country", text: item.storefront.code)
        fields.add("currency", text: currency)
        fields.add("releaseDate", time: details.releaseDate)
        fields.add("primaryGenreName", text: primaryGenre?.name)
    }
}
