import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// The pages about items, as somebody in the portal uses them.
struct ItemPageTests {
    private let shop: TestStore
    private let team: Int64
    private let portal: PortalClient

    private static let hostile = "<script>alert('1')</script>\" onload=x"

    init() async throws {
        shop = try await TestStore(hasContent: false)
        team = try await shop.store.database.read {
            try $0.sampleApp().teamID
        }
        portal = PortalClient(
            shop.store, roles: [.appManager], team: .init(id: team, name: "Publisher"))
    }

    private static let fields = [
        "kind": "ebook", "primaryLocale": "en-US", "title": "The Lighthouse",
        "description": "A light.", "artist": "Hanna Holm", "genreIds": "9031", "prices": "3",
    ]

    /// Makes an item with the form, and gives the path of its page.
    private func make(_ changes: [String: String] = [:]) async throws -> String {
        let form = try await portal.open("/connect/items/new?kind=ebook")
        let answer = try await portal.send(
            form, to: "/connect/items", Self.fields.merging(changes) { $1 })
        #expect(answer.status == 303, "\(answer.words)")
        return try #require(answer.location)
    }

    private func item(_ path: String) async throws -> Item {
        let text = try #require(path.split(separator: "/").last.map(String.init))
        return try await shop.store.services.items.item(
            try #require(ItemID(text)), by: .machine)
    }

    @Test func `an item is made with the form, listed and searched`() async throws {
        let kinds = try await portal.open("/connect/items/new")
        #expect(kinds.words.contains("Audiobook"))
        let path = try await make()
        let item = try await item(path)
        #expect(item.state == .draft)
        #expect(item.details.genres == [9031])
        #expect(item.details.prices == ItemPrices(tier: "3"))
        let page = try await portal.open(path)
        #expect(page.words.contains("The Lighthouse"))
        #expect(page.text.contains("value=\"Hanna Holm\""))
        let list = try await portal.open("/connect/items?search=lighthouse&kind=ebook")
        #expect(list.words.contains("The Lighthouse"))
        let none = try await portal.open("/connect/items?kind=album")
        #expect(none.words.contains("No items"))
        // The same name is the same artist.
        let second = try await make(["title": "Second"])
        #expect(try await self.item(second).details.artist == item.details.artist)
    }

    @Test func `hostile strings in every field are shown as text, and nothing else`() async throws {
        let path = try await make([
            "title": Self.hostile, "description": Self.hostile, "artist": Self.hostile,
        ])
        let form = try await portal.open(path)
        let saved = try await portal.send(
            form, to: path,
            [
                "genreIds": "9031", "explicitness": "explicit", "primaryLocale": "en-US",
                "artist": Self.hostile, "sellerName": Self.hostile, "copyright": Self.hostile,
                "keywords": "\(Self.hostile)\r\nsecond", "publisher": Self.hostile,
            ])
        #expect(saved.status == 303, "\(saved.words)")
        let item = try await item(path)
        #expect(item.details.facts.sellerName == Self.hostile)
        #expect(item.details.facts.keywords == [Self.hostile, "second"])
        #expect(item.details.explicitness == .explicit)
        for view in ["", "/texts", "/texts/en-US", "/prices", "/media", "/state"] {
            let page = try await portal.open(path + view)
            #expect(page.status == 200)
            #expect(!page.text.contains("<script>alert"), "\(view)")
            #expect(!page.text.contains("\" onload=x"), "\(view)")
        }
        let list = try await portal.open("/connect/items")
        #expect(list.text.contains("&lt;script&gt;"))
        #expect(!list.text.contains("<script>alert"))
    }

    @Test func `what the rules refuse comes back with what was typed`() async throws {
        let form = try await portal.open("/connect/items/new?kind=ebook")
        for (field, value, sentence) in [
            ("title", " ", "title"), ("genreIds", "", "No genre is chosen."),
            ("collectionId", "abc", "This is no number of an item."),
        ] as [(String, String, String)] {
            let answer = try await portal.send(
                form, to: "/connect/items", Self.fields.merging([field: value]) { $1 })
            #expect(answer.status == 422, "\(field)")
            #expect(answer.words.contains(sentence), "\(field): \(answer.words)")
            #expect(answer.text.contains("A light."))
        }
        let path = try await make()
        let wrong = try await portal.send(
            form, to: path,
            ["genreIds": "9031", "supportUrl": "javascript:alert(1)", "fileSizeBytes": "1"])
        #expect(wrong.status == 422)
        #expect(wrong.text.contains("aria-describedby=\"field-supportUrl-problem\""))
        let number = try await portal.send(
            form, to: path, ["genreIds": "9031", "fileSizeBytes": "many"])
        #expect(number.words.contains("This is no whole number."))
        #expect(try await item(path).details.facts.supportURL == nil)
    }

    @Test func `languages are added, changed and removed`() async throws {
        let path = try await make()
        let form = try await portal.open("\(path)/texts/new")
        let added = try await portal.send(
            form, to: "\(path)/texts",
            ["locale": "ja", "title": "灯台", "description": "一\r\n二"])
        #expect(added.location == "\(path)/texts")
        #expect(try await item(path).details.texts["ja"]?.description == "一\n二")
        let again = try await portal.send(
            form, to: "\(path)/texts", ["locale": "ja", "title": "灯台"])
        #expect(again.status == 422)
        let changed = try await portal.send(
            form, to: "\(path)/texts/ja", ["title": "灯台二"])
        #expect(changed.status == 303)
        #expect(try await item(path).details.texts["ja"]?.title == "灯台二")
        #expect(try await portal.send(form, to: "\(path)/texts/ja/delete").status == 303)
        #expect(try await item(path).details.texts.keys.sorted() == ["en_US"])
        #expect(try await portal.send(form, to: "\(path)/texts/en-US/delete").status == 422)
        #expect(try await portal.open("\(path)/texts/xx").status == 404)
    }

    @Test func `prices follow a tier, with exceptions and storefronts`() async throws {
        let path = try await make()
        let form = try await portal.open("\(path)/prices")
        let saved = try await portal.send(
            form, to: "\(path)/prices", ["prices": "5", "sold": "selected"],
            lists: ["storefronts": ["USA", "JPN"]])
        #expect(saved.status == 303, "\(saved.words)")
        let own = try await portal.send(
            form, to: "\(path)/prices/own", ["territory": "JPN", "price": "150"])
        #expect(own.status == 303)
        var prices = try await item(path).details.prices
        #expect(
            prices == ItemPrices(tier: "5", own: ["JPN": 150_000], storefronts: ["USA", "JPN"]))
        for (target, fields) in [
            ("/prices", ["prices": "5", "sold": "selected"]),
            ("/prices", ["prices": "1000", "sold": "everywhere"]),
            ("/prices/own", ["territory": "JPN", "price": "-1"]),
            ("/prices/own", ["territory": "XYZ", "price": "1"]),
        ] as [(String, [String: String])] {
            let answer = try await portal.send(form, to: path + target, fields)
            #expect(answer.status == 422, "\(target) \(fields)")
        }
        let back = try await portal.send(
            form, to: "\(path)/prices/own", ["territory": "JPN", "price": ""])
        #expect(back.status == 303)
        prices = try await item(path).details.prices
        #expect(prices.own.isEmpty)
    }

