import Foundation
import StoreModel
import Testing

@Suite("Dates of HTTP")
struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ])
    func `all three forms of dates are read`(_ text: String) {
        #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: 784_111_777))
    }

    /// Foundation's formatter traps where it is given some of these.
    @Test(arguments: [
        "", "0", "-1", "tomorrow", "Sun, 06 Nov 1994", "Sün, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT\u{301}", "日, 06 Nov 1994 08:49:37 GMT", "\u{1F600}",
        "\u{fffd}", "Sun, 06 Nov 1994\u{0}08:49:37 GMT", String(repeating: "9", count: 4000),
    ])
    func `what is no date is none`(_ text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}
