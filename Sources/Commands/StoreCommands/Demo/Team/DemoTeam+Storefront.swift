import Foundation
import StoreCore
import StoreModel

/// What customers browse and buy on the store's pages, who sends them, and who copies it.
extension DemoTeam {
    /// A work of the publisher's shop, with its pictures in Examples/Bookshop/Shop.
    private struct Work {
        let kind: ItemKind
        let title: String
        let maker: String
        let genre: Int
        let tier: String
        let description: String
        let artwork: String
        /// What buyers get.
        let download: String
        var preview: (kind: ItemMedia.Kind, file: String)?
    }

    private static let works: [Work] = [
        Work(
            kind: .ebook, title: "The Lamplighter’s Atlas", maker: "Ida Lindqvist", genre: 9031,
            tier: "5", description: "Twelve coasts, and who kept their lights.",
            artwork: "lamplighters-atlas.jpg",
            download: "downloads/lamplighters-atlas.epub"),
        Work(
            kind: .album, title: "Low Water Songs", maker: "The Slack Tide", genre: 20, tier: "9",
            description: "Songs for hours in which nothing moves.",
            artwork: "low-water-songs.jpg",
            download: "downloads/slack-water.mp3"),
        Work(
            kind: .movie, title: "Last Ferry to Ormsund", maker: "Harbour Pictures", genre: 4406,
            tier: "12", description: "One boat, one night, eleven passengers.",
            artwork: "last-ferry-to-ormsund.jpg", download: "previews/last-ferry-to-ormsund.webm",
            preview: (.videoPreview, "last-ferry-to-ormsund.webm")),
    ]

    private static let opinions: [(rating: Int, title: String, body: String)] = [
        (5, "Could not put it down", "I read it in one night, and then once more."),
        (4, "Quiet and good", "It takes its time, which is what I came for."),
        (2, "Not for me", "Too much sea. Others will like it."),
        (5, "A light in winter", "We read it aloud. The children ask for the map each evening."),
    ]

    /// Items with pictures, put on sale by those who look after products.
    mutating func makeItems() async throws {
        wait(until: 16, hour: 20)
        let marketing = try actor(.marketing)
        let services = store.services
        let media = shop.appendingPathComponent("Shop")
        for work in Self.works {
            let artist = try await services.items.createArtist(
                name: work.maker, type: ArtistType(makerOf: work.kind), of: team, by: marketing)
            var details = ItemDetails(
                kind: work.kind, title: work.title, genres: [work.genre],
                prices: ItemPrices(tier: work.tier, own: items.isEmpty ? ["JPN": 300_000] : [:]))
            details.artist = artist.id
            details.texts[details.primaryLocale]?.description = work.description
            details.facts.sellerName = Self.name
            let item = try await services.items.create(
                details, state: .draft, of: team, by: marketing)
            _ = try await services.itemMedia.add(
                media.appendingPathComponent("artworks/\(work.artwork)"), kind: .artwork,
                fileName: work.artwork, to: item.id, by: marketing)
            let download = media.appendingPathComponent(work.download)
            _ = try await services.itemMedia.add(
                download, kind: .download, fileName: download.lastPathComponent, to: item.id,
                by: marketing)
            if let preview = work.preview {
                _ = try await services.itemMedia.add(
                    media.appendingPathComponent("previews/\(preview.file)"), kind: preview.kind,
                    fileName: preview.file, to: item.id, by: marketing)
            }
            items.append(
                try await services.items.setState(.onSale, of: item.id, by: marketing))
        }
    }

    /// Somebody who sends customers, and somebody who copies the catalog.
    mutating func makePartners() async throws {
        wait(until: 15, hour: 20)
        let staff = try actor(.operator)
        _ = try await store.services.affiliates.create(
            name: "Coast & Tide Magazine", email: "links@coast.example", basisPoints: 500,
            token: "coast", by: staff)
        _ = try await store.services.feedPartners.create(
            name: "Price Watch", userName: "pricewatch", by: staff)
    }

    /// Customers buy items, some of them by links, and say what they think; one review waits for
    /// a moderator.
    mutating func sellItems() async throws {
        wait(until: 2, hour: 19)
        let services = store.services
        let held = CustomerReviewService(
            database: store.database, clock: clock,
            settings: StorefrontSettings(holdsReviews: true))
        for (index, customer) in customers.prefix(12).enumerated() {
            let item = items[index % items.count]
            guard let price = item.details.prices.price(in: customer.storefront) else { continue }
            let referral =
                index % 3 == 0
                ? Referral(affiliateToken: "coast", campaign: "winter") : Referral()
            _ = try await services.itemSales.buy(
                item.id, expecting: price, by: customer, referral: referral)
            guard index % 2 == 0 else { continue }
            let opinion = Self.opinions[index / 2 % Self.opinions.count]
            let reviews = index == 10 ? held : services.customerReviews
            let review = try await reviews.write(
                ReviewDraft(
                    rating: opinion.rating, title: opinion.title, body: opinion.body,
                    nickname: "Reader \(index + 1)"), on: item.id, by: customer)
            if index == 4 {
                _ = try await services.customerReviews.respond(
                    to: review.id, text: "Thank you for reading. There is more sea to come.",
                    by: try actor(.appManager))
            }
        }
    }
}
