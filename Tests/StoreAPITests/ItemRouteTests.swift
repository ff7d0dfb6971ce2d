import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Items and artists, as programs of their publishers maintain them.
struct ItemRouteTests {
    private let clock = SettableClock()
    private let shop: TestStore
    private let manager: ConnectClient
    private let stranger: ConnectClient
    private let finance: ConnectClient

    private static let path = "/openstore/v1/items"

    init() async throws {
        shop = try await TestStore(hasContent: false, clock: clock)
        manager = try await ConnectClient(shop, clock: clock, role: .appManager, team: "Publisher")
        stranger = try await ConnectClient(shop, clock: clock, role: .admin, team: "Stranger")
        finance = try await ConnectClient(shop, clock: clock, role: .finance, team: "Publisher")
    }

    private static func item(
        _ kind: String = "ebook", _ title: String = "The Lighthouse", genre: Int = 9031,
        _ changes: [String: JSONValue] = [:], to: [String: (type: String, id: String)] = [:]
    ) -> JSONValue {
        let attributes: [String: JSONValue] = [
            "kind": .string(kind), "genreIds": [.integer(genre)],
            "texts": [["locale": "en_US", "title": .string(title), "description": "A light."]],
            "prices": ["tier": "3"],
        ]
        return .resource("items", attributes.merging(changes) { $1 }, to: to)
    }

    private func make(_ data: JSONValue = item()) async throws -> String {
        let made = try await manager.call("POST", Self.path, data, expecting: 201)
        return try #require(made.at("data.id"))
    }

    private func change(_ id: String, _ attributes: [String: JSONValue]) -> JSONValue {
        .resource("items", id: id, attributes)
    }

    @Test func `an item is made as a draft, read, changed, and put on sale`() async throws {
        let id = try await make()
        let path = "\(Self.path)/\(id)"
        var item = try await manager.call("GET", path, expecting: 200)
        #expect(item.at("data.attributes.state") == "DRAFT")
        #expect(item.at("data.attributes.kind") == "ebook")
        #expect(item.at("data.attributes.texts.0.title") == "The Lighthouse")
        #expect(item.at("data.attributes.prices.tier") == "3")
        // Nobody is sold what has no file.
        let refused = try await manager.call(
            "PATCH", path, change(id, ["state": "ON_SALE"]), expecting: 409)
        #expect(refused.at("errors.0.meta.rule") == "nothingToFetch")
        #expect(refused.at("errors.0.detail")?.contains("/connect/items/\(id)/media") == true)
        item = try await manager.call("GET", path, expecting: 200)
        #expect(item.at("data.attributes.state") == "DRAFT")
        let number = try #require(ItemID(id))
        try await shop.store.database.write { try $0.addFile(to: number) }
        item = try await manager.call(
            "PATCH", path,
            change(id, ["copyright": "2026 Nobody", "isbn": "9780306406157", "state": "ON_SALE"]),
            expecting: 200)
        #expect(item.at("data.attributes.state") == "ON_SALE")
        #expect(item.at("data.attributes.copyright") == "2026 Nobody")
        // What is not named stays; null takes away what was there.
        item = try await manager.call("PATCH", path, change(id, ["copyright": nil]), expecting: 200)
        #expect(item.at("data.attributes.copyright") == nil)
        #expect(item.at("data.attributes.isbn") == "9780306406157")
        #expect(item.at("data.attributes.texts.0.description") == "A light.")
        item = try await manager.call(
            "PATCH", path, change(id, ["state": "REMOVED"]), expecting: 200)
        #expect(item.at("data.attributes.state") == "REMOVED")
    }

    @Test func `without an agreement only what is free is put on sale`() async throws {
        let team = try #require(manager.key.team)
        _ = try await shop.store.services.people.agreements.terminate(
            .paidApps, of: team, by: .machine)
        for (tier, status) in [("3", 409), ("0", 200)] {
            let id = try await make(changes(["prices": ["tier": .string(tier)]]))
            let number = try #require(ItemID(id))
            try await shop.store.database.write { try $0.addFile(to: number) }
            let path = "\(Self.path)/\(id)"
            let answer = try await manager.call(
                "PATCH", path, change(id, ["state": "ON_SALE"]), expecting: status)
            let item = try await manager.call("GET", path, expecting: 200)
            if status == 200 {
                #expect(item.at("data.attributes.state") == "ON_SALE")
            } else {
                #expect(answer.at("errors.0.meta.rule") == "noPaidAgreement")
                #expect(answer.at("errors.0.detail")?.contains("/connect/agreements") == true)
                #expect(item.at("data.attributes.state") == "DRAFT")
            }
        }
    }

