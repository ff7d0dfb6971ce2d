import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

@Suite(.usesDrivers) struct ItemContractTests {
    @Test(arguments: StoreDriver.all)
    func `an item is read as it was written`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        let album = try await fixture.add("Evening Light", .album, artist: "Test Band")
        let id = try await fixture.add("Slow Train", .song, artist: "Test Band") { details in
            details.parent = album
            details.genres = [21, 20]
            details.releaseDate = Date(timeIntervalSince1970: 1_109_923_200)
            details.explicitness = .explicit
            details.texts["ja_JP"] = ItemText(
                title: "遅い列車", subtitle: "a", description: "b\nc", shortDescription: "d",
                releaseNotes: "e")
            details.prices = ItemPrices(
                tier: "1", own: ["JPN": 150_000], storefronts: ["USA", "JPN"])
            details.rentalPrices = ItemPrices(own: ["USA": 990])
            details.upc = "0602498622346"
            details.amgVideoID = 7
            details.facts.trackNumber = 3
            details.facts.duration = 248_000
            details.facts.actors = ["A \"B\" <c>", "D"]
            details.facts.versionDate = Date(timeIntervalSince1970: 1_400_000_000)
            details.facts.isStreamable = true
        }
        let item = try await fixture.items.item(id, by: fixture.connect.admin)
        #expect(item.details.genres == [21, 20] && item.details.explicitness == .explicit)
        #expect(item.details.texts["ja_JP"]?.description == "b\nc")
        #expect(item.details.prices.own == ["JPN": 150_000])
        #expect(item.details.rentalPrices == ItemPrices(own: ["USA": 990]))
        #expect(item.details.facts.actors == ["A \"B\" <c>", "D"])
        #expect(item.details.facts.versionDate == Date(timeIntervalSince1970: 1_400_000_000))
        #expect(item.details.parent == album && item.details.facts.trackNumber == 3)
        let seen = try await fixture.storefront.item(id, in: .named("JPN")!)
        #expect(seen?.text.title == "遅い列車" && seen?.price?.thousandths == 150_000)
        #expect(seen?.parent?.text.title == "Evening Light" && seen?.artist?.name == "Test Band")
        #expect(seen?.sellerName == "Example" && seen?.rating.total == 0)
        #expect(try await fixture.storefront.item(id, in: .named("DEU")!) == nil)
        #expect(try await fixture.storefront.parts(of: album, in: .unitedStates).map(\.id) == [id])
        // What is written unchanged changes nothing.
        let generation = try await fixture.database.storefrontGeneration()
        _ = try await fixture.items.change(id, to: item.details, by: fixture.connect.admin)
        #expect(try await fixture.database.storefrontGeneration() == generation)
    }

    @Test(arguments: StoreDriver.all)
    func `lookups find items by each of their keys`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        let id = try await fixture.add("All Keys", .album) {
            $0.upc = "720642462928"
            $0.isbn = "9783161484100"
            $0.amgAlbumID = 520_524
            $0.amgVideoID = 17_120
            $0.bundleID = "com.example.keys"
        }
        let keys: [ItemKey] = [
            .upc("720642462928"), .isbn("9783161484100"), .amgAlbumID(520_524),
            .amgVideoID(17_120), .bundleID("com.example.keys"),
        ]
        for key in keys { #expect(try await fixture.storefront.ids(key) == [id], "\(key)") }
        #expect(try await fixture.storefront.ids(.upc("1")) == [])
        #expect(try await fixture.storefront.ids(.app(AppID(number: id.number))) == [])
    }

    @Test(arguments: StoreDriver.all)
    func `apps, purchases, items and artists have numbers of one sequence`(driver: StoreDriver)
        async throws
    {
        let fixture = try await ItemFixture(driver)
        let connect = fixture.connect
        let app = try await connect.app()
        let brought = try await fixture.add("Brought along", id: app.app.id.number + 1)
        #expect(brought.number == app.app.id.number + 1)
        let artist = try await fixture.items.createArtist(
            name: "Somebody", type: .author, of: connect.team, by: connect.admin)
        let given = try await fixture.add("Given")
        let first = app.app.id.number
        #expect(artist.id.number == first + 2 && given.number == first + 3)
        let product = try await connect.database.write { repositories in
            try repositories.catalog.save(
                SeededShop.product(SeededShop.chapter, .nonConsumable), in: app.app.id)
            return try repositories.products.number(
                of: SeededShop.chapter, in: app.app.id)
        }
        #expect(product?.number == first + 4)
        for taken in [first, brought.number, artist.id.number, first + 4, 1 << 40] {
            try await expectRefusal(
                taken == 1 << 40 ? "itemNumber" : "itemNumberTaken", in: connect
            ) { try await fixture.add("Taken", id: taken) }
        }
        // The next app passes over what is taken.
        let second = try await connect.app("com.example.second", sku: "SECOND")
        #expect(second.app.id.number == first + 5)
        _ = try await fixture.add("Next", id: first + 6)
        #expect(try await fixture.add("After").number == first + 7)
        // The number of a purchase leads to its app, once that has a page.
        let purchase = try #require(product)
        #expect(try await fixture.storefront.ids(.purchase(purchase)).isEmpty)
        try await connect.database.write { try $0.completeApp(app.app.id) }
        #expect(try await fixture.storefront.ids(.purchase(purchase)) == [ItemID(number: first)])
        // What an app had that is gone is nobody's.
        try await connect.apps.delete(second.app.id, by: connect.admin)
        try await expectRefusal("itemNumberTaken", in: connect) {
            try await fixture.add("Taken", id: first + 5)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `what refers to others has to fit them`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        let connect = fixture.connect
        let album = try await fixture.add("Album", .album)
        let book = try await fixture.add("Book")
        let cases: [(String, ItemKind, @Sendable (inout ItemDetails) -> Void)] = [
            ("parentKind", .song, { $0.parent = book }),
            ("noParent", .ebook, { $0.parent = album }),
            ("notFound", .song, { $0.parent = ItemID(number: 5) }),
            ("notFound", .song, { $0.artist = ArtistID(number: 5) }),
            ("notFound", .software, { $0.app = AppID(number: 99) }),
            ("genre", .song, { $0.genres = [1] }),
        ]
        for (rule, kind, change) in cases {
            try await expectRefusal(rule, in: connect) {
                try await fixture.add("Wrong", kind, change)
            }
        }
        let details = try await fixture.items.item(book, by: connect.admin).details
        var other = details
        other.kind = .song
        let changed = other
        try await expectRefusal("kindChanged", in: connect) {
            _ = try await fixture.items.change(book, to: changed, by: connect.admin)
        }
        try await expectRefusal("notFound", in: connect) {
            _ = try await fixture.items.change(book, to: details, by: connect.stranger)
        }
        try await expectRefusal("role", in: connect) {
            _ = try await fixture.items.setState(
                .draft, of: book, by: connect.member(.developer, .finance))
        }
        try await expectRefusal("notFound", in: connect) {
            _ = try await fixture.items.create(
                details, state: .draft, of: connect.team, by: connect.stranger)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `only staff put back what staff took down`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        let connect = fixture.connect
        let book = try await fixture.add("Book")
        func set(_ state: ItemState, by actor: ConnectActor) async throws -> Item {
            try await fixture.items.setState(state, of: book, by: actor)
        }
        // What its publisher has removed before can be taken down too.
        #expect(try await set(.removed, by: connect.admin).takenDown == nil)
        let takenDown = try await set(.removed, by: .machine)
        #expect(takenDown.takenDown == connect.clock.now())
        let refused: [@Sendable () async throws -> Void] = [
            { _ = try await fixture.items.setState(.onSale, of: book, by: connect.admin) },
            { _ = try await fixture.items.setState(.draft, of: book, by: connect.admin) },
            {
                _ = try await fixture.items.change(book, state: .onSale, by: connect.admin) {
                    $0.texts["en_US"]?.description = "New."
                }
            },
        ]
        for change in refused { try await expectRefusal("itemTakenDown", in: connect, change) }
        // Its texts can be corrected meanwhile, by staff too.
        for (actor, text) in [(connect.admin, "Corrected."), (.machine, "Corrected twice.")] {
            let item = try await fixture.items.change(book, by: actor) {
                $0.texts["en_US"]?.description = text
            }
            #expect(item.state == .removed && item.takenDown == takenDown.takenDown)
        }
        #expect(try await set(.removed, by: connect.admin).takenDown == takenDown.takenDown)
        let back = try await set(.onSale, by: .machine)
        #expect(back.state == .onSale && back.takenDown == nil)
        #expect(try await set(.removed, by: connect.admin).takenDown == nil)
        #expect(try await set(.onSale, by: connect.admin).state == .onSale)
    }

    @Test(arguments: StoreDriver.all)
    func `publishers page through their items`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        let connect = fixture.connect
        for number in 1...5 {
            try await fixture.add("Item \(number)", number == 2 ? .song : .ebook)
        }
        func titles(_ filter: ItemFilter, limit: Int = 10, cursor: String? = nil) async throws
            -> (titles: [String], next: String?)
        {
            let page = try await fixture.items.page(
                of: nil, filter, PageRequest(limit: limit, cursor: cursor), by: connect.admin)
            return (page.items.map(\.details.title), page.next)
        }
        let first = try await titles(ItemFilter(), limit: 3)
        #expect(first.titles == ["Item 5", "Item 4", "Item 3"])
        let second = try await titles(ItemFilter(), limit: 3, cursor: first.next)
        #expect(second.titles == ["Item 2", "Item 1"] && second.next == nil)
        #expect(try await titles(ItemFilter(kinds: [.song])).titles == ["Item 2"])
        #expect(try await titles(ItemFilter(states: [.draft])).titles == [])
        #expect(try await titles(ItemFilter(search: "ITEM 4")).titles == ["Item 4"])
        let others = try await fixture.items.page(
            of: nil, ItemFilter(), PageRequest(limit: 5), by: connect.stranger)
        #expect(others.items.isEmpty)
    }
}
