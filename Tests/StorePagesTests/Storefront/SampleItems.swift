import Foundation
import StoreModel

@testable import StoreCore

/// Items of each kind as pages get them.
enum SampleItems {
    static let date = Date(timeIntervalSince1970: 1_780_000_000)
    static let digest = ContentDigest(String(repeating: "ab", count: 32))!

    /// - Parameter text: what stands in every field that a publisher fills in; nil for sane ones.
    static func item(
        _ kind: ItemKind, id: Int64 = 1001, text: String? = nil, price: Int64 = 4990,
        in storefront: Storefront = .unitedStates
    ) -> StorefrontItem {
        var details = ItemDetails(
            kind: kind, title: text ?? "The \(kind.title)",
            genres: Genre.root(of: kind).children.prefix(1).map(\.id))
        details.prices = ItemPrices(own: ["USA": price, "JPN": 500_000])
        details.releaseDate = date
        details.isbn = text
        details.upc = text
        let shown = ItemText(
            title: text ?? "The \(kind.title)", subtitle: text ?? "A subtitle",
            description: text ?? "First line\nSecond line", shortDescription: text ?? "In short",
            releaseNotes: text ?? "All is new")
        details.texts["en_US"] = shown
        details.facts = facts(text)
        if kind.isCollection { details.facts.trackCount = 2 }
        let item = Item(
            id: ItemID(number: id), team: 1, details: details, state: .onSale, created: date,
            changed: date)
        return StorefrontItem(
            item: item, storefront: storefront, text: shown,
            price: Money(thousandths: price, currency: "USD"),
            rentalPrice: kind == .movie ? Money(thousandths: 2990, currency: "USD") : nil,
            artist: Artist(
                id: ArtistID(number: 77), team: 1, name: text ?? "The Maker",
                type: ArtistType(makerOf: kind)),
            parent: nil, rating: RatingSummary(counts: [1, 0, 2, 3, 10]),
            versionRating: RatingSummary(counts: [1, 0, 2, 3, 10]),
            media: media(kind, of: item.id, name: text), sellerName: text ?? "The Seller", app: nil)
    }

    private static func facts(_ text: String?) -> ItemFacts {
        var facts = ItemFacts()
        facts.sellerURL = text ?? "https://seller.example/"
        facts.supportURL = text ?? "https://seller.example/support"
        facts.feedURL = text ?? "https://seller.example/feed"
        facts.copyright = text ?? "© The Seller"
        facts.publisher = text ?? "The Publisher"
        facts.advisoryRating = text ?? "12+"
        facts.advisories = [text ?? "Mild peril"]
        facts.languages = [text ?? "EN"]
        facts.version = text ?? "2.1"
        facts.versionDate = date
        facts.minimumOS = text ?? "10.0"
        facts.supportedDevices = [text ?? "Desktop"]
        facts.features = [text ?? "Sharing"]
        facts.fileSize = 12_345_678
        facts.duration = 215_000
        facts.composer = text ?? "The Composer"
        facts.director = text ?? "The Director"
        facts.producers = [text ?? "The Producer"]
        facts.actors = [text ?? "The Actor"]
        facts.trackNumber = 3
        return facts
    }

    private static func media(_ kind: ItemKind, of id: ItemID, name: String?) -> [ItemMedia] {
        func media(_ number: Int, _ kind: ItemMedia.Kind, _ type: String) -> ItemMedia {
            ItemMedia(
                id: AssetID("00000000-0000-4000-8000-00000000000\(number)")!, item: id, kind: kind,
                position: 1, digest: digest,
                mediaType: type, fileName: name ?? "file", size: 1000,
                width: type.hasPrefix("audio") ? nil : 800,
                height: type.hasPrefix("audio") ? nil : 600)
        }
        return [
            media(1, .artwork, "image/png"), media(2, .screenshot, "image/png"),
            media(3, .tabletScreenshot, "image/jpeg"), media(4, .audioPreview, "audio/mpeg"),
            media(5, .videoPreview, "video/mp4"),
        ]
    }

    /// What stands on a page beside the item.
    static func content(of item: StorefrontItem, text: String? = nil) -> ItemPageContent {
        var content = ItemPageContent()
        content.parts = item.kind.isCollection ? [item, item] : []
        content.related = [item]
        content.others = [item]
        content.versions = ["2.1", "2.0"].map {
            ItemPageContent.Version(
                version: text ?? $0, platform: .linux, released: date, notes: text ?? "Old news")
        }
        content.purchases = [
            ItemPageContent.Purchase(
                product: ProductID("com.example.coins")!, title: text ?? "Hundred Coins",
                price: Money(thousandths: 990, currency: "USD"))
        ]
        return content
    }

    static func review(_ text: String? = nil, id: Int64 = 5) -> CustomerReview {
        CustomerReview(
            id: ReviewID(number: id), item: ItemID(number: 1001), account: AccountID(number: 9),
            nickname: text ?? "Ada", storefront: .unitedStates, rating: 4,
            title: text ?? "Good", body: text ?? "I like it.\nVery much.", version: text ?? "2.1",
            state: .published, helpfulVotes: 3, votes: 4, response: text ?? "Thank you.",
            responseDate: date, created: date, changed: date, environment: .production)
    }
}
