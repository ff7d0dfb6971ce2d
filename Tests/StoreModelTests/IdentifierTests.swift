import Foundation
import StoreModel
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    @Test(arguments: [
        "a", "com.example.chapter", "Chapter_1-b", "0", "...", ".a", "a.",
        String(repeating: "x", count: 255),
    ])
    func `a product identifier takes ASCII letters, digits, underscore, hyphen and period`(
        _ text: String
    ) {
        #expect(ProductID(text)?.text == text)
    }

    @Test(arguments: [
        "", ".", "..", "a b", "a/b", "a\u{0}b", "a\n", "é", "章", "a:b", "a\u{301}", "a@b",
        String(repeating: "x", count: 256),
    ])
    func `a product identifier refuses everything else`(_ text: String) {
        #expect(ProductID(text) == nil)
    }

    @Test(arguments: ["com.example.app", "A", "a-b_c.d", String(repeating: "x", count: 155)])
    func `a bundle identifier is dotted text`(_ text: String) {
        #expect(BundleID(text)?.text == text)
    }

    @Test(arguments: [
        "", ".com", "com.", "com..example", "com.example.*", "com example", "com/example",
        String(repeating: "x", count: 156),
    ])
    func `a bundle identifier has no empty part and no wildcard`(_ text: String) {
        #expect(BundleID(text) == nil)
    }

    @Test(arguments: [
        ("0123456789abcdef", true), ("5A1C5A5C-0000-4000-8000-0123456789AB", true),
        (String(repeating: "k", count: 64), true), (String(repeating: "k", count: 65), false),
        ("0123456789abcde", false), ("0123456789abcde.", false), ("0123456789abcde_", false),
        ("0123456789abcde ", false), ("", false),
    ])
    func `a purchase key has 16 to 64 letters, digits and hyphens`(_ text: String, _ isOne: Bool) {
        #expect((PurchaseKey(text) != nil) == isOne)
    }

    @Test(arguments: [
        (String(repeating: "0a", count: 32), true), (String(repeating: "0A", count: 32), false),
        (String(repeating: "0", count: 63), false), (String(repeating: "0", count: 65), false),
        (String(repeating: "0g", count: 32), false), ("", false),
    ])
    func `a content digest is 64 lower-case hexadecimal digits`(_ text: String, _ isOne: Bool) {
        #expect((ContentDigest(text) != nil) == isOne)
    }

    @Test(arguments: [("0", 0), ("7", 7), ("9223372036854775807", Int64.max)])
    func `a transaction identifier is a number`(_ text: String, _ number: Int64) {
        #expect(TransactionID(text)?.number == number)
        #expect(TransactionID(text)?.description == text)
    }

    @Test(arguments: [
        "", "-1", "+1", "1.0", " 1", "1 ", "0x1", "٣", "9223372036854775808",
        "00000000000000000001",
    ])
    func `a transaction identifier is nothing but digits that fit into 63 bits`(_ text: String) {
        #expect(TransactionID(text) == nil)
    }

    @Test func `transaction identifiers are ordered as numbers, not as text`() {
        #expect(TransactionID(number: 9) < TransactionID(number: 10))
    }
}

@Suite("Identifiers in JSON")
struct IdentifierCodingTests {
    @Test func `an identifier is a string`() throws {
        let json = try JSONEncoder().encode([ProductID("a.b")!])
        #expect(String(decoding: json, as: UTF8.self) == #"["a.b"]"#)
        #expect(try JSONDecoder().decode([ProductID].self, from: json) == [ProductID("a.b")!])
    }

    @Test func `a transaction identifier is a string of digits`() throws {
        let json = try JSONEncoder().encode([TransactionID(number: 42)])
        #expect(String(decoding: json, as: UTF8.self) == #"["42"]"#)
        #expect(try JSONDecoder().decode([TransactionID].self, from: json).first?.number == 42)
    }

    @Test func `decoding names the text that it refused`() throws {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ProductID].self, from: Data(#"["a b"]"#.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.debugDescription == #""a b" is not a valid product identifier"#)
    }

    @Test(arguments: [#"["-1"]"#, "[1]", #"[""]"#])
    func `a transaction identifier of another form is refused`(_ json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([TransactionID].self, from: Data(json.utf8))
        }
    }
}
