import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Whatever somebody types is a search, never an error.
@Suite(.usesDrivers) struct HostileTermTests {
    private static let pieces: [String] = [
        "\"", "'", "*", "^", "(", ")", "{", "}", ":", "-", "+", "NEAR(", "NEAR/2", "AND", "OR",
        "NOT", "title", "title:", "marks :", "rowid", "--", ";", "DROP TABLE item", "\\", "%",
        "_", "\u{0}", "\u{1}", "\u{7F}", "\u{FFFD}", "\u{FEFF}", "\u{202E}", "\u{200D}", "👩‍👩‍👧‍👦",
        "東", "東京", "ガ", "か\u{3099}", "한", "ก", "กำ", "e\u{301}", "\u{301}", "İ", "ß", "ﷺ",
        "\"\u{301}", "'\u{301}", "\\\u{301}", "\u{600}\"", "\u{10FFFF}", "\u{E000}", "a", "ab",
        "abcd", "word", "1", "12", "1e9", " ", "\t", "\n",
        "\r\n", "<script>", "&amp;", "${x}", "{{x}}", "../..", "https://a", "🇺🇸", "𝒳", "①", "Ⅻ",
    ]

    /// Each piece alone, and some of them together; `TEST_TERMS=2000` tries as many.
    private static let count: Int =
        ProcessInfo.processInfo.environment["TEST_TERMS"].flatMap { Int($0) } ?? 400

    @Test(arguments: StoreDriver.all)
    func `hostile terms give no error`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        try await fixture.add("Word and title", .album, artist: "Near Or Not")
        try await fixture.add("東京", .song) { $0.texts["en_US"]?.description = "marks : rowid" }
        var random = SeededRandom(seed: 7)
        var terms = Self.pieces + Self.pieces.map { String(repeating: $0, count: 10_000) }
        terms.append("")
        while terms.count < Self.count {
            let count = Int.random(in: 1...8, using: &random)
            let parts = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
            terms.append(parts.joined(separator: Bool.random(using: &random) ? "" : " "))
        }
        let attributes: [ItemAttribute?] = [nil] + ItemAttribute.allCases
        for (number, term) in terms.enumerated() {
            let attribute = attributes[number % attributes.count]
            _ = try await fixture.search(term, in: number % 3 == 0 ? nil : attribute)
            if number % 5 == 0 {
                let query = ItemQuery(
                    term: term, kinds: [], attribute: number % 2 == 0 ? nil : attribute,
                    storefront: .unitedStates)
                _ = try await fixture.storefront.searchArtists(query)
            }
        }
        #expect(try await fixture.search("word") == ["Word and title"])
    }

    @Test(arguments: StoreDriver.all)
    func `offsets and limits out of range find nothing`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        try await fixture.add("Word")
        for (offset, limit) in [(0, 0), (0, -1), (-1, 5), (Int.max, 5), (5_001, 1)] {
            let found = try await fixture.search("word") { ($0.offset, $0.limit) = (offset, limit) }
            #expect(found == [])
        }
    }
}
