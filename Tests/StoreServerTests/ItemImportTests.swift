import Foundation
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

@Suite struct ItemImportTests {
    private let opened: OpenedStore
    private var store: Store { opened.store }

    init() async throws {
        opened = try await OpenedStore()
        _ = try await opened.store.database.write {
            try $0.catalog.save(TeamDraft(name: "Example", hasPaidAgreement: true))
        }
    }

    private func run(_ lines: [String], named name: String = "items.jsonl") async throws
        -> ItemImportProgress
    {
        try opened.folder.write(name, lines.joined(separator: "\n"))
        return try await store.importItems(opened.folder.file(name))
    }

    private func item(_ number: Int64) async throws -> StorefrontItem? {
        try await store.services.storefront.item(ItemID(number: number), in: .unitedStates)
    }

    private static let album = """
        {"wrapperType":"collection","collectionType":"Album","collectionId":120954021,\
        "artistId":909253,"artistName":"Jack","collectionName":"Between","collectionPrice":9.99,\
        "primaryGenreName":"Rock","country":"USA","currency":"USD"}
        """

    private static func song(_ number: Int) -> String {
        """
        {"wrapperType":"track","kind":"song","collectionId":120954021,"artistId":909253,\
        "trackId":\(200_000_000 + number),"artistName":"Jack","collectionName":"Between",\
        "trackName":"Song \(number)","trackNumber":\(number),"primaryGenreName":"Rock",\
        "collectionPrice":9.99,"country":"USA","currency":"USD"}
        """
    }

    @Test func `parts can stand before their whole, and the second time changes nothing`()
        async throws
    {
        let lines = (1...600).map(Self.song) + [Self.album]
        let first = try await run(lines)
        #expect(first.problems.isEmpty && first.lines == 601)
        #expect(first.outcome.created == 601 && first.outcome.artists == 1)
        let parts = try await store.services.storefront.parts(
            of: ItemID(number: 120_954_021), in: .unitedStates)
        #expect(parts.count == 600 && parts.last?.text.title == "Song 600")
        #expect(parts.first?.artist?.id.number == 909_253)
        let generation = try await store.database.storefrontGeneration()
        let again = try await run(lines)
        #expect(again.outcome.created == 0 && again.outcome.unchanged == 601)
        #expect(try await store.database.storefrontGeneration() == generation)
    }

    @Test func `an album that no line is about is made of its songs`() async throws {
        let result = try await run([Self.song(1), Self.song(2)])
        #expect(result.problems.isEmpty && result.outcome.created == 3)
        let album = try await item(120_954_021)
        #expect(album?.kind == .album && album?.text.title == "Between")
        #expect(album?.price?.thousandths == 9_990)
    }

    @Test func `what staff took down stays away, whoever brings it in again`() async throws {
        let line = #"{"kind":"ebook","trackId":300000001,"trackName":"Good","genreIds":["9031"]}"#
        #expect(try await run([line]).problems.isEmpty)
        let id = ItemID(number: 300_000_001)
        let items = store.services.items
        _ = try await items.setState(.removed, of: id, by: .machine)
        let result = try await run([line])
        #expect(result.problems.isEmpty && result.outcome.unchanged == 1)
        let kept = try await items.item(id, by: .machine)
        #expect(kept.state == .removed && kept.takenDown != nil)
        _ = try await items.setState(.onSale, of: id, by: .machine)
        #expect(try await item(300_000_001) != nil)
    }

