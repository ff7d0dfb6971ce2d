import StoreCore
import StoreKernel
import StoreModel

extension ItemResult {
    /// An app. There is no `country` in it, and the size is a text.
    var software: ScriptJSON {
        var fields = ResultFields()
        fields.add("screenshotUrls", screenshots(.screenshot))
        if item.kind == .software {
            fields.add("ipadScreenshotUrls", screenshots(.tabletScreenshot))
            fields.add("appletvScreenshotUrls", .list([]))
        }
        for size in [60, 100, 512] { fields.add("artworkUrl\(size)", text: artwork(size)) }
        fields.add("artistViewUrl", text: artistAddress)
        fields.add("supportedDevices", .texts(facts.supportedDevices))
        fields.add("features", .texts(facts.features))
        fields.add("advisories", .texts(facts.advisories))
        fields.add("isGameCenterEnabled", .flag(facts.usesGameCenter ?? false))
        fields.add("kind", text: item.kind.rawValue)
        fields.add("minimumOsVersion", text: facts.minimumOS)
        fields.add("trackCensoredName", text: title)
        fields.add("languageCodesISO2A", .texts(facts.languages))
        fields.add("fileSizeBytes", text: facts.fileSize.map { String($0) })
        fields.add("sellerUrl", text: facts.sellerURL)
        fields.add(
            "formattedPrice",
            text: item.price.map { prices.text($0, locale: item.storefront.locale) })
        fields.add("contentAdvisoryRating", text: facts.advisoryRating)
        fields.add("averageUserRating", stars(item.rating))
        fields.add("averageUserRatingForCurrentVersion", stars(item.versionRating))
        fields.add("userRatingCount", integer: item.rating.total)
        fields.add("userRatingCountForCurrentVersion", integer: item.versionRating.total)
        fields.add("trackViewUrl", text: pageAddress)
        fields.add("trackContentRating", text: facts.advisoryRating)
        fields.add("bundleId", text: details.bundleID ?? item.app?.bundleID.text)
        fields.add("trackId", integer: item.id.number)
        fields.add("trackName", text: title)
        fields.add("releaseDate", time: details.releaseDate)
        fields.add("currentVersionReleaseDate", time: facts.versionDate ?? details.releaseDate)
        if !item.text.releaseNotes.isEmpty {
            fields.add("releaseNotes", text: item.text.releaseNotes)
        }
        fields.add("primaryGenreName", text: primaryGenre?.name)
        fields.add("primaryGenreId", integer: primaryGenre?.id)
        addGenres(genres, to: &fields)
        fields.add("sellerName", text: item.sellerName)
        fields.add("currency", text: currency)
        fields.add("description", text: item.text.description)
        fields.add("artistId", integer: item.artist?.id.number)
        fields.add("artistName", text: artistName)
        fields.add("price", number(item.price))
        fields.add("version", text: facts.version)
        fields.add("wrapperType", text: "software")
        fields.add("isVppDeviceBasedLicensingEnabled", .flag(facts.isVolumePurchased ?? false))
        return fields.json
    }

    /// A book. It has no `wrapperType`, and the size is a number.
    var book: ScriptJSON {
        var fields = ResultFields()
        for size in [60, 100] { fields.add("artworkUrl\(size)", text: artwork(size)) }
        fields.add("artistViewUrl", text: artistAddress)
        fields.add("trackCensoredName", text: title)
        fields.add("fileSizeBytes", integer: facts.fileSize)
        fields.add(
            "formattedPrice",
            text: item.price.map { prices.text($0, locale: item.storefront.locale) })
        fields.add("trackViewUrl", text: pageAddress)
        fields.add("trackId", integer: item.id.number)
        fields.add("trackName", text: title)
        fields.add("releaseDate", time: details.releaseDate)
        addGenres(withRoot, to: &fields)
        fields.add(
            "artistIds", .list(item.artist.map { [.integer($0.id.number)] } ?? []))
        fields.add("currency", text: currency)
        fields.add("description", text: item.text.description)
        fields.add("artistId", integer: item.artist?.id.number)
        fields.add("artistName", text: artistName)
        fields.add("price", number(item.price))
        fields.add("kind", text: item.kind.rawValue)
        if item.rating.total > 0 {
            fields.add("averageUserRating", stars(item.rating))
            fields.add("userRatingCount", integer: item.rating.total)
        }
        return fields.json
    }

    /// The genres with what they are all below, as books and podcasts have them.
    var withRoot: [Genre] {
        let root = Genre.root(of: item.kind)
        return genres.contains(root) ? genres : genres + [root]
    }
}
