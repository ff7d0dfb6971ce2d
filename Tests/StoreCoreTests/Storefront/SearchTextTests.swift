import Foundation
import StoreCore
import StoreTestSupport
import Testing

@Suite struct SearchTextTests {
    @Test(arguments: [
        ("Hello, World!", "hello world"), ("Café Zürich", "cafe zurich"),
        ("ÆSIR Straße Łódź", "aesir strasse lodz"), ("Don’t Stop", "dont stop"),
        ("AC/DC", "ac dc"), ("ﬁnal Ｗｉｄｅ", "final wide"), ("ЙОГУРТ", "иогурт"),
        ("Ελλάδας", "ελλαδασ"), ("", ""), ("…!?", ""), ("a\u{0}b", "a b"),
        ("naïve naïve", "naive naive"), ("हिन्दी", "हिन्दी"),
    ])
    func `words are small and without accents`(text: String, indexed: String) {
        #expect(SearchText.indexed(text) == indexed)
    }

    @Test(arguments: [
        ("東京都", ["東京", "京都", "都"]), ("猫", ["猫"]), ("トウキョウ", ["とう", "うき", "きょ", "ょう", "う"]),
        ("ガラス", ["がら", "らす", "す"]), ("iPhone対応", ["iphone", "対応", "応"]),
        ("사랑해", ["사랑", "랑해", "해"]), ("ノルウェイの森", ["のる", "るう", "うぇ", "ぇい", "いの", "の森", "森"]),
    ])
    func `runs without spaces are cut into pairs`(text: String, tokens: [String]) {
        #expect(SearchText.indexed(text) == tokens.joined(separator: " "))
    }

    @Test func `a letter is the same to searches whatever stands beside it`() {
        for scalar in (0x80..<0x280).compactMap({ Unicode.Scalar($0) }) {
            let word = "a\(scalar)b"
            // No letter has this mark, and searches do not see it.
            let marked = word + "\u{33F}"
            #expect(SearchText.words(word) == SearchText.words(marked), "\(scalar)")
            #expect(SearchText.indexed(word) == SearchText.indexed(marked), "\(scalar)")
        }
        let words = SearchText.words("Æther’s ŒUVRE Łódź")
        #expect(words.map(\.text) == ["aethers", "oeuvre", "lodz"])
    }

    /// Behind the alphabets one in sixteen; with `TEST_EXHAUSTIVE` every one.
    @Test func `every scalar can be searched for, and stand in a title or an address`() {
        var unsafe: Set<String> = []
        for scalar in SampleScalars.assigned() {
            let text = "a\(scalar) \(scalar)\(scalar)b"
            let term = SearchTerm(text)
            for word in term.words where TypingErrors.isGuessed(word) {
                _ = TypingErrors.parts(of: word.text)
            }
            _ = SearchText.indexed(text) + term.words.flatMap(\.tokens).joined()
            let slug = StorefrontLinks.slug(text)
            if !slug.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != 0x2F }) {
                unsafe.insert(slug)
            }
        }
        #expect(unsafe.isEmpty)
    }

    @Test func `any part of a run is one phrase of pairs`() {
        #expect(
            SearchText.words("東京都庁舎").map(\.tokens) == [["東京", "京都", "都庁", "庁舎", "舎"]])
        #expect(SearchText.words("京都庁").map(\.phrase) == [["京都", "都庁"]])
        #expect(SearchText.words("都").map(\.phrase) == [["都"]])
    }

    @Test func `a term is cut to what anybody means`() {
        let long = SearchTerm(String(repeating: "word ", count: 5_000))
        #expect(long.words.count == SearchTerm.mostWords)
        let one = SearchTerm(String(repeating: "x", count: 10_000))
        #expect(one.words.map(\.text.count) == [SearchTerm.longestWord])
        #expect(SearchTerm(" \u{0}\u{1F600} \"' ").isEmpty)
        #expect(SearchTerm("The Great  Escape").wholeTitle == "the great escape")
    }

    @Test func `words that one typing error makes of each other have a part in common`() {
        let pairs = [
            ("river", "rivr"), ("river", "riverr"), ("river", "rivet"), ("river", "rievr"),
            ("river", "rivers"), ("river", "driver"), ("anna", "ana"), ("песня", "песни"),
        ]
        for (typed, meant) in pairs {
            #expect(TypingErrors.isOne(from: typed, to: meant))
            #expect(TypingErrors.isOne(from: meant, to: typed))
            let parts = TypingErrors.parts(of: typed)
            #expect(!parts.isDisjoint(with: TypingErrors.parts(of: meant)), "\(typed) \(meant)")
        }
        for (typed, other) in [
            ("river", "river"), ("river", "rover2"), ("river", "rvier2"), ("abcd", "dbca"),
            ("abcd", "cabd"), ("", "ab"),
        ] {
            #expect(!TypingErrors.isOne(from: typed, to: other), "\(typed) \(other)")
        }
    }

    @Test func `some words are not guessed`() {
        #expect(SearchText.words("river").map { TypingErrors.isGuessed($0) } == [true])
        for word in ["cat", "東京都庁", "1234", String(repeating: "a", count: 30)] {
            #expect(SearchText.words(word).map { TypingErrors.isGuessed($0) } == [false])
        }
        for word in ["at", String(repeating: "a", count: 30)] {
            #expect(TypingErrors.parts(of: word).isEmpty)
        }
    }
}
