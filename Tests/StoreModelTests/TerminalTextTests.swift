import StoreModel
import Testing

struct TerminalTexts {
    @Test(
        arguments: [
            ("", ""), ("plain ~", "plain ~"), ("é 日本語 👍🏽", "é 日本語 👍🏽"),
            ("a\u{1b}[2Jb", "a\u{FFFD}[2Jb"), ("\u{1b}]0;title\u{7}", "\u{FFFD}]0;title\u{FFFD}"),
            ("a\u{9b}2Jb\u{7f}", "a\u{FFFD}2Jb\u{FFFD}"),
            ("a\r\nb\tc", "a\u{FFFD}\u{FFFD}b\u{FFFD}c"),
            ("a\u{202E}b\u{2066}c\u{feff}\u{ad}", "abc"), ("👩\u{200d}👧", "👩👧"),
            ("a\u{2028}b\u{2029}c\u{85}d", "a\u{FFFD}b\u{FFFD}c\u{FFFD}d"),
            // Behind a combining mark it is a control character as well.
            ("\u{1b}\u{301}[2J", "\u{FFFD}\u{301}[2J"),
            ("\u{e0001}\u{e007f}a", "a"),
        ] as [(String, String)])
    func `nothing in a text steers a terminal`(text: String, shown: String) {
        #expect(text.terminalText() == shown)
    }

    @Test func `scalars for the inner use of programs do not get in`() throws {
        let scalar = try #require(Unicode.Scalar(0xFDD0 as UInt32))
        #expect("a\(scalar)b".terminalText() == "a\u{FFFD}b")
    }

    @Test func `only line feeds and tabs stay in text of many lines`() {
        let text = "a\n\tb\r\u{1b}c\u{2028}d\u{b}\u{202E}"
        #expect(text.terminalText(keepingLines: true) == "a\n\tb\u{FFFD}\u{FFFD}c\u{FFFD}d\u{FFFD}")
    }
}
