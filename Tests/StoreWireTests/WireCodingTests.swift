import Foundation
import StoreModel
import StoreWire
import Testing

@Suite("JSON of the wire")
struct WireCodingTests {
    private static let request = PurchaseRequest(
        purchaseKey: PurchaseKey("0123456789abcdef")!, productId: "com.example/a", quantity: 2,
        confirmedPrice: Money(thousandths: 990, currency: "USD"), applicationUsername: nil)

    private static let requestJSON = """
        {"confirmedPrice":{"currency":"USD","thousandths":990},"productId":"com.example/a",\
        "purchaseKey":"0123456789abcdef","quantity":2}
        """

    @Test func `keys are sorted, slashes stay and absent values are left out`() throws {
        let data = try WireCoding.encode(Self.request)
        #expect(String(decoding: data, as: UTF8.self) == Self.requestJSON)
    }

    @Test func `what was encoded is decoded`() throws {
        let data = Data(Self.requestJSON.utf8)
        #expect(try WireCoding.decode(PurchaseRequest.self, from: data) == Self.request)
    }

    @Test func `keys of a newer version are ignored`() throws {
        let newer = Self.requestJSON.replacingOccurrences(of: "{\"conf", with: "{\"a\":[],\"conf")
        let data = Data(newer.utf8)
        #expect(try WireCoding.decode(PurchaseRequest.self, from: data) == Self.request)
    }

    @Test(arguments: [
        ("\"quantity\":2", "\"amount\":2", "the key quantity is missing"),
        ("\"quantity\":2", "\"quantity\":\"2\"", "the value at quantity must be a whole number"),
        ("\"quantity\":2", "\"quantity\":1.5", "a number in it must be whole, and not too large"),
        (
            "\"quantity\":2", "\"quantity\":99999999999999999999",
            "a number in it must be whole, and not too large"
        ),
        ("\"currency\":\"USD\",", "", "the key confirmedPrice.currency is missing"),
        ("\"currency\":\"USD\"", "\"currency\":1", "the value at confirmedPrice.currency"),
        ("0123456789abcdef", "short", "the value at purchaseKey is wrong: \"short\""),
        ("\"com.example/a\"", "null", "productId"),
    ])
    func `the message names the key that is missing or wrong`(
        _ part: String, _ replacement: String, _ message: String
    ) throws {
        try #require(Self.requestJSON.contains(part))
        let json = Self.requestJSON.replacingOccurrences(of: part, with: replacement)
        let error = #expect(throws: WireFormatError.self) {
            try WireCoding.decode(PurchaseRequest.self, from: Data(json.utf8))
        }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func `the message numbers the members of an array`() throws {
        let json = #"{"transactions":[{"signedTransaction":"x","contents":[]},{"contents":[]}]}"#
        let error = #expect(throws: WireFormatError.self) {
            try WireCoding.decode(TransactionsAnswer.self, from: Data(json.utf8))
        }
        #expect(error?.description == "the key transactions[1].signedTransaction is missing")
    }

    @Test(arguments: ["", "{", "quantity=2", "{\"a\":}", "\u{0}"])
    func `a body that is not JSON is called so`(_ body: String) {
        let error = #expect(throws: WireFormatError.self) {
            try WireCoding.decode(PurchaseRequest.self, from: Data(body.utf8))
        }
        #expect(error?.description == "the body is not JSON")
    }

    @Test func `a body of another form is told by its top level`() {
        let error = #expect(throws: WireFormatError.self) {
            try WireCoding.decode(PurchaseRequest.self, from: Data("[]".utf8))
        }
        #expect(
            error?.description.hasPrefix("the value at the top level must be an object") == true)
    }
}

@Suite("Milliseconds since 1970")
struct MillisecondsTests {
    @Test(arguments: [0, 1, 999, 1_800_000_000_123, 1_800_000_000_999, -1])
    func `a date made of milliseconds gives them back`(_ milliseconds: Int64) {
        #expect(Date(milliseconds: milliseconds).milliseconds == milliseconds)
    }

    @Test func `no millisecond of a whole second is lost on the way`() {
        let start: Int64 = 1_795_252_000_000
        let wrong = (start..<start + 10_000).filter { Date(milliseconds: $0).milliseconds != $0 }
        #expect(wrong.isEmpty)
    }

    @Test func `parts of a millisecond are dropped`() {
        #expect(Date(timeIntervalSince1970: 1.0007).milliseconds == 1000)
        #expect(Date(timeIntervalSince1970: 1.9999).milliseconds == 1999)
    }

    @Test func `a date that numbers don't reach is the last one, and ends nothing`() {
        #expect(Date(milliseconds: .max).milliseconds == .max)
        #expect(Date(timeIntervalSince1970: -1e300).milliseconds == .min)
    }
}
