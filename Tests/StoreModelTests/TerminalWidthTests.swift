import StoreModel
import Testing

@Suite("Width on a terminal")
struct TerminalWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("äé", 2), ("Ünïcödé", 7), ("…", 1), ("\u{a5}120", 4), ("│", 1),
    ])
    func `letters of most scripts take one column`(_ text: String, _ width: Int) {
        #expect(text.terminalWidth == width)
    }

    @Test(arguments: [
        ("第一章", 6), ("カタカナ", 8), ("한글", 4), ("\u{ffe5}", 2), ("𠮷", 2), ("a章b", 4), ("、", 2),
        ("🎉", 2), ("🚀", 2), ("✅", 2),
    ])
    func `East Asian wide characters take two`(_ text: String, _ width: Int) {
        #expect(text.terminalWidth == width)
    }

    @Test(arguments: [
        ("e\u{301}", 1), ("\u{200b}", 0), ("か\u{3099}", 2), ("a\u{200d}b", 2), ("\u{1b}\n", 0),
    ])
    func `marks and invisible characters take none`(_ text: String, _ width: Int) {
        #expect(text.terminalWidth == width)
    }
}
