import StoreTestSupport
import Testing

@testable import StoreTexts

struct StoreLanguageTests {
    struct Device: Sendable, CustomTestStringConvertible {
        let environment: [String: String]
        let language: StoreLanguage

        init(_ environment: [String: String], _ language: StoreLanguage) {
            self.environment = environment
            self.language = language
        }

        var testDescription: String { "\(environment) is \(language)" }
    }

    private static let devices: [Device] = [
        Device([:], .english),
        Device(["LANG": "ja_JP.UTF-8"], .japanese),
        Device(["LANG": "C.UTF-8"], .english),
        Device(["LANG": "de_DE.UTF-8"], .english),
        Device(["LANG": "ru_RU@petr1708"], .russian),
        Device(["LANG": "en_US.UTF-8", "LC_MESSAGES": "ru_RU.UTF-8"], .russian),
        Device(["LC_MESSAGES": "ru_RU", "LC_ALL": "zh_TW"], .traditionalChinese),
        Device(["LC_ALL": "", "LANG": "ja"], .japanese),
        Device(["LANG": "de_DE", "LANGUAGE": "de:zh_HK:ja"], .traditionalChinese),
        Device(["LANG": "ja_JP", "LANGUAGE": "fr:en"], .english),
        Device(["LANGUAGE": "ja"], .japanese),
        Device(["LANGUAGE": "ja", "LANG": "C.UTF-8"], .japanese),
        Device(["LANGUAGE": "ja", "LANG": "C"], .english),
        Device(["LANGUAGE": "ja", "LC_ALL": "POSIX", "LANG": "ru_RU"], .english),
        Device(["LANG": "zh_CN.GB18030"], .simplifiedChinese),
        Device(["LANG": "zh_SG"], .simplifiedChinese),
        Device(["LANG": "zh"], .simplifiedChinese),
        Device(["LANG": "zh_MO"], .traditionalChinese),
        Device(["LANG": "japanese"], .english),
        Device(["LANG": "..@_-"], .english),
    ]

    @Test("A device's language is what gettext's variables say", arguments: devices)
    func device(_ device: Device) {
        #expect(StoreLanguage.of(environment: device.environment) == device.language)
    }

    private static let headers: [(String?, StoreLanguage)] = [
        (nil, .english), ("", .english), ("*", .english), ("ja", .japanese),
        ("de-DE, ru;q=0.8, en;q=0.9", .english), ("de, ru-RU;q=0.2", .russian),
        ("zh-Hant-TW,zh;q=0.9", .traditionalChinese), ("zh-TW", .traditionalChinese),
        ("zh-HK;q=0.5, zh-Hans-HK;q=0.6", .simplifiedChinese), ("ZH-hant", .traditionalChinese),
        ("ja;q=0, ru;q=0.1", .russian), ("ja;q=NaN, ru;q=0.1", .russian),
        ("ja;q=7, ru", .russian), ("ja;q=-1", .english), (";;;,,,=,q=", .english),
        (String(repeating: "de,", count: 5000) + "ja", .english),
        (String(repeating: "x", count: 300) + ", ja", .english),
        ("ja\u{301}, ru", .russian),
    ]

    @Test func `a browser's language is the one it wants most of those that there are`() {
        for (header, language) in Self.headers {
            #expect(StoreLanguage.of(acceptLanguage: header) == language, "\(header ?? "")")
        }
    }

    @Test func `prices stand in the storefront's locale where that has the language`() {
        #expect(StoreLanguage.japanese.locale(in: "ja_JP") == "ja_JP")
        #expect(StoreLanguage.english.locale(in: "en_GB") == "en_GB")
        #expect(StoreLanguage.russian.locale(in: "en_US") == "ru")
        #expect(StoreLanguage.traditionalChinese.locale(in: "zh_CN") == "zh_Hant")
        #expect(StoreLanguage.english.locale(in: "zh_Hant_TW") == "en")
    }
}
