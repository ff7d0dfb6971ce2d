import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StorePages
import StoreServer
import StoreTestSupport
import Testing

/// A store with a few items, and a browser in it.
struct StorefrontShop: Sendable {
    let shop: TestStore
    let environment: StoreEnvironment
    let browser: PageBrowser

    init(
        _ environment: StoreEnvironment = .production, clock: any StoreClock = SystemClock()
    ) async throws {
        shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
        self.environment = environment
        browser = PageBrowser(port: shop.server.port)
    }

    /// The address of a page below the environment.
    func url(_ path: String) -> String { shop.server.address + environment.pathPrefix + path }

    func open(_ path: String) async throws -> PageBrowser.Page {
        try await browser.open(url(path))
    }

    /// What comes without cookies, and without redirects being followed.
    func get(
        _ path: String, headers: [(name: String, value: String)] = []
    ) async throws -> HTTPResponse {
        try await LoopbackClient(port: shop.server.port).send(
            HTTPRequest(
                method: "GET", path: environment.pathPrefix + path,
                headers: HTTPHeaders(headers)))
    }

    func signIn(_ email: String = TestStore.american) async throws {
        let page = try await open("/us/account")
        _ = try await browser.submit(
            page, "signIn", ["email": email, "password": TestStore.password])
    }

    func account(_ email: String = TestStore.american) async throws -> Account {
        try await shop.store.services.accounts.account(email: email, environment: environment)
    }

    /// Puts an item on sale.
    ///
    /// - Parameter hasFile: whether its buyers get a file; nil for all but albums and seasons.
    @discardableResult
    func add(
        _ title: String, _ kind: ItemKind = .ebook, price: Int64 = 4990,
        hasFile: Bool? = nil, _ change: @escaping @Sendable (inout ItemDetails) -> Void = { _ in }
    ) async throws -> ItemID {
        try await shop.store.database.write { repositories in
            let team = try repositories.sampleApp().teamID
            var details = ItemDetails(
                kind: kind, title: title, genres: Genre.root(of: kind).children.prefix(1).map(\.id),
                prices: ItemPrices(own: ["USA": price, "JPN": 500_000]))
            change(&details)
            let item = try repositories.items.insert(
                details, id: nil, of: team, state: .onSale, at: SampleItems.date
            ).id
            if hasFile ?? !kind.isCollection { try repositories.addFile(to: item) }
            return item
        }
    }

    /// Puts an album with one song, which has a file, on sale.
    func addAlbum() async throws -> (album: ItemID, song: ItemID) {
        let album = try await add("Songs", .album)
        let song = try await add("Waltz", .song, price: 990) {
            $0.parent = album
            $0.facts.trackNumber = 1
        }
        try await addDownload(
            Data("ID3".utf8) + SampleShop.noise(500, seed: 1), named: "waltz.mp3", to: song)
        return (album, song)
    }

    func addArtist(_ name: String, _ type: ArtistType = .author) async throws -> ArtistID {
        try await shop.store.database.write { repositories in
            let team = try repositories.sampleApp().teamID
            return try repositories.items.insert(
                Artist(id: ArtistID(number: 0), team: team, name: name, type: type),
                isNumbered: false
            ).id
        }
    }

    func change(
        _ id: ItemID, _ change: @escaping @Sendable (inout Item) -> Void
    ) async throws {
        try await shop.store.database.write { repositories in
            var item = try #require(try repositories.items.item(id))
            change(&item)
            try repositories.items.update(item, at: SampleItems.date)
        }
    }

    /// Gives an item a file that buyers download.
    func addDownload(_ bytes: Data, named name: String, to id: ItemID) async throws {
        _ = try shop.folder.write(name, bytes)
        _ = try await shop.store.services.itemMedia.add(
            shop.folder.file(name), kind: .download, fileName: name, to: id, by: .machine)
    }

    /// Gets an item on a page, as customers do.
    func buy(_ id: ItemID) async throws -> PageBrowser.Page {
        try await browser.submit(try await open("/us/buy/\(id)"), "buy")
    }

    /// Writes a review on a page.
    func review(
        _ id: ItemID, _ rating: Int, _ title: String, _ body: String, by name: String = "Ada"
    ) async throws -> PageBrowser.Page {
        try await browser.submit(
            try await open("/us/review/\(id)"), "save",
            ["rating": String(rating), "title": title, "body": body, "nickname": name])
    }
}
