import Foundation
import StoreModel

extension ListedItem {
    /// What the line is about.
    package enum Subject: Sendable, Hashable {
        case artist(ArtistType)
        case item(ItemKind)
    }

    package func subject() throws -> Subject {
        if wrapperType == "artist" || kind == "artist" {
            guard let type = ArtistType(rawValue: artistType ?? ArtistType.artist.rawValue) else {
                throw ItemRules.refusal(
                    "artistType", "artistType",
                    "\(quoted(artistType ?? "")) is not a type of artist.",
                    "Use one of: "
                        + ArtistType.allCases.map(\.rawValue).joined(separator: ", ") + ".")
            }
            return .artist(type)
        }
        if wrapperType == "collection", collectionType == nil || collectionType == "Album" {
            return .item(.album)
        }
        if wrapperType == "collection", collectionType == "TV Season" { return .item(.tvSeason) }
        if let kind, let known = ItemKind(rawValue: kind) { return .item(known) }
        switch (wrapperType, kind) {
        case (_, "book"?): return .item(.ebook)
        case ("audiobook"?, _), (_, "coached-audio"?): return .item(.audiobook)
        case ("software"?, nil): return .item(.software)
        default:
            throw ItemRules.refusal(
                "kind", "kind", "\(quoted(kind ?? wrapperType ?? "")) is no kind of item.",
                "Use one of: " + ItemKind.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        }
    }

    /// The item's number; nil where the store gives one.
    package func number(of kind: ItemKind) -> Int64? {
        switch kind {
        case .album, .tvSeason: collectionId?.value
        case .audiobook: (collectionId ?? trackId)?.value
        default: trackId?.value
        }
    }

    /// The album or season that it belongs to.
    package func parentNumber(of kind: ItemKind) -> Int64? {
        kind.parentKind == nil ? nil : collectionId?.value
    }

    package func itemState() throws -> ItemState {
        guard let state else { return .onSale }
        guard let known = ItemState(rawValue: state) else {
            throw ItemRules.refusal(
                "state", "state", "\(quoted(state)) is no state of an item.",
                "Use ON_SALE, DRAFT or REMOVED.")
        }
        return known
    }

    /// The details that the line says, not checked yet; artist and parent are the caller's.
    package func details(of kind: ItemKind) throws -> ItemDetails {
        let isCollection = Self.isCollection(kind)
        guard let title = isCollection ? collectionName ?? trackName : trackName else {
            throw ItemRules.refusal(
                "nameMissing", titleField(of: .item(kind)), "The item has no name.",
                "Give it one.")
        }
        var details = ItemDetails(
            kind: kind, title: title, genres: try genreNumbers(of: kind),
            prices: try itemPrices(isCollection ? collectionPrice ?? price : trackPrice ?? price),
            primaryLocale: locale ?? "en_US")
        details.texts = texts(title: title, locale: details.primaryLocale)
        if let rental = rentalPrices {
            details.rentalPrices = ItemPrices(own: try Self.thousandths(rental, "rentalPrices"))
        } else if let rental = trackRentalPrice, rental >= 0 {
            details.rentalPrices = try single(rental)
        }
        details.releaseDate = try Self.date(releaseDate, "releaseDate")
        details.explicitness = try explicitness(
            isCollection ? collectionExplicitness : trackExplicitness ?? collectionExplicitness)
        details.bundleID = bundleId
        details.upc = upc
        details.isbn = isbn
        details.amgAlbumID = amgAlbumId?.value
        details.amgVideoID = amgVideoId?.value
        details.facts = try facts()
        return details
    }

    /// The field that the title stands in.
    func titleField(of subject: Subject) -> String {
        guard case .item(let kind) = subject else { return "artistName" }
        return Self.isCollection(kind) && (collectionName != nil || trackName == nil)
            ? "collectionName" : "trackName"
    }

    private static func isCollection(_ kind: ItemKind) -> Bool {
        kind.isCollection || kind == .audiobook
    }

    private func texts(title: String, locale: String) -> [String: ItemText] {
        let own = ItemText(
            title: title, subtitle: subtitle ?? "",
            description: longDescription ?? description ?? "",
            shortDescription: shortDescription ?? "", releaseNotes: releaseNotes ?? "")
        var texts = (translations ?? [:]).mapValues { text in
            ItemText(
                title: text.title ?? title, subtitle: text.subtitle ?? "",
                description: text.description ?? own.description,
                shortDescription: text.shortDescription ?? "",
                releaseNotes: text.releaseNotes ?? "")
        }
        texts[locale] = own
        return texts
    }

    private func genreNumbers(of kind: ItemKind) throws -> [Int] {
        if let genreIds, !genreIds.isEmpty {
            let numbers = genreIds.compactMap { Int(exactly: $0.value) }
            let primary = primaryGenreId.flatMap { Int(exactly: $0.value) }
            // Media that the list of genres has no place for have roots that are unknown here;
            // the root of all apps, which some lists name beside the genre, says nothing.
            let known = ([primary].compactMap { $0 } + numbers).filter {
                Genre.numbered($0) != nil && (!kind.isApp || Genre.isCategory($0))
            }
            var seen: Set<Int> = []
            let unique = known.filter { seen.insert($0).inserted }
            if !unique.isEmpty { return Array(unique.prefix(ItemRules.mostGenres)) }
        }
        if let number = primaryGenreId.flatMap({ Int(exactly: $0.value) }) { return [number] }
        let names = [primaryGenreName].compactMap { $0 } + (genres ?? [])
        var numbers: [Int] = []
        for name in names {
            guard let genre = Genre.named(name, for: kind) else {
                throw ItemRules.refusal(
                    "genre", "primaryGenreName",
                    "\(quoted(name)) is no genre of \(Genre.root(of: kind).name).",
                    "Name one of its genres, or give genreIds.")
            }
            if !numbers.contains(genre.id) { numbers.append(genre.id) }
        }
        return numbers.isEmpty && !kind.isApp ? [Genre.root(of: kind).id] : numbers
    }

    private func explicitness(_ text: String?) throws -> Explicitness {
        guard let text else { return .notExplicit }
        guard let known = Explicitness(rawValue: text) else {
            throw ItemRules.refusal(
                "explicitness", "trackExplicitness", "\(quoted(text)) is not known.",
                "Use explicit, cleaned or notExplicit.")
        }
        return known
    }

    private func facts() throws -> ItemFacts {
        var facts = ItemFacts()
        facts.sellerName = sellerName
        facts.sellerURL = sellerUrl
        facts.supportURL = supportUrl
        facts.copyright = copyright
        facts.publisher = publisher
        facts.advisoryRating = contentAdvisoryRating ?? trackContentRating
        facts.advisories = advisories ?? []
        facts.languages = languageCodesISO2A ?? []
        facts.version = version
        facts.versionDate = try Self.date(currentVersionReleaseDate, "currentVersionReleaseDate")
        facts.minimumOS = minimumOsVersion
        facts.supportedDevices = supportedDevices ?? []
        facts.features = features ?? []
        facts.usesGameCenter = isGameCenterEnabled
        facts.isVolumePurchased = isVppDeviceBasedLicensingEnabled
        facts.fileSize = fileSizeBytes?.value
        facts.duration = trackTimeMillis?.value
        facts.discNumber = discNumber.flatMap { Int(exactly: $0.value) }
        facts.discCount = discCount.flatMap { Int(exactly: $0.value) }
        facts.trackNumber = trackNumber.flatMap { Int(exactly: $0.value) }
        facts.trackCount = trackCount.flatMap { Int(exactly: $0.value) }
        facts.composer = composer
        facts.director = director
        facts.producers = producers ?? []
        facts.actors = actors ?? []
        facts.keywords = keywords ?? []
        facts.feedURL = feedUrl
        facts.hasExtras = hasITunesExtras
        facts.isStreamable = isStreamable
        facts.isCompilation = isCompilation
        return facts
    }

    /// `2005-03-01T08:00:00Z`, or a day.
    private static func date(_ text: String?, _ field: String) throws -> Date? {
        guard let text, !text.isEmpty else { return nil }
        let date =
            (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: .iso8601.year().month().day()))
        // Years of four digits.
        guard let date, CalendarDay(of: date) != nil else {
            throw ItemRules.refusal(
                "date", field, "\(quoted(text)) is not a date.",
                "Write it like 2005-03-01T08:00:00Z.")
        }
        return date
    }
}
