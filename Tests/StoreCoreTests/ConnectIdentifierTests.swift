import StoreCore
import Testing

@Suite struct ConnectIdentifierTests {
    @Test func `a code says its number, and looks like no other`() {
        var seen: Set<String> = []
        for number: Int64 in Array(0..<2000) + [999_999_999, 3_656_158_440_062_975] {
            let codes = [
                BundleIdentifierID(number: number).text, ProfileID(number: number).text,
                TeamPrefix(team: number).text,
            ]
            for code in codes {
                #expect(code.utf8.count == 10)
                #expect(code.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) })
            }
            #expect(codes.allSatisfy { seen.insert($0).inserted })
            #expect(BundleIdentifierID(codes[0])?.number == number)
            #expect(ProfileID(codes[1])?.number == number)
            #expect(TeamPrefix(codes[2])?.team == number)
        }
    }

    @Test(arguments: [
        "", "ABCDEFGHI", "ABCDEFGHIJK", "abcdefghij", "ABCDEFGHI-", "ABCDEFGH\u{0}I", "ÄBCDEFGHI",
        "1234567 90",
    ])
    func `what is no code stands for nothing`(text: String) {
        #expect(BundleIdentifierID(text) == nil)
        #expect(ProfileID(text) == nil)
        #expect(TeamPrefix(text) == nil)
    }

    @Test(arguments: [
        ("ja_JP", "ja"), ("en_US", "en-US"), ("de", "de-DE"), ("de_AT", "de-DE"), ("zh", "zh-Hans"),
        ("en-GB", "en-GB"),
    ])
    func `a locale finds the closest one of Connect`(text: String, expected: String) {
        #expect(ConnectLocale(closestTo: text)?.text == expected)
    }

    @Test func `a language that Connect does not know has no locale`() {
        #expect(ConnectLocale(closestTo: "tlh") == nil)
        #expect(ConnectLocale("en_ZZ") == nil)
        #expect(ConnectLocale.all.count == 50)
    }
}
