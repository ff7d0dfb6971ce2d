import Foundation
import StoreModel
import Testing

@Suite("Content version")
struct ContentVersionTests {
    @Test(arguments: [
        ("1.9", "1.10"), ("1.0", "1.0.1"), ("1", "2"), ("0.9", "1"), ("1.2.3", "1.3"),
        ("9", "10"), ("1.999999999", "2"),
    ])
    func `versions are compared number by number`(_ older: String, _ newer: String) throws {
        let older = try #require(ContentVersion(older))
        let newer = try #require(ContentVersion(newer))
        #expect(older < newer)
        #expect(!(newer < older))
        #expect(older != newer)
    }

    @Test(arguments: [("1.0", "1"), ("1", "1.0.0.0"), ("01.2", "1.2"), ("0", "0.0")])
    func `zeros at the end and in front make no difference`(_ left: String, _ right: String) throws
    {
        let left = try #require(ContentVersion(left))
        let right = try #require(ContentVersion(right))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(!(left < right) && !(right < left))
    }

    @Test(arguments: ["1", "1.0", "0", "1.2.3.4.5.6.7.8", "999999999"])
    func `its text is kept as it was written`(_ text: String) throws {
        let version = try #require(ContentVersion(text))
        #expect(version.description == text)
        let json = try JSONEncoder().encode([version])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
        #expect(try JSONDecoder().decode([ContentVersion].self, from: json).first?.text == text)
    }

    @Test(arguments: [
        "", ".", "1.", ".1", "1..2", "1.0b", "v1", "-1", "+1", " 1", "1.2.3.4.5.6.7.8.9",
        "1000000000", "١",
    ])
    func `anything but integers separated by periods is refused`(_ text: String) {
        #expect(ContentVersion(text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ContentVersion].self, from: Data("[\"\(text)\"]".utf8))
        }
    }
}