    @Test func `prices of single storefronts and texts of languages come back as they were sent`()
        async throws
    {
        let id = try await make(
            changes([
                "prices": [
                    "tier": "3", "own": [["territory": "JPN", "price": "120"]],
                    "territories": ["JPN", "USA"],
                ],
                "texts": [
                    ["locale": "en_US", "title": "Light"], ["locale": "ja", "title": "灯台"],
                ],
            ]))
        let item = try await manager.call("GET", "\(Self.path)/\(id)", expecting: 200)
        #expect(item.at("data.attributes.prices.own.0.price") == "120")
        #expect(item.at("data.attributes.prices.own.0.territory") == "JPN")
        #expect(item.value("data.attributes.prices.territories") == ["JPN", "USA"])
        #expect(item.at("data.attributes.texts.1.title") == "灯台")
        let kept = try await shop.store.services.items.item(
            try #require(ItemID(id)), by: .machine)
        #expect(kept.details.prices.own == ["JPN": 120_000])
        #expect(kept.details.prices.storefronts == ["JPN", "USA"])
    }

    private func changes(_ changes: [String: JSONValue]) -> JSONValue {
        Self.item("ebook", "The Lighthouse", genre: 9031, changes)
    }

    @Test func `a song belongs to an album and an artist, and can be taken out`() async throws {
        let artist = try await manager.call(
            "POST", "/openstore/v1/artists",
            .resource("artists", ["artistName": "The Keepers", "artistType": "Artist"]),
            expecting: 201)
        let artistID = try #require(artist.at("data.id"))
        let album = try await make(Self.item("album", "Beams", genre: 20))
        let song = try await make(
            Self.item(
                "song", "First Beam", genre: 20, ["trackNumber": 1, "trackTimeMillis": 201_000],
                to: ["artist": ("artists", artistID), "parent": ("items", album)]))
        let path = "\(Self.path)/\(song)"
        let parent = try await manager.call("GET", "\(path)/parent", expecting: 200)
        #expect(parent.at("data.id") == album)
        let shown = try await manager.call("GET", "\(path)?include=artist", expecting: 200)
        #expect(shown.at("included.0.attributes.artistName") == "The Keepers")
        #expect(shown.value("data.attributes.trackTimeMillis") == 201_000)
        var body = try #require(JSONValue.resource("items", id: song).members)
        body["relationships"] = ["parent": ["data": nil]]
        try await manager.call("PATCH", path, .object(body), expecting: 200)
        let kept = try await shop.store.services.items.item(
            try #require(ItemID(song)), by: .machine)
        #expect(kept.details.parent == nil)
        let found = try await manager.call(
            "GET", "/openstore/v1/artists?filter%5Bname%5D=the%20keepers", expecting: 200)
        #expect(found.ids == [artistID] || found.ids.isEmpty)
        let exact = try await manager.call(
            "GET", "/openstore/v1/artists?filter%5Bname%5D=The%20Keepers", expecting: 200)
        #expect(exact.ids == [artistID])
    }

    private func artists(_ name: String) async throws -> [String] {
        try await manager.call(
            "GET", "/openstore/v1/artists?filter%5Bname%5D=\(name)", expecting: 200
        ).ids
    }

    @Test func `an artist is named, and made with the item or not at all`() async throws {
        let first = try await make(
            Self.item("song", "One", genre: 20, ["artistName": "Keepers"]))
        let known = try await artists("Keepers")
        try #require(known.count == 1)
        let second = try await make(
            Self.item("song", "Two", genre: 20, ["artistName": "Keepers"]))
        for song in [first, second] {
            let artist = try await manager.call(
                "GET", "\(Self.path)/\(song)/artist", expecting: 200)
            #expect(artist.ids == known || artist.at("data.id") == known.first)
        }
        let path = "\(Self.path)/\(first)"
        func change(_ attributes: [String: JSONValue]) -> JSONValue {
            .resource("items", id: first, attributes)
        }
        // Neither an item nor a change that is refused leaves an artist behind.
        try await manager.refused(
            "notFound", 404, "POST", Self.path,
            Self.item(
                "song", "Three", genre: 20, ["artistName": "Nobody"],
                to: ["parent": ("items", "987654321")]))
        try await manager.refused(
            "genre", 409, "PATCH", path, change(["artistName": "Nobody", "genreIds": [424_242]]))
        try await manager.refused(
            "artistTwice", 409, "POST", Self.path,
            Self.item(
                "song", "Four", genre: 20, ["artistName": "Nobody"],
                to: ["artist": ("artists", known[0])]))
        #expect(try await artists("Nobody") == [])
        try await manager.call("PATCH", path, change(["artistName": "Others"]), expecting: 200)
        let kept = try await shop.store.services.items.item(
            try #require(ItemID(first)), by: .machine)
        let others = try await artists("Others")
        #expect(kept.details.artist?.description == others.first && others.count == 1)
    }

    @Test func `an app's item has the number of its app`() async throws {
        let app = try await shop.store.database.read {
            try #require(try $0.catalog.app(SampleShop.bundleID))
        }
        let number = String(app.id.number)
        let id = try await make(
            Self.item("software", "Sample shop", genre: 6018, to: ["app": ("apps", number)]))
        #expect(id == number)
        let linked = try await manager.call("GET", "\(Self.path)/\(id)/app", expecting: 200)
        #expect(linked.at("data.id") == number)
        try await manager.refused(
            "appListed", 409, "POST", Self.path,
            Self.item("software", "Again", genre: 6018, to: ["app": ("apps", number)]))
    }

    /// Rules, and attributes that break them.
    private static let wrong: [(rule: String, attributes: [String: JSONValue])] = [
        ("primaryText", ["primaryLocale": "de_DE"]),
        ("genre", ["genreIds": [424_242]]),
        ("genreMissing", ["genreIds": []]),
        ("priceTier", ["prices": ["tier": "1000"]]),
        ("territoryUnknown", ["prices": ["own": [["territory": "XYZ", "price": "1"]]]]),
        ("priceForm", ["prices": ["own": [["territory": "USA", "price": "-1"]]]]),
        (
            "priceTwice",
            [
                "prices": [
                    "own": [
                        ["territory": "USA", "price": "1"], ["territory": "USA", "price": "2"],
                    ]
                ]
            ]
        ),
        ("required", ["texts": [["locale": "en_US"]]]),
        (
            "textTwice",
            ["texts": [["locale": "ja", "title": "A"], ["locale": "ja", "title": "B"]]]
        ),
        ("url", ["supportUrl": "ftp://example.com/"]),
    ]

    @Test(arguments: wrong)
    func `what can't be an item is refused, and nothing is kept`(
        rule: String, wrong: [String: JSONValue]
    ) async throws {
        try await manager.refused(rule, 409, "POST", Self.path, changes(wrong))
        #expect(try await manager.call("GET", Self.path, expecting: 200).ids.isEmpty)
        let id = try await make()
        let before = try await manager.call("GET", "\(Self.path)/\(id)", expecting: 200)
        try await manager.refused(rule, 409, "PATCH", "\(Self.path)/\(id)", change(id, wrong))
        let after = try await manager.call("GET", "\(Self.path)/\(id)", expecting: 200)
        #expect(after == before)
    }

    @Test func `a refusal names the attribute of the document`() async throws {
        let answer = try await manager.call(
            "POST", Self.path, Self.item("ebook", "\u{7}"), expecting: 409)
        #expect(answer.at("errors.0.source.pointer") == "/data/attributes/texts")
        let kind = try await manager.call(
            "POST", Self.path, Self.item("novel"), expecting: 409)
        #expect(kind.at("errors.0.source.pointer") == "/data/attributes/kind")
    }

    @Test func `lists are filtered, searched and paged`() async throws {
        for number in 1...3 { _ = try await make(Self.item("ebook", "Book \(number)")) }
        let album = try await make(
            Self.item("album", "Beams, and more", genre: 20, ["prices": ["tier": "0"]]))
        // What is free has a file, too.
        try await manager.refused(
            "nothingToFetch", 409, "PATCH", "\(Self.path)/\(album)",
            change(album, ["state": "ON_SALE"]))
        let number = try #require(ItemID(album))
        try await shop.store.database.write { try $0.addFile(to: number) }
        try await manager.call(
            "PATCH", "\(Self.path)/\(album)", change(album, ["state": "ON_SALE"]), expecting: 200)
        let onSale = try await manager.call(
            "GET", "\(Self.path)?filter[state]=ON_SALE,REMOVED", expecting: 200)
        #expect(onSale.ids == [album])
        let albums = try await manager.call(
            "GET", "\(Self.path)?filter[kind]=album", expecting: 200)
        #expect(albums.ids == [album])
        let found = try await manager.call(
            "GET", "\(Self.path)?filter%5Bsearch%5D=beams,%20AND", expecting: 200)
        #expect(found.ids == [album])
        let first = try await manager.call("GET", "\(Self.path)?limit=3", expecting: 200)
        let cursor = try #require(first.at("meta.paging.nextCursor"))
        let second = try await manager.call(
            "GET", "\(Self.path)?limit=3&cursor=\(cursor)", expecting: 200)
        #expect(first.ids.count == 3)
        #expect(second.ids.count == 1)
        #expect(Set(first.ids + second.ids).count == 4)
        try await manager.call("GET", "\(Self.path)?filter[kind]=novel", expecting: 400)
        try await manager.call(
            "GET", "\(Self.path)?filter[kind]=album&cursor=\(cursor)", expecting: 400)
    }

    @Test func `another team, and a role that may not, get nowhere`() async throws {
        let id = try await make()
        let path = "\(Self.path)/\(id)"
        let before = try await manager.call("GET", path, expecting: 200)
        try await stranger.refused("notFound", 404, "GET", path)
        try await stranger.refused(
            "notFound", 404, "PATCH", path, change(id, ["state": "ON_SALE"]))
        try await stranger.refused("notFound", 404, "GET", "\(path)/media")
        #expect(try await stranger.call("GET", Self.path, expecting: 200).ids.isEmpty)
        try await finance.call("PATCH", path, change(id, ["state": "ON_SALE"]), expecting: 403)
        try await finance.call("POST", Self.path, Self.item(), expecting: 403)
        // A part of another team's album is no way in.
        try await stranger.refused(
            "notFound", 404, "POST", Self.path,
            Self.item("song", "Mine", genre: 20, to: ["parent": ("items", id)]))
        #expect(try await manager.call("GET", path, expecting: 200) == before)
    }
}
