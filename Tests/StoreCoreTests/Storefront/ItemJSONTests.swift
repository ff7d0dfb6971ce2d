import Foundation
import StoreCore
import Testing

/// Items as their rows keep them.
@Suite struct ItemJSONTests {
    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func `what is empty is left out, and what is missing is empty`() throws {
        let text = ItemText(title: "Seas", description: "Of ships.")
        #expect(try Self.json(text) == #"{"description":"Of ships.","title":"Seas"}"#)
        let facts = ItemFacts()
        #expect(try Self.json(facts) == "{}")
        #expect(
            try JSONDecoder().decode(ItemText.self, from: Data(#"{"title":"Seas"}"#.utf8))
                == ItemText(title: "Seas"))
        #expect(
            try JSONDecoder().decode(ItemFacts.self, from: Data(#"{"keywords":null}"#.utf8))
                == facts)
    }

    @Test func `what is said is read again alike`() throws {
        var facts = ItemFacts()
        facts.producers = ["A. Smith", "B. Jones"]
        facts.trackNumber = 3
        #expect(
            try Self.json(facts) == #"{"producers":["A. Smith","B. Jones"],"trackNumber":3}"#)
        #expect(
            try JSONDecoder().decode(ItemFacts.self, from: Data(try Self.json(facts).utf8))
                == facts)
    }

    @Test func `a list of another form is refused`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ItemFacts.self, from: Data(#"{"actors":"A. Smith"}"#.utf8))
        }
    }
}
