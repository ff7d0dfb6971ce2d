import Foundation
import StoreCore
import StoreModel

/// The store pages of the apps, without which no version goes on sale.
extension DemoTeam {
    private struct StorePage {
        let app: String
        let subtitle: String
        let genres: [Int]
        let description: String
        /// In Examples/Bookshop/Shop/artworks.
        let artwork: String
    }

    private static let storePages: [StorePage] = [
        StorePage(
            app: "bookshop", subtitle: "Stories by the chapter", genres: [6018],
            description: "A story in chapters, one evening each. Buy a chapter, read it wherever "
                + "you are, and find it again on every device of yours.",
            artwork: "bookshop.jpg"),
        StorePage(
            app: "stargazer", subtitle: "What is up tonight", genres: [6006, 6017],
            description: "Stars, constellations and meteor showers over the place where you are.",
            artwork: "small-hours-long-waves.jpg"),
        StorePage(
            app: "tidetables", subtitle: "High and low water", genres: [6001, 6010],
            description: "The tides of a harbour, a month on a page.", artwork: "tidewatch.jpg"),
    ]

    func makeStorePages() async throws {
        let manager = try actor(.appManager)
        let services = store.services
        let artworks = shop.appendingPathComponent("Shop/artworks")
        for page in Self.storePages {
            let app = try app(page.app)
            var details = ItemDetails(kind: .software, title: app.name, genres: page.genres)
            details.app = app.id
            details.texts[details.primaryLocale]?.subtitle = page.subtitle
            details.texts[details.primaryLocale]?.description = page.description
            details.facts.sellerName = Self.name
            details.facts.supportURL = "https://lighthouse.example/\(page.app)/support"
            let item = try await services.items.create(
                details, artist: Self.name, state: .draft, of: team, by: manager)
            _ = try await services.itemMedia.add(
                artworks.appendingPathComponent(page.artwork), kind: .artwork,
                fileName: page.artwork, to: item.id, by: manager)
        }
    }
}
