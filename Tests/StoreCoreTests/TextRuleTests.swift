import Testing

@testable import StoreCore

/// The check of texts from forms and requests.
@Suite struct TextRuleTests {
    private static let line = TextRule(length: 1...5)
    private static let note = TextRule(
        length: 0...5, allowsLines: true, allowsBidirectionalControls: false)

    @Test(arguments: [
        ("  Ada\n", "Ada"), ("\u{E9}a\u{301}", "\u{E9}a\u{301}"), ("👩‍👦", "👩‍👦"),
        ("a\u{202E}b", "a\u{202E}b"),
    ])
    func `white space around a text is taken away, and the rest stays`(
        text: String, kept: String
    ) throws {
        #expect(try Self.line.checked(text) == kept)
    }

    @Test(arguments: ["", " ", "\n\t"])
    func `an empty text is refused unless the length may be 0`(text: String) throws {
        #expect(throws: TextRule.Violation.empty) { try Self.line.checked(text) }
        #expect(try Self.note.checked(text) == "")
    }

    @Test(arguments: [("Babbage", 7), ("👩‍👩‍👧‍👦", 7), ("e" + String(repeating: "\u{301}", count: 5), 6)])
    func `a length is a number of scalars`(text: String, count: Int) {
        #expect(throws: TextRule.Violation.length(count)) { try Self.line.checked(text) }
    }

    @Test(arguments: ["a\u{0}", "a\nb", "a\tb", "a\u{85}b", "a\u{7F}"])
    func `a line has no control characters`(text: String) {
        #expect(throws: TextRule.Violation.characters) { try Self.line.checked(text) }
    }

    @Test func `several lines have line breaks and tabs, and no other control characters`() throws {
        #expect(try Self.note.checked("a\r\n\tb") == "a\n\tb")
        #expect(try Self.note.checked("a\r\r\nb") == "a\n\nb")
        #expect(try Self.note.checked("a\u{2028}b") == "a\u{2028}b")
        #expect(throws: TextRule.Violation.characters) { try Self.note.checked("a\u{1B}") }
    }

    @Test(arguments: ["a\u{202A}", "\u{202E}a", "a\u{2066}b", "a\u{2069}b"])
    func `a text may be forbidden to change the direction of writing`(text: String) {
        #expect(throws: TextRule.Violation.direction) { try Self.note.checked(text) }
    }
}