    @Test func `rental prices of single storefronts stay when the tier changes`() async throws {
        let path = try await make(["kind": "feature-movie", "genreIds": "4401"])
        let id = try await item(path).id
        let rental = ItemPrices(own: ["USA": 3990, "DEU": 3490])
        _ = try await shop.store.services.items.change(id, by: .machine) {
            $0.rentalPrices = rental
        }
        let form = try await portal.open("\(path)/prices")
        #expect(form.words.contains("Only storefronts with a price of their own"))
        let saved = try await portal.send(
            form, to: "\(path)/prices",
            ["prices": "11", "sold": "everywhere", "rentalPrices": "own"])
        #expect(saved.status == 303, "\(saved.words)")
        #expect(try await item(path).details.rentalPrices == rental)
        let ended = try await portal.send(
            form, to: "\(path)/prices",
            ["prices": "11", "sold": "everywhere", "rentalPrices": ""])
        #expect(ended.status == 303)
        #expect(try await item(path).details.rentalPrices == nil)
    }

    @Test func `an item is put on sale after a question, and taken away again`() async throws {
        let path = try await make()
        let id = try await item(path).id
        try await shop.store.database.write { try $0.addFile(to: id) }
        let question = try await portal.open("\(path)/state?to=ON_SALE")
        #expect(question.words.contains("Put The Lighthouse on sale?"))
        #expect(try await item(path).state == .draft)
        let sold = try await portal.send(question, to: "\(path)/state", ["state": "ON_SALE"])
        #expect(sold.location == path)
        #expect(try await item(path).state == .onSale)
        let page = try await portal.open(path)
        #expect(page.text.contains("/us/book/the-lighthouse/id"))
        _ = try await portal.send(question, to: "\(path)/state", ["state": "REMOVED"])
        #expect(try await item(path).state == .removed)
        let wrong = try await portal.send(question, to: "\(path)/state", ["state": "SOLD_OUT"])
        #expect(wrong.status == 422)
    }

