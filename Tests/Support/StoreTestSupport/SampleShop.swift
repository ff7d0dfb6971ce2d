import Foundation
import StoreModel
import StorePackageSamples

/// A small shop for tests: a chapter with hosted content, one without, credits, a pass.
package enum SampleShop {
    package static let bundleID = BundleID("com.example.shop")!
    package static let chapter = "com.example.shop.chapter"
    package static let badge = "com.example.shop.badge"
    package static let credits = "com.example.shop.credits"
    package static let season = "com.example.shop.season"
    package static let monthly = "com.example.shop.monthly"

    /// The shop's `.storekit` file, version 3.0.
    package static let configuration: Data = Data(
        """
        {
          "identifier" : "0A1B2C3D",
          "nonRenewingSubscriptions" : [
            \(product(season, "NonRenewingSubscription", "4.99", "Season pass", "シーズンパス"))
          ],
          "products" : [
            \(product(chapter, "NonConsumable", "1.99", "The first chapter", "第一章")),
            \(product(badge, "NonConsumable", "0.99", "A badge", "バッジ")),
            \(product(credits, "Consumable", "0.99", "Credits", "クレジット"))
          ],
          "settings" : { "_locale" : "en_US", "_storefront" : "USA" },
          "subscriptionGroups" : [
            {
              "id" : "22222222", "localizations" : [], "name" : "Pro",
              "subscriptions" : [
                {
                  "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "4.99",
                  "familyShareable" : false, "groupNumber" : 1, "internalID" : "33333333",
                  "localizations" : [
                    { "description" : "", "displayName" : "Pro monthly", "locale" : "en_US" }
                  ],
                  "productID" : "\(monthly)", "recurringSubscriptionPeriod" : "P1M",
                  "referenceName" : "pro month", "subscriptionGroupID" : "22222222",
                  "type" : "RecurringSubscription"
                }
              ]
            }
          ],
          "version" : { "major" : 3, "minor" : 0 }
        }
        """.utf8)

    private static func product(
        _ id: String, _ type: String, _ price: String, _ english: String, _ japanese: String
    ) -> String {
        """
        {
          "displayPrice" : "\(price)", "familyShareable" : false, "internalID" : "11111111",
          "localizations" : [
            { "description" : "In English", "displayName" : "\(english)", "locale" : "en_US" },
            { "description" : "日本語で", "displayName" : "\(japanese)", "locale" : "ja_JP" }
          ],
          "productID" : "\(id)", "referenceName" : "\(english)", "type" : "\(type)"
        }
        """
    }

    /// A folder as `--content` takes it: content of the chapter, with one file that
    /// compresses well, one that doesn't, an empty one and a link.
    package static func writeContent(
        into folder: TemporaryFolder, version: String = "1.0", noiseBytes: Int = 300_000
    ) throws -> URL {
        let base = "content/\(chapter)"
        try folder.write("\(base)/ContentInfo.plist", contentInfo(chapter, version: version))
        try folder.write(
            "\(base)/Contents/text.txt", String(repeating: "It was a dark night.\n", count: 500))
        try folder.write("\(base)/Contents/pictures/noise.bin", noise(noiseBytes, seed: 7))
        try folder.write("\(base)/Contents/empty", Data())
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("\(base)/Contents/latest.txt").path,
            withDestinationPath: "text.txt")
        return folder.file("content")
    }

    package static func contentInfo(_ product: String, version: String) -> String {
        SampleBytes.information(product, version: version)
    }

    /// Bytes that don't compress, the same for the same seed.
    package static func noise(_ count: Int, seed: UInt64) -> Data {
        SampleBytes.noise(count, seed: seed)
    }
}
