import StoreKernel
import Testing

@Suite("Text by its scalars")
struct ScalarTextTests {
    /// What joins a sign before it, or behind it, to one character: marks, a sign that Arabic
    /// puts before numbers, a tone of skin.
    private static let around: [(before: String, behind: String)] = [
        ("", ""), ("", "\u{301}"), ("", "\u{308}"), ("", "\u{338}"), ("\u{600}", ""),
        ("\u{600}", "\u{903}"), ("\r", ""), ("", "\u{200D}"), ("", "\u{1F3FB}"),
    ]

    @Test(arguments: ["\"", "'", "\\", "/", "%", "_", "=", ";", "&", "<", "\n"])
    func `a sign is found whatever it is joined to`(sign: String) throws {
        let scalar = try #require(sign.unicodeScalars.first)
        for (before, behind) in Self.around {
            let text = "a" + before + sign + behind + "b"
            let parts = text.split(scalar: scalar).map { Array($0.unicodeScalars) }
            let holds =
                text.contains(scalar: scalar) && text.contains(scalars: sign)
                && (sign + behind).hasPrefix(scalars: sign)
                && (before + sign).hasSuffix(scalars: sign)
            #expect(holds, "\(text.debugDescription)")
            #expect(
                parts == [
                    Array(("a" + before).unicodeScalars), Array((behind + "b").unicodeScalars),
                ])
            let replaced = Array("a\(before)<>\(behind)b".unicodeScalars)
            #expect(Array(text.replacing(scalar: scalar, with: "<>").unicodeScalars) == replaced)
            #expect(Array(text.replacing(scalars: sign, with: "<>").unicodeScalars) == replaced)
        }
    }

    @Test func `what only looks or counts alike is another scalar`() {
        #expect(!"a\u{37E}b".contains(scalar: ";"))
        #expect("a\u{1FEF}b".split(scalar: "`").count == 1)
        #expect(!"\u{212A}".hasPrefix(scalars: "K"))
    }

    @Test func `what is behind a beginning or before an end keeps its marks`() {
        #expect(
            "id\u{301}5".dropping(prefix: "id").map { Array($0.utf8) } == Array("\u{301}5".utf8))
        #expect("5\u{600}.xml".dropping(suffix: ".xml") == "5\u{600}")
        #expect("xml".dropping(suffix: ".xml") == nil)
        #expect("".dropping(prefix: "id") == nil)
        #expect(
            "a::b:c".split(scalar: ":", maxSplits: 1, omittingEmptySubsequences: false) == [
                "a", ":b:c",
            ])
        #expect("a---b".replacing(scalars: "--", with: "-") == "a--b")
    }
}