    @Test func `what could not be sold is not put on sale, and its page leads to what is missing`()
        async throws
    {
        let path = try await make()
        let page = try await portal.open("\(path)/state?to=ON_SALE")
        #expect(page.words.contains("would receive no file"))
        #expect(page.text.contains("href=\"\(path)/media\""))
        #expect(!page.text.contains("name=\"state\""))
        let form = try await portal.open(path)
        let forced = try await portal.send(form, to: "\(path)/state", ["state": "ON_SALE"])
        #expect(forced.status == 422)
        #expect(try await item(path).state == .draft)

        let id = try await item(path).id
        try await shop.store.database.write { try $0.addFile(to: id) }
        _ = try await shop.store.services.people.agreements.terminate(
            .paidApps, of: team, by: .machine)
        let other = try await portal.open("\(path)/state?to=ON_SALE")
        #expect(other.words.contains("Paid Apps agreement is not in force"))
        #expect(other.text.contains("href=\"/connect/agreements\""))
        _ = try await portal.send(form, to: "\(path)/state", ["state": "ON_SALE"])
        #expect(try await item(path).state == .draft)
    }

    // MARK: Media

    /// Sends a file as browsers do.
    private func upload(
        _ bytes: Data, _ name: String, _ kind: String, to path: String
    ) async throws -> PortalClient.Page {
        let page = try await portal.open("\(path)/media")
        var body = Data()
        func part(_ head: String, _ content: Data) {
            body += Data("--mark\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8)
            body += content + Data("\r\n".utf8)
        }
        part("name=\"form\"", Data((page.formToken ?? "").utf8))
        part("name=\"kind\"", Data(kind.utf8))
        part("name=\"fileName\"; filename=\"\(name)\"", bytes)
        body += Data("--mark--\r\n".utf8)
        return await portal.send(
            HTTPRequest(
                method: "POST", path: "\(path)/media",
                headers: [
                    "Content-Type": "multipart/form-data; boundary=mark",
                    "Sec-Fetch-Site": "same-origin",
                ], body: body))
    }

    @Test func `pictures are added, shown, ordered and removed`() async throws {
        let path = try await make()
        let added = try await upload(SamplePicture.square(600), "cover.png", "artwork", to: path)
        #expect(added.location == "\(path)/media", "\(added.words)")
        for number in 1...3 {
            let colour = UInt32(number) << 8 | 0xFF
            let answer = try await upload(
                SamplePicture.square(400, colour), "\(number).png", "screenshot", to: path)
            #expect(answer.status == 303, "\(answer.words)")
        }
        let id = try await item(path).id
        let service = shop.store.services.itemMedia
        func names() async throws -> [String] {
            try await service.media(of: id, by: .machine).filter { $0.kind == .screenshot }
                .map(\.fileName)
        }
        #expect(try await names() == ["1.png", "2.png", "3.png"])
        let page = try await portal.open("\(path)/media")
        let last = try await service.media(of: id, by: .machine).last { $0.kind == .screenshot }
        let own = "\(path)/media/\(try #require(last).id.text)"
        #expect(page.text.contains("\(own)/file"))
        #expect(try await portal.open("\(own)/file").headers["Content-Type"] == "image/png")
        _ = try await portal.send(page, to: "\(own)/move", ["position": "1"])
        #expect(try await names() == ["3.png", "1.png", "2.png"])
        #expect(try await portal.send(page, to: "\(own)/move", ["position": "4"]).status == 422)
        #expect(try await portal.send(page, to: "\(own)/move", ["position": "0"]).status == 422)
        _ = try await portal.send(page, to: "\(own)/delete")
        #expect(try await names() == ["1.png", "2.png"])
        let text = try await upload(Data("no picture".utf8), "x.png", "screenshot", to: path)
        #expect(text.status == 422)
        let small = try await upload(SamplePicture.square(100), "x.png", "artwork", to: path)
        #expect(small.status == 422)
        #expect(try await names() == ["1.png", "2.png"])
    }

    @Test func `another team's item is not there`() async throws {
        let path = try await make()
        let other = try await shop.store.database.write {
            try $0.catalog.save(TeamDraft(name: "Other", hasPaidAgreement: true))
        }
        let stranger = PortalClient(
            shop.store, roles: [.admin], team: .init(id: other.id, name: "Other"))
        let form = try await stranger.open("/connect/items/new?kind=song")
        for view in ["", "/texts", "/prices", "/media", "/state"] {
            #expect(try await stranger.open(path + view).status == 404)
        }
        for action in ["", "/texts", "/texts/en-US", "/prices", "/prices/own", "/state"] {
            let answer = try await stranger.send(
                form, to: path + action,
                ["genreIds": "9031", "state": "ON_SALE", "title": "Mine", "territory": "USA"])
            #expect(answer.status == 404, "\(action)")
        }
        #expect(try await item(path).state == .draft)
        #expect(try await stranger.open("/connect/items").words.contains("No items"))
    }
}
