import Testing

@testable import StoreAPI

@Suite struct TextFormatTests {
    @Test(arguments: [
        ("2026-01-31T12:00:00Z", true), ("2026-01-31T12:00:00.5+02:00", true),
        ("9999-12-31T23:59:59Z", true), ("10000-01-01T00:00:00Z", false),
        ("0000-01-01T00:00:00Z", false), ("99999-01-01T00:00:00Z", false),
    ])
    func `times have years of four digits`(_ text: String, _ isTime: Bool) {
        #expect(TextFormat.dateTime.accepts(text) == isTime)
    }
}
