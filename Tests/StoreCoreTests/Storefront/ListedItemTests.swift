import Foundation
import StoreCore
import StoreModel
import Testing

@Suite struct ListedItemTests {
    private func details(_ json: String) throws -> ItemDetails {
        let item = try ListedItem(line: Data(json.utf8))
        guard case .item(let kind) = try item.subject() else {
            throw ListedItemProblem.noItem
        }
        return try item.details(of: kind)
    }

    private enum ListedItemProblem: Error { case noItem }

    @Test func `a song of the search API is read with all that it says`() throws {
        let song = try details(
            """
            {"wrapperType":"track","kind":"song","artistId":909253,"collectionId":120954021,
            "trackId":120954025,"artistName":"Jack","collectionName":"Between","trackName":"Upside",
            "collectionPrice":9.99,"trackPrice":1.29,"releaseDate":"2005-03-01T08:00:00Z",
            "collectionExplicitness":"notExplicit","trackExplicitness":"explicit","discCount":1,
            "discNumber":1,"trackCount":14,"trackNumber":1,"trackTimeMillis":208643,
            "country":"USA","currency":"USD","primaryGenreName":"Rock","isStreamable":true,
            "artworkUrl100":"https://example.com/100x100bb.jpg"}
            """)
        #expect(song.kind == .song && song.title == "Upside" && song.genres == [21])
        #expect(song.explicitness == .explicit && song.facts.trackNumber == 1)
        #expect(song.releaseDate == Date(timeIntervalSince1970: 1_109_664_000))
        #expect(song.facts.duration == 208_643 && song.facts.isStreamable == true)
        // No tier costs 1.29.
        #expect(song.prices == ItemPrices(own: ["USA": 1_290]))
    }

    @Test(arguments: [
        (#""price":0.99"#, ItemPrices(tier: "1")), (#""price":0"#, .free),
        (#""price":120,"country":"JP""#, ItemPrices(tier: "1")),
        (#""price":-1"#, ItemPrices()), (#""priceTier":5"#, ItemPrices(tier: "5")),
        (#""priceTier":"5","prices":{"jpn":500}"#, ItemPrices(tier: "5", own: ["JPN": 500_000])),
        (#""prices":{"US":2.5}"#, ItemPrices(own: ["USA": 2_500])),
        (
            #""price":0.99,"storefronts":["US","JPN"]"#,
            ItemPrices(tier: "1", storefronts: ["USA", "JPN"])
        ),
    ])
    func `prices are a tier, or one of each storefront`(
        fields: String, prices: ItemPrices
    ) throws {
        let book = try details(#"{"kind":"ebook","trackName":"A",\#(fields)}"#)
        #expect(book.prices == prices)
    }

    @Test(arguments: [
        (#"{"kind":"software"}"#, ListedItem.Subject.item(.software)),
        (#"{"kind":"book"}"#, .item(.ebook)),
        (#"{"wrapperType":"collection","collectionType":"Album"}"#, .item(.album)),
        (#"{"wrapperType":"collection","collectionType":"TV Season"}"#, .item(.tvSeason)),
        (#"{"wrapperType":"audiobook"}"#, .item(.audiobook)),
        (#"{"wrapperType":"artist","artistType":"Author"}"#, .artist(.author)),
    ])
    func `kinds are told by what results say`(
        line: String, subject: ListedItem.Subject
    ) throws {
        #expect(try ListedItem(line: Data(line.utf8)).subject() == subject)
    }

    @Test(arguments: [
        ("json", "not json"), ("json", "[1]"), ("json", #"{"kind":5}"#),
        ("json", #"{"kind":"ebook","trackId":"abc"}"#), ("kind", "{}"),
        ("kind", #"{"kind":"spaceship","trackName":"A"}"#),
        ("nameMissing", #"{"kind":"ebook"}"#),
        ("date", #"{"kind":"ebook","trackName":"A","releaseDate":"soon"}"#),
        ("date", #"{"kind":"ebook","trackName":"A","releaseDate":"0000-01-01T00:00:00Z"}"#),
        ("genre", #"{"kind":"ebook","trackName":"A","primaryGenreName":"Rock"}"#),
        ("explicitness", #"{"kind":"ebook","trackName":"A","trackExplicitness":"very"}"#),
        ("storefront", #"{"kind":"ebook","trackName":"A","prices":{"Mars":1}}"#),
        ("storefront", #"{"kind":"ebook","trackName":"A","price":1,"country":"XX"}"#),
        ("price", #"{"kind":"ebook","trackName":"A","prices":{"USA":-2}}"#),
        ("price", #"{"kind":"ebook","trackName":"A","price":1e300}"#),
        ("price", #"{"kind":"ebook","trackName":"A","price":0.9896}"#),
    ])
    func `what can't be read is refused with its field`(rule: String, line: String) {
        let refusal = #expect(throws: ConnectRefusal.self) { try details(line) }
        #expect(refusal?.rule == rule && refusal?.help.isEmpty == false)
    }
}
