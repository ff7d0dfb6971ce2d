import Foundation
import StoreModel
import StoreWire
import Testing

/// Answers of a store that lies: what is decoded can be counted and formatted with.
@Suite("Hostile answers")
struct HostileAnswerTests {
    /// A value in the JSON of an answer, what stands there instead, and where the error says that
    /// it is.
    struct Change: Sendable, CustomTestStringConvertible {
        let part: String
        let replacement: String
        let place: String

        init(_ part: String, _ replacement: String, _ place: String) {
            (self.part, self.replacement, self.place) = (part, replacement, place)
        }

        var testDescription: String { "\(place): \(replacement.prefix(40))" }
    }

    private static let products = """
        {"storefront":"USA","storefrontId":"143441","invalid":[],"products":[{"productId":"a",\
        "type":"consumable","title":"A","description":"","locale":"en_US","familyShareable":false,\
        "price":{"currency":"USD","thousandths":990},"content":{"version":"1","lengths":[1,2]}}]}
        """
    private static let long = String(repeating: "a", count: 250)

    @Test(arguments: [
        Change("en_US", long, "products[0].locale"),
        Change("en_US", "e\u{301}n", "products[0].locale"),
        Change("en_US", "en_US@calendar=x", "products[0].locale"),
        Change("USD", long, "products[0].price.currency"),
        Change("USD", "usd", "products[0].price.currency"),
        Change("USD", "ÜSD", "products[0].price.currency"),
        Change("[1,2]", "[9223372036854775807,1]", "products[0].content.lengths"),
        Change("[1,2]", "[-1]", "products[0].content.lengths"),
        Change("[1,2]", "[281474976710656,1]", "products[0].content.lengths"),
    ])
    func `locales, currencies and lengths of products have their form`(_ change: Change) throws {
        try Self.expectRefusal(ProductsAnswer.self, Self.products, change)
    }

    private static let events = """
        {"cursor":1,"events":[],"consents":[{"id":1,"productId":"a","title":"A","locale":"en_US",\
        "currentPrice":{"currency":"USD","thousandths":1},\
        "newPrice":{"currency":"EUR","thousandths":2}}]}
        """

    @Test(arguments: [
        Change("en_US", long, "consents[0].locale"),
        Change("USD", "", "consents[0].currentPrice.currency"),
        Change("EUR", "EURO", "consents[0].newPrice.currency"),
    ])
    func `so have those of questions about prices`(_ change: Change) throws {
        try Self.expectRefusal(EventsAnswer.self, Self.events, change)
    }

    private static let transactions = """
        {"transactions":[{"signedTransaction":"x","contents":[{"contentIdentifier":"a",\
        "version":"1","length":5}]}]}
        """

    @Test(arguments: [
        Change(":5", ":9223372036854775807", "transactions[0].contents[0].length"),
        Change(":5", ":-1", "transactions[0].contents[0].length"),
    ])
    func `content of a transaction has a possible length`(_ change: Change) throws {
        try Self.expectRefusal(TransactionsAnswer.self, Self.transactions, change)
    }

    private static func expectRefusal<Answer: Decodable>(
        _ type: Answer.Type, _ json: String, _ change: Change
    ) throws {
        #expect(throws: Never.self) { try WireCoding.decode(type, from: Data(json.utf8)) }
        try #require(json.contains(change.part))
        let changed = json.replacingOccurrences(of: change.part, with: change.replacement)
        let error = #expect(throws: WireFormatError.self) {
            try WireCoding.decode(type, from: Data(changed.utf8))
        }
        #expect(error?.description.contains("at \(change.place) is wrong") == true)
    }

    // MARK: Uploads

    private static func upload(
        _ change: (inout UploadAttributes) -> Void = { _ in }
    ) -> UploadAttributes {
        var upload = UploadAttributes(
            bundleId: BundleID("com.example.app")!, productId: ProductID("a")!, fileName: "a",
            fileSize: 2500, sha256: ContentDigest(String(repeating: "0", count: 64))!,
            partSize: 1024, partCount: 3,
            missingParts: [PartRange(first: 0, last: 0), PartRange(first: 1, last: 2)],
            receivedBytes: 0, state: "AWAITING_UPLOAD", processedBytes: 0, version: nil,
            productState: "READY", problems: [], expirationDate: nil)
        change(&upload)
        return upload
    }

    private static let uploads: [UploadAttributes] = [
        upload { $0.missingParts[0] = PartRange(first: -1, last: 0) },
        upload { $0.missingParts[0] = PartRange(first: 0, last: 1) },
        upload { $0.missingParts[1] = PartRange(first: 2, last: 1) },
        upload { $0.missingParts[1] = PartRange(first: 1, last: .max) },
        upload { $0.missingParts.reverse() },
        upload { $0.partSize = 0 }, upload { $0.partSize = 1 }, upload { $0.partSize = .max },
        upload { $0.partCount = .max }, upload { $0.partCount = -1 },
        upload { $0.fileSize = .min }, upload { $0.fileSize = .max },
        upload { $0.receivedBytes = .max }, upload { $0.receivedBytes = .min },
        upload { $0.processedBytes = -1 },
    ]

    @Test func `an upload's numbers agree`() throws {
        #expect(throws: Never.self) { try Self.upload().check() }
        let taken = Self.uploads.filter { (try? $0.check()) != nil }
        #expect(taken.isEmpty)
    }
}
