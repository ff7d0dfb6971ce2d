import Foundation
import StoreModel

@testable import StoreAPI
@testable import StoreCore

/// An item of any kind, made without a store, with something in every field.
enum SampleItem {
    static let links = StorefrontLinks(base: "https://store.example.com")

    /// - Parameter text: stands in every field that has a text.
    static func make(
        _ kind: ItemKind, text: String = "Text", in storefront: Storefront = .unitedStates,
        isPart: Bool = true
    ) -> StorefrontItem {
        let id = ItemID(number: 42)
        var details = ItemDetails(kind: kind, title: text, genres: genres(kind))
        details.releaseDate = Date(timeIntervalSince1970: 1_109_664_000)
        details.bundleID = "com.example.sample"
        details.facts = facts(text)
        let item = Item(
            id: id, team: 1, details: details, state: .onSale, created: .distantPast,
            changed: .distantPast)
        var parent: StorefrontItem.Parent?
        if isPart, let whole = kind.parentKind {
            var details = ItemDetails(kind: whole, title: text, genres: genres(whole))
            details.facts.trackCount = 12
            parent = StorefrontItem.Parent(
                item: Item(
                    id: ItemID(number: 43), team: 1, details: details, state: .onSale,
                    created: .distantPast, changed: .distantPast),
                text: ItemText(title: text), price: Money(thousandths: 9990, currency: "USD"),
                artist: artist(8, text), artwork: nil)
        }
        return StorefrontItem(
            item: item, storefront: storefront,
            text: ItemText(
                title: text, subtitle: text, description: text, shortDescription: text,
                releaseNotes: text),
            price: Money(thousandths: 1990, currency: "USD"),
            rentalPrice: Money(thousandths: 990, currency: "USD"), artist: artist(7, text),
            parent: parent, rating: RatingSummary(counts: [0, 0, 1, 0, 2]),
            versionRating: RatingSummary(counts: [0, 0, 0, 1, 0]), media: media(of: id, text),
            sellerName: text, app: nil)
    }

    static func artist(_ number: Int64, _ name: String) -> Artist {
        Artist(
            id: ArtistID(number: number), team: 1, name: name, type: .artist, genre: 21,
            amgArtistID: 99)
    }

    private static func genres(_ kind: ItemKind) -> [Int] {
        Genre.root(of: kind).children.prefix(1).map(\.id)
    }

    private static func facts(_ text: String) -> ItemFacts {
        var facts = ItemFacts()
        facts.sellerName = text
        facts.sellerURL = "https://seller.example.com/?q=\(text)"
        facts.supportURL = text
        facts.copyright = text
        facts.publisher = text
        facts.advisoryRating = text
        facts.advisories = [text, text]
        facts.languages = [text]
        facts.version = text
        facts.versionDate = Date(timeIntervalSince1970: 1_700_000_000)
        facts.minimumOS = text
        facts.supportedDevices = [text]
        facts.features = [text]
        facts.usesGameCenter = true
        facts.isVolumePurchased = true
        facts.fileSize = 123_456_789_012
        facts.duration = 215_000
        facts.discNumber = 1
        facts.discCount = 2
        facts.trackNumber = 3
        facts.trackCount = 4
        facts.composer = text
        facts.director = text
        facts.producers = [text]
        facts.actors = [text]
        facts.keywords = [text]
        facts.feedURL = text
        facts.hasExtras = true
        facts.isStreamable = true
        return facts
    }

    private static func media(of id: ItemID, _ text: String) -> [ItemMedia] {
        [ItemMedia.Kind.artwork, .screenshot, .tabletScreenshot, .audioPreview].map { kind in
            ItemMedia(
                id: AssetID("00000000-0000-4000-8000-000000000001")!, item: id, kind: kind,
                position: 1, digest: ContentDigest(String(repeating: "a", count: 64))!,
                mediaType: "image/png", fileName: text, size: 1)
        }
    }

    /// The result of an item, as a program reads it.
    static func result(_ item: StorefrontItem) throws -> [String: Any] {
        let bytes = ItemResult(item: item, links: links, prices: PriceTexts()).bytes
        return try SearchShop.object(Data(bytes))
    }
}