    @Test func `a wrong line is named, and its batch left out`() async throws {
        let good = (1...500).map(Self.song)
        let wrong = [
            #"{"kind":"ebook","trackId":300000001,"trackName":"Good"}"#, "{",
            #"{"kind":"ebook","trackName":"A","genreIds":["1"],"primaryGenreId":1}"#, "",
            #"{"kind":"ebook","trackName":"A","sellerUrl":"javascript:x"}"#,
            #"{"kind":"tv-episode","trackName":"A","collectionId":5}"#,
            "\"" + String(repeating: "x", count: ItemImport.longestLine + 5) + "\"",
            #"{"kind":"ebook","trackName":"A","artwork":"../../etc/passwd"}"#,
        ]
        let result = try await run(good + wrong)
        #expect(result.problems.map(\.line) == [502, 503, 505, 507, 508])
        #expect(
            result.problems.map(\.refusal.rule) == ["json", "genre", "url", "lineLength", "path"])
        #expect(try await item(300_000_001) == nil)
        #expect(try await item(200_000_001) != nil)
        for problem in result.problems {
            #expect(problem.description.hasPrefix("line \(problem.line): "))
        }
    }

    @Test(arguments: [
        (#""trackId":1.5"#, "trackId", "is not a whole number"),
        (#""trackId":99999999999999999999"#, "trackId", "is not a whole number"),
        (#""trackId":"x""#, "trackId", "is not a whole number"),
        (#""trackId":-4"#, "trackId", "can't be the number"),
        (#""trackId":0"#, "trackId", "can't be the number"),
        (#""price":-5"#, "price", "is not a price"),
        (#""price":"x""#, "price", "is not a number"),
        (#""trackName":"a\u0000""#, "trackName", "can't be seen"),
        (#""artwork":"none.jpg""#, "artwork", "can't be read"),
        (#""previews":["items.jsonl"]"#, "previews", ""),
        (#""releaseDate":"soon""#, "releaseDate", "is not a date"),
        (#""translations":{"?":{}}"#, "translations", "is not a language"),
    ])
    func `the field that is wrong is named as in the line`(
        _ value: String, _ field: String, _ problem: String
    ) async throws {
        let name = field == "trackName" ? "" : #""trackName":"A","#
        let result = try await run([#"{"kind":"song",\#(name)\#(value)}"#])
        #expect(result.problems.map(\.refusal.field) == [field])
        #expect(result.problems.first?.description.contains(problem) == true || problem.isEmpty)
        #expect(result.outcome.created == 0)
    }

    @Test func `a line with a price that brings no file is refused, with what would help`()
        async throws
    {
        try opened.folder.write("book.pdf", "%PDF-1.4\n")
        let book = #"{"kind":"ebook","trackId":300000001,"trackName":"A","price":0.99"#
        let free = #"{"kind":"ebook","trackName":"B","price":0}"#
        let refused = try await run([book + "}", free])
        #expect(refused.problems.map(\.refusal.rule) == ["nothingToFetch", "nothingToFetch"])
        #expect(refused.problems.map(\.refusal.field) == ["download", "download"])
        #expect(try await item(300_000_001) == nil)
        #expect(try await run([book + #","state":"DRAFT"}"#]).problems.isEmpty)
        let whole = book + #","download":"book.pdf"}"#
        #expect(try await run([whole]).problems.isEmpty)
        #expect(try await item(300_000_001)?.obstacle == nil)

        // What is on sale stays, and is not sold; nothing new is put on sale.
        let team = try #require(try await store.database.read { try $0.catalog.onlyTeam() }).id
        _ = try await store.services.people.agreements.terminate(
            .paidApps, of: team, by: .machine)
        #expect(try await run([whole]).problems.isEmpty)
        #expect(try await item(300_000_001)?.obstacle == .noPaidAgreement)
        let second = whole.replacingOccurrences(of: "300000001", with: "300000002")
        #expect(try await run([second]).problems.map(\.refusal.rule) == ["noPaidAgreement"])
    }

    @Test func `what the search API says is not sold by itself has no price`() async throws {
        let result = try await run([
            #"{"kind":"song","trackId":300000001,"trackName":"A","trackPrice":-1}"#
        ])
        #expect(result.problems.isEmpty)
        #expect(try await item(300_000_001)?.price == nil)
    }

    @Test func `files beside the lines become media, and none from elsewhere`() async throws {
        try opened.folder.write("shop/art/cover.png", SamplePicture.square(600))
        try opened.folder.write("shop/one.png", SamplePicture.square(400))
        try opened.folder.write("shop/two.png", SamplePicture.square(500))
        try opened.folder.write("secret.png", SamplePicture.square(600))
        try FileManager.default.createSymbolicLink(
            at: opened.folder.file("shop/link.png"),
            withDestinationURL: opened.folder.file("secret.png"))
        func line(_ fields: String) -> String {
            #"{"kind":"ebook","trackId":300000001,"trackName":"A",\#(fields)}"#
        }
        let first = try await run(
            [line(#""artwork":"art/cover.png","screenshots":["one.png","two.png"]"#)],
            named: "shop/items.jsonl")
        #expect(first.problems.isEmpty && first.outcome.media == 3)
        let seen = try #require(try await item(300_000_001))
        #expect(seen.artwork?.fileName == "cover.png")
        #expect(seen.media(.screenshot).map(\.fileName) == ["one.png", "two.png"])
        _ = try await run([line(#""screenshots":["two.png"]"#)], named: "shop/items.jsonl")
        let fewer = try #require(try await item(300_000_001))
        #expect(fewer.media(.screenshot).map(\.fileName) == ["two.png"])
        #expect(fewer.artwork == seen.artwork)
        for path in ["../secret.png", "/etc/passwd", "link.png", "", ".", "art//cover.png"] {
            let wrong = try await run([line(#""artwork":"\#(path)""#)], named: "shop/items.jsonl")
            #expect(wrong.problems.map(\.refusal.rule) == ["path"], "\(path)")
        }
    }

    @Test func `an app's line belongs to the app of this store`() async throws {
        try await opened.importShop()
        let app = try #require(
            try await store.database.read { try $0.catalog.app(SampleShop.bundleID) })
        let team = try #require(try await store.database.read { try $0.catalog.team(app.teamID) })
        try opened.folder.write(
            "app.jsonl",
            """
            {"kind":"software","trackId":364709193,"bundleId":"\(SampleShop.bundleID)",\
            "trackName":"Shop","price":0,"fileSizeBytes":"1234","genreIds":["6018"]}
            """)
        let result = try await store.importItems(
            opened.folder.file("app.jsonl"), teamName: team.name)
        #expect(result.problems.isEmpty)
        let listed = try await item(app.id.number)
        #expect(listed?.app?.id == app.id && listed?.item.details.facts.fileSize == 1_234)
        #expect(try await item(364_709_193) == nil)
        let again = try await store.importItems(
            opened.folder.file("app.jsonl"), teamName: team.name)
        #expect(again.outcome.unchanged == 1)
    }

    @Test(arguments: [nil, "Low Water Press"])
    func `the first team of a store comes with its first items`(name: String?) async throws {
        let opened = try await OpenedStore()
        try opened.folder.write("items.jsonl", Self.album)
        let file = opened.folder.file("items.jsonl")
        for _ in 1...2 { _ = try await opened.store.importItems(file, teamName: name) }
        let team = try await opened.store.database.read { try $0.catalog.onlyTeam() }
        #expect(team?.name == name ?? "Publisher" && team?.hasPaidAgreement == true)
        // A name that is mistyped makes no second one.
        await #expect(throws: ConnectRefusal.self) {
            try await opened.store.importItems(file, teamName: "Somebody")
        }
    }

    @Test func `nobody brings items in for others, or over theirs`() async throws {
        _ = try await run([Self.album])
        let other = try await store.database.write {
            try $0.catalog.save(TeamDraft(name: "Other", hasPaidAgreement: true))
        }
        let stranger = ConnectActor(
            kind: .person(PersonID(number: 2), email: "eve@example.com"), team: other.id,
            roles: [.admin])
        let file = opened.folder.file("items.jsonl")
        await #expect(throws: ConnectRefusal.self) {
            try await store.importItems(file, teamName: "Example", by: stranger)
        }
        await #expect(throws: ConnectRefusal.self) { try await store.importItems(file) }
        let result = try await store.importItems(file, by: stranger)
        #expect(result.problems.map(\.refusal.rule) == ["notFound"])
        #expect(result.outcome.created == 0)
    }
}
