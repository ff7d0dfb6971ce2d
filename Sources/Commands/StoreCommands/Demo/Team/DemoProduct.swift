import StoreCore
import StoreModel

/// A product of the demo beside those that the shop's `.storekit` file has.
struct DemoProduct {
    /// The app, by the last part of its bundle identifier.
    var app = "bookshop"
    /// What follows the app's bundle identifier.
    let id: String
    let type: ProductType
    let name: String
    let tier: String
    /// Display name and description by App Store Connect's language codes.
    let texts: [String: ProductText]
    var availability = Availability.everywhere(except: [])
    var note = ""
    var isFamilyShareable = false

    var identifier: String { "com.example.\(app).\(id)" }

    private static func text(_ title: String, _ description: String) -> ProductText {
        ProductText(title: title, description: description)
    }

    /// On sale since the beginning; some of them until something happens.
    static let first: [DemoProduct] = [
        DemoProduct(
            id: "pass", type: .nonRenewingSubscription, name: "Summer Reading Pass", tier: "5",
            texts: [
                "en-US": text("Summer Reading Pass", "Every chapter until the end of September"),
                "de-DE": text("Lesepass für den Sommer", "Alle Kapitel bis Ende September"),
                "fr-FR": text("Pass lecture d’été", "Tous les chapitres jusqu’à fin septembre"),
            ],
            availability: .only(["USA", "CAN", "GBR", "DEU", "FRA", "CHE", "AUT"]),
            note: "The pass ends on 30 September for everybody."),
        DemoProduct(
            id: "poster", type: .nonConsumable, name: "Lighthouse Poster", tier: "3",
            texts: [
                "en-US": text("Lighthouse Poster", "The tower at dusk, to print and frame"),
                "de-DE": text("Leuchtturm-Plakat", "Der Turm am Abend, zum Drucken und Rahmen"),
            ], availability: .everywhere(except: ["CHN", "RUS"]), isFamilyShareable: true),
        DemoProduct(
            id: "audio", type: .nonConsumable, name: "Chapter 1, read aloud", tier: "4",
            texts: ["en-US": text("Read aloud", "The first chapter, read by its author")],
            isFamilyShareable: true),
        DemoProduct(
            id: "ribbon", type: .consumable, name: "Golden Ribbon", tier: "1",
            texts: ["en-US": text("Golden Ribbon", "A ribbon for one book")]),
        DemoProduct(
            id: "calendar", type: .nonRenewingSubscription, name: "Tide Calendar", tier: "2",
            texts: [
                "en-US": text("Tide Calendar", "High and low water for a year"),
                "ja": text("潮汐カレンダー", "一年分の満潮と干潮"),
            ]),
        DemoProduct(
            app: "stargazer", id: "constellations", type: .nonConsumable, name: "Constellations",
            tier: "3",
            texts: [
                "en-US": text("Constellations", "All 88 constellations with their stories"),
                "ja": text("星座", "88の星座とその物語"),
                "fr-FR": text("Constellations", "Les 88 constellations"),
            ], isFamilyShareable: true),
        DemoProduct(
            app: "stargazer", id: "meteors", type: .consumable, name: "Meteor Alerts", tier: "1",
            texts: [
                "en-US": text("Ten Meteor Alerts", "Tells you ten times when to look up"),
                "de-DE": text("Zehn Meteor-Meldungen", "Sagt zehnmal, wann sich ein Blick lohnt"),
            ]),
        DemoProduct(
            app: "stargazer", id: "almanac", type: .nonRenewingSubscription, name: "Almanac",
            tier: "4", texts: ["en-US": text("Almanac", "What the sky shows, for a year")]),
    ]

    /// Made later: each of them is somewhere on its way.
    static let later: [DemoProduct] = [
        DemoProduct(
            id: "map", type: .nonConsumable, name: "Map of the Coast", tier: "2",
            texts: ["en-US": text("Map of the Coast", "Every cove of the story")]),
        DemoProduct(
            id: "recipes", type: .nonConsumable, name: "Recipes of the Keeper", tier: "3",
            texts: ["en-US": text("The Keeper’s Recipes", "What is cooked in the story")],
            note: "Sign in as reader@example.com to see them."),
        DemoProduct(
            id: "candle", type: .consumable, name: "Candle", tier: "1",
            texts: [
                "en-US": text("Candle", "Lights the page for an hour"),
                "de-DE": text("Kerze", "Leuchtet eine Stunde lang"),
            ]),
        DemoProduct(
            id: "postcards", type: .consumable, name: "Postcards", tier: "1",
            texts: ["en-US": text("Three Postcards", "To send from inside the story")]),
        DemoProduct(
            id: "lantern", type: .nonConsumable, name: "Lantern", tier: "2",
            texts: [
                "en-US": text("Lantern", "A warmer light for reading at night"),
                "ja": text("ランタン", "夜の読書に暖かい光を"),
            ], note: "It is offered under Settings, Reading Light."),
        DemoProduct(
            id: "bookmark", type: .nonConsumable, name: "Bookmark", tier: "1",
            texts: ["en-US": text("Bookmark", "Remembers more than one place")]),
        DemoProduct(
            app: "tidetables", id: "pilot", type: .nonConsumable, name: "Pilot’s Notes", tier: "6",
            texts: ["en-US": text("Pilot’s Notes", "Depths and lights of the harbour")]),
    ]
}
