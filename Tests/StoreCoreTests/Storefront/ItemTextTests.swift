import StoreCore
import Testing

/// In which language an item is shown.
@Suite struct ItemTextTests {
    private static func title(_ locale: String, _ texts: [String], primary: String) -> String {
        var details = ItemDetails(
            kind: .ebook, title: "-", genres: [9031], primaryLocale: primary)
        details.texts = [:]
        for text in texts { details.texts[text] = ItemText(title: text) }
        return details.text(locale: locale).title
    }

    @Test(arguments: [
        // The script of Chinese goes with its country.
        ("zh_Hant_TW", "zh_Hant"), ("zh_TW", "zh_Hant"), ("zh-HK", "zh_Hant"),
        ("zh_Hant_MO", "zh_Hant"), ("zh_Hans_CN", "zh_Hans"), ("zh_CN", "zh_Hans"),
        ("zh_SG", "zh_Hans"), ("zh", "zh_Hans"),
        // The own country, then the primary text, then the first one.
        ("fr_CA", "fr_CA"), ("fr_FR", "fr"), ("fr", "fr"), ("en_GB", "en_GB"), ("en_AU", "en_US"),
        ("de_DE", "en_US"), ("", "en_US"),
    ])
    func `a text is the nearest one of its language`(locale: String, wanted: String) {
        let texts = ["en_GB", "en_US", "fr", "fr_CA", "zh_Hans", "zh_Hant"]
        #expect(Self.title(locale, texts, primary: "en_US") == wanted)
    }

    @Test func `another script of the language is better than another language`() {
        #expect(Self.title("zh_Hant_TW", ["en_US", "zh_Hans"], primary: "en_US") == "zh_Hans")
        #expect(
            Self.title("zh_Hant_TW", ["zh_Hans_CN", "zh_Hant_HK"], primary: "zh_Hans_CN")
                == "zh_Hant_HK")
        #expect(Self.title("de_DE", ["ja", "ko"], primary: "en_US") == "ja")
    }
}
