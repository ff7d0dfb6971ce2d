import Foundation
import StoreCore
import StoreModel
import Testing

@Suite struct ItemRulesTests {
    private static func details(_ change: (inout ItemDetails) -> Void) -> ItemDetails {
        var details = ItemDetails(kind: .song, title: "Song", genres: [21])
        change(&details)
        return details
    }

    @Test func `texts lose the spaces around them, codes their hyphens`() throws {
        let checked = try ItemRules.checked(
            Self.details {
                $0.texts["en_US"]?.title = "  Song \n"
                $0.isbn = "978-3-16-148410-0"
                $0.facts.languages = ["en"]
                $0.facts.copyright = "  "
            })
        #expect(checked.title == "Song" && checked.isbn == "9783161484100")
        #expect(checked.facts.languages == ["EN"] && checked.facts.copyright == nil)
    }

    @Test(arguments: [
        ("textMissing", details { $0.texts["en_US"]?.title = " " }),
        ("textLength", details { $0.texts["en_US"]?.title = String(repeating: "a", count: 501) }),
        ("textCharacters", details { $0.texts["en_US"]?.title = "a\u{7}b" }),
        ("textCharacters", details { $0.texts["en_US"]?.description = "a\u{0}b" }),
        ("primaryText", details { $0.primaryLocale = "ja_JP" }),
        ("locale", details { $0.texts["../x"] = ItemText(title: "a") }),
        ("locale", details { $0.texts["en_US_POSIX_x"] = ItemText(title: "a") }),
        ("genreMissing", details { $0.genres = [] }), ("genre", details { $0.genres = [1] }),
        ("genreTwice", details { $0.genres = [21, 21] }),
        ("tooManyGenres", details { $0.genres = Array(2...13) }),
        ("priceTier", details { $0.prices.tier = "99999" }),
        ("price", details { $0.prices.own = ["USA": -1] }),
        ("price", details { $0.prices.own = ["USA": 999] }),
        ("price", details { $0.rentalPrices = ItemPrices(own: ["JPN": 120_010]) }),
        ("price", details { $0.prices.own = ["USA": 20_000_000_010] }),
        ("storefront", details { $0.prices.own = ["US": 1] }),
        ("storefront", details { $0.prices.storefronts = ["XXX"] }),
        ("storefront", details { $0.rentalPrices = ItemPrices(own: ["ZZZ": 1]) }),
        ("bundleID", details { $0.bundleID = "a b" }), ("code", details { $0.upc = "12a" }),
        ("code", details { $0.isbn = "12345" }), ("amgNumber", details { $0.amgAlbumID = 0 }),
        ("url", details { $0.facts.supportURL = "javascript:alert(1)" }),
        ("url", details { $0.facts.sellerURL = "https://" }),
        ("url", details { $0.facts.feedURL = "https://a.example/a b" }),
        ("language", details { $0.facts.languages = ["ENG"] }),
        ("number", details { $0.facts.duration = -1 }),
        ("tooMany", details { $0.facts.actors = Array(repeating: "a", count: 201) }),
        ("textCharacters", details { $0.facts.keywords = ["a\u{1b}[0m"] }),
    ])
    func `what is wrong is refused by a rule`(rule: String, details: ItemDetails) throws {
        let refusal = #expect(throws: ConnectRefusal.self) { try ItemRules.checked(details) }
        #expect(refusal?.rule == rule || (rule == "url" && refusal?.rule == "textCharacters"))
        #expect(refusal?.field?.isEmpty == false && refusal?.help.isEmpty == false)
    }

    @Test func `prices tell where an item is seen and whether it is free`() {
        #expect(ItemPrices.free.isFree && ItemPrices.free.shownIn == nil)
        let shown = ItemPrices(storefronts: ["USA"])
        #expect(shown.isForShow && !shown.isFree && shown.shownIn == ["USA"])
        #expect(shown.isShown(in: .unitedStates) && !shown.isShown(in: .named("JPN")!))
        let own = ItemPrices(own: ["JPN": 0, "USA": 0], storefronts: ["USA", "DEU"])
        #expect(own.isFree && own.shownIn == ["USA"])
        #expect(!own.isShown(in: .named("JPN")!) && !own.isShown(in: .named("DEU")!))
        #expect(!ItemPrices(tier: "0", own: ["JPN": 100_000]).isFree)
    }
}
