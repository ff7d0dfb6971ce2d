import Foundation
@testable import StoreCore
import StoreTestSupport
import Testing

@Suite struct HoldRulesTests {
    private func rules(_ words: String..., all: Bool = false) -> HoldRules {
        HoldRules(StorefrontSettings(holdsReviews: all, heldWords: words))
    }

    @Test func `every scalar can be folded, and hides no word`() {
        let rules = rules("scam")
        var hiding: [Unicode.Scalar] = []
        for scalar in SampleScalars.assigned() {
            let folded = HoldRules.folded("\(scalar)a\(scalar)")
            if !folded.unicodeScalars.elementsEqual(HoldRules.folded(folded).unicodeScalars) {
                hiding.append(scalar)
            }
            if rules.reason(for: ["scam \(scalar)"]) == nil { hiding.append(scalar) }
            _ = HoldRules.hasAddress("a\(scalar)b.com")
        }
        #expect(hiding.isEmpty)
    }

    @Test(arguments: [
        "This is a scam.", "SCAM", "Sçåm!", "ｓｃａｍ", "what a\u{200B} s\u{200B}cam", "(scam)",
        "no scam, really", "scam", "a\nscam\nb", "free  money for you", "Free\nMoney",
        // Cyrillic and Greek letters, mathematical, circled and small ones.
        "s\u{441}\u{430}m", "\u{405}CAM", "\u{455}\u{441}\u{430}\u{43C}", "sc\u{3B1}m",
        "\u{1D4FC}\u{1D4EC}\u{1D4EA}\u{1D4F6}", "\u{24E2}\u{24D2}\u{24D0}\u{24DC}",
        "\u{FE68}scam", "s\u{AD}c\u{2060}a\u{34F}m\u{FE0F}", "s\u{5B0}\u{102E}cam",
        "scam\u{2028}\u{102E}", "\u{201C}\u{102E}scam", "\u{1F600}\u{102E}scam", "ｆree \u{43C}oney",
    ])
    func `a held word is found however it is written`(text: String) {
        #expect(rules("scam", "free money").reason(for: ["Ada", "", text]) != nil)
    }

    @Test(arguments: [
        "\u{441}\u{430}\u{43C}\u{43E}\u{43B}\u{451}\u{442}", "scam\u{43F}", "scampi for dinner",
        "landscam", "scam1", "freemoney", "", "s c a m", "free of money",
    ])
    func `what only contains it is another word`(text: String) {
        #expect(rules("scam", "free money").reason(for: ["Ada", "", text]) == nil)
    }

    @Test func `words of other writings are held as they are`() {
        let rules = rules("обман", "απάτη", "הונאה", "احتيال")
        for text in [
            "Это обман!", "ОБМАН", "Είναι ΑΠΑΤΗ", "הו\u{5B9}נ\u{5B8}אָה", "ا\u{650}ح\u{652}تيال",
        ] {
            #expect(rules.reason(for: ["", "", text]) != nil, "\(text)")
        }
        #expect(rules.reason(for: ["", "", "Обманщик, наверное"]) == nil)
    }

    @Test func `in writing without spaces a word stands anywhere`() {
        #expect(rules("詐欺").reason(for: ["", "", "これは詐欺です"]) != nil)
        #expect(rules("사기").reason(for: ["", "", "사기입니다"]) != nil)
        // Marks that no such writing has hide nothing.
        for marks in ["\u{301}", "\u{301}\u{308}", "\u{308}\u{301}\u{20DD}"] {
            #expect(rules("詐欺").reason(for: ["", "", "詐\(marks)欺\(marks)"]) != nil)
            #expect(rules("사기").reason(for: ["", "", "사\(marks)기\(marks)"]) != nil)
        }
        #expect(rules("詐欺").reason(for: ["", "", "これは良いです"]) == nil)
    }

    @Test func `the nickname and the title are looked at too`() {
        #expect(rules("scam").reason(for: ["Scam", "", ""]) != nil)
        #expect(rules("scam").reason(for: ["", "A scam", ""]) != nil)
    }

    @Test(arguments: [
        "see http://example.com", "HTTPS://EXAMPLE", "www.example", "go to example.com!",
        "example.com/free", "my-shop.xyz", "(shop.example.co.uk)", "ｅｘａｍｐｌｅ.com",
        "odd.place/of/mine", "ftp://files", "example\u{3002}com", "example\u{FF61}com",
        "example\u{2024}com", "ex\u{430}mple.\u{441}om", "\u{24D4}xample.\u{24D2}om",
        "ftp://\u{1F3FB}files", "odd.place/\u{1F3FB}of", "odd.place/\u{903}of",
        "example.com\u{1F3FB}", "example.\u{903}com",
    ])
    func `an address of the web is held`(text: String) {
        #expect(rules().reason(for: ["Ada", "", text])?.contains("address") == true)
    }

    @Test(arguments: [
        "Great.Love it", "3.5 of 5 stars", "e.g. this", "Wait... what", "and/or", "v1.2.3",
        "Mr.Smith", "the end.", ".com", "I.e.this",
    ])
    func `a full stop without a space is no address`(text: String) {
        #expect(rules().reason(for: ["Ada", "", text]) == nil)
    }

    @Test func `where all are held, only those that say nothing are not`() {
        #expect(rules(all: true).reason(for: ["Ada", "Fine", ""]) != nil)
        #expect(rules(all: true).reason(for: ["", "", ""]) == nil)
        #expect(rules().reason(for: ["Ada", "Fine", "Good."]) == nil)
    }

    @Test func `many words and a long text are no hurdle`() {
        let words = (0..<10_000).map { "word\($0)x" }
        let rules = HoldRules(StorefrontSettings(heldWords: words))
        let text = String(repeating: "word ", count: 1190)
        #expect(rules.reason(for: ["Ada", "", text]) == nil)
        #expect(rules.reason(for: ["Ada", "", text + "word9999x"]) != nil)
    }

    @Test func `a file of held words has one on each line`() throws {
        let text = "# list\nscam\n\n  free money \r\nCafé\n"
        #expect(try StorefrontSettings.heldWords(in: text) == ["scam", "free money", "Café"])
        #expect(try StorefrontSettings.heldWords(in: "") == [])
    }

    /// A list that is refused. It may have ten thousand lines, so it is named by why.
    struct WrongList: Sendable, CustomTestStringConvertible {
        let text: String
        let refusal: ModerationWordListRefusal
        var testDescription: String { refusal.description }
    }

    static let wrongLists = [
        WrongList(text: String(repeating: "a", count: 101), refusal: .tooLong(line: 1)),
        WrongList(text: "fine\na\u{7}b", refusal: .characters(line: 2)),
        WrongList(text: "a\n\n...", refusal: .nothing(line: 3)),
        WrongList(text: String(repeating: "a\n", count: 10_001), refusal: .tooMany),
    ]

    @Test(arguments: wrongLists)
    func `a wrong list of words is refused by its line`(list: WrongList) {
        #expect(throws: list.refusal) { try StorefrontSettings.heldWords(in: list.text) }
        #expect(list.refusal.description.contains(";"))
    }
}
