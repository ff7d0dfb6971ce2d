import Foundation
@testable import StoreCore
import StoreModel

extension StoreRepositories {
    /// Gives an app all that its versions need before they go on sale: a store page with category,
    /// description and support address, artwork of which nobody has the bytes, the agreement, and
    /// files of the builds that there are, of which nobody has the bytes either. What is there
    /// already stays.
    package func completeApp(_ id: AppID, at date: Date = Date(timeIntervalSince1970: 0)) throws {
        guard let app = try catalog.app(id) else { return }
        if var agreement = try agreements.agreement(.freeApps, of: app.teamID) {
            agreement.state = .active
            try agreements.update(agreement)
        }
        try giveFiles(toBuildsOf: id, at: date)
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

    /// Gives the builds of an app files, of which nobody has the bytes.
    package func giveFiles(toBuildsOf app: AppID, at date: Date) throws {
        for version in try appVersions.versions(of: app) {
            for build in try appVersions.builds(of: version.id) where build.file == nil {
                try buildDeliveries.insert(
                    BuildDelivery(
                        format: .zip, fileName: "App.zip",
                        manifestDigest: ContentDigest(String(repeating: "b", count: 64))!,
                        manifestLength: 10, blobs: [], downloadLength: 10,
                        unpackedLength: build.size, created: date), of: build.id)
            }
        }
    }
}
