import Foundation
import StoreCore
import StoreModel

extension StoreRepositories {
    /// Gives an app all that its versions need before they go on sale, but a build: a store page
    /// with category, description and support address, artwork of which nobody has the bytes, and
    /// the agreement. What is there already stays.
    package func completeApp(_ id: AppID, at date: Date = Date(timeIntervalSince1970: 0)) throws {
        guard let app = try catalog.app(id) else { return }
        if var agreement = try agreements.agreement(.freeApps, of: app.teamID) {
            agreement.state = .active
            try agreements.update(agreement)
        }
        guard try items.item(ItemID(number: id.number)) == nil else { return }
        let locale = try apps.record(id)?.primaryLocale ?? .americanEnglish
        var details = ItemDetails(
            kind: .software, title: app.name, genres: [6024], prices: .free,
            primaryLocale: locale.catalogSpelling)
        details.app = id
        details.bundleID = app.bundleID.text
        details.texts[details.primaryLocale]?.description = "Sells what its customers read."
        details.facts.supportURL = "https://example.com/support"
        let page = try items.insert(
            details, id: ItemID(number: id.number), of: app.teamID, state: .draft, at: date)
        try itemMedia.save(
            ItemMedia(
                id: AssetID(UUID().uuidString.lowercased())!, item: page.id, kind: .artwork,
                position: 1, digest: ContentDigest(String(repeating: "ab", count: 32))!,
                mediaType: "image/png", fileName: "icon.png", size: 10, width: 512, height: 512))
    }
}
