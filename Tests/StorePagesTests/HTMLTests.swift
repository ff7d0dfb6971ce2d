import StorePages
import Testing

@Suite struct HTMLTests {
    @Test(
        arguments: [
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("\" onclick=\"x", "&quot; onclick=&quot;x"), ("'", "&#39;"), ("&lt;", "&amp;lt;"),
            ("a\u{0}\u{1b}[2Jb\u{85}", "a\u{FFFD}\u{FFFD}[2Jb\u{FFFD}"),
            ("日本 \u{2028}\t", "日本 \u{2028}\t"),
        ] as [(String, String)])
    func `text and values of attributes are escaped`(text: String, escaped: String) {
        let page = HTML.element("p", [.init("title", text)], text).document()
        #expect(page == "<!DOCTYPE html>\n<p title=\"\(escaped)\">\(escaped)</p>\n")
    }

    @Test func `text of others is isolated and has its language`() {
        let page = HTML.foreign("第一章\u{202E}", locale: "ja_JP").document()
        #expect(page.contains("<bdi lang=\"ja-JP\">第一章\u{202E}</bdi>"))
    }

    @Test func `elements without content have no end`() {
        let page = HTML.element("p", [], [.element("br"), .element("input", [.init("required")])])
        #expect(page.document().contains("<p><br><input required></p>"))
    }
}
