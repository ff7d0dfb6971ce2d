import Foundation
import StoreWire
import Testing

@Suite("StoreKit configuration that is no JSON")
struct UnreadableConfigurationTests {
    private func description(of text: String) -> String {
        let error = #expect(throws: StoreKitConfigurationError.self) {
            try StoreKitConfiguration(data: Data(text.utf8))
        }
        return error?.description ?? ""
    }

    @Test(arguments: [
        ("{\n  \"version\" : { \"major\" 3 }\n}", 2), ("{\n  \"a\" : [],\n  , 2 : 3\n}\n", 3),
        ("{\n\n\"a\" : [ 1, 2, }", 3), ("{ \"a\" : 01 }", 1), ("{\n\"a\" : tru\n}", 2),
        ("{\n\"a\" : \"b\nc\"\n}", 2), ("{}\n\n}", 3), ("{\n\"a\" : 1\n", 3), ("", 1),
        ("{\n'a' : 1 }", 2), ("{ \"a\" : \"\\\"\",\n b }", 2),
        (String(repeating: "[", count: 100_000), 1), (#"{"a":"\q"}"#, 1),
        ("\u{FEFF}{\n\"a\" 1}", 2), ("{\n\"a\":1e999}", 2),
    ])
    func `broken JSON is told by its line`(_ text: String, _ line: Int) {
        let problem = "the file is not JSON: line \(line) breaks its rules"
        #expect(description(of: text) == problem)
    }

    @Test(arguments: ["", "{", "<plist/>", "\u{0}\u{1}\u{2}"])
    func `text that is no JSON is called so`(_ text: String) {
        #expect(description(of: text).hasPrefix("the file is not JSON"))
    }

    @Test(arguments: ["[]", "3", "\"x\"", "null"])
    func `JSON that is no object is called so`(_ text: String) {
        #expect(description(of: text) == "the file must hold a JSON object")
    }
}
