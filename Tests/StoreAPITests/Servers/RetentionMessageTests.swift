import Foundation
@testable import StoreAPI
@testable import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
@testable import StoreWire
import Testing

@Suite struct RetentionMessageTests {
    typealias Images = RetentionImageTests

    static func path(_ number: Int) -> String { "/v1/messaging/message/\(Images.id(number))" }
    static let text: JSONValue = ["header": "Stay", "body": "We would miss you."]

    static func point(_ image: Int, text: String = "Point", alt: String = "Alt") -> JSONValue {
        [
            "text": .string(text), "imageIdentifier": .string(Images.id(image)),
            "altText": .string(alt),
        ]
    }

    static func message(_ more: [String: JSONValue]) -> JSONValue {
        .object(["header": "Stay", "body": "We would miss you."].merging(more) { $1 })
    }

    private func list(_ server: ServerClient) async throws -> [String] {
        let answer: GetMessageListResponse = try await server.get("/v1/messaging/message/list")
        return answer.messageIdentifiers.map { "\($0.messageIdentifier) \($0.messageState)" }
    }

    @Test(arguments: Altitude.allCases)
    func `messages are sent, listed and deleted`(altitude: Altitude) async throws {
        let shop = try await ServerShop(altitude: altitude)
        var server = shop.server
        let sent = try await server.send("PUT", Self.path(1), ServerClient.data(Self.text))
        #expect(sent.status == 200 && sent.data.isEmpty)
        #expect(try await Images.upload(Images.bullet, 1, server) == 200)
        #expect(
            try await server.refusal(
                "PUT", Self.path(2), Self.message(["bulletPoints": [Self.point(1)]])) == 200)
        #expect(
            try await list(server) == ["\(Images.id(1)) APPROVED", "\(Images.id(2)) APPROVED"])
        #expect(try await server.refusal("PUT", Self.path(1), Self.text) == 4_090_001)
        #expect(try await server.refusal("DELETE", Self.path(1)) == 200)
        #expect(try await server.refusal("DELETE", Self.path(1)) == 4_040_015)
        #expect(try await server.refusal("DELETE", "/v1/messaging/message/nonsense") == 4_040_015)
        server.environment = .production
        #expect(try await list(server).isEmpty)
        #expect(try await server.refusal("DELETE", Self.path(2)) == 4_040_015)
    }

    static let wrong: [(body: JSONValue, code: Int)] = [
        (message(["header": .string(String(repeating: "a", count: 67))]), 4_000_162),
        (message(["body": .string(String(repeating: "a", count: 145))]), 4_000_163),
        (message(["bulletPoints": .array(Array(repeating: point(1), count: 6))]), 4_000_218),
        (
            message(["bulletPoints": [point(1, text: String(repeating: "a", count: 67))]]),
            4_000_219
        ),
        (
            message(["bulletPoints": [point(1, alt: String(repeating: "a", count: 151))]]),
            4_000_175
        ),
        // People see one character.
        (
            message(["header": .string("a" + String(repeating: "\u{301}", count: 100_000))]),
            4_000_162
        ),
        (message(["body": .string("a" + String(repeating: "\u{301}", count: 144))]), 4_000_163),
        // What a terminal obeys.
        (message(["header": "\u{1B}[2J"]), 4_000_000), (message(["body": "a\u{9B}31m"]), 4_000_000),
        (message(["body": "a\nb"]), 4_000_000), (message(["body": "a\u{7F}"]), 4_000_000),
        (message(["bulletPoints": [point(1, text: "\u{0}")]]), 4_000_000),
        (message(["bulletPoints": [point(1, alt: "\u{1B}c")]]), 4_000_000),
        (message(["headerPosition": "ABOVE_IMAGE"]), 4_000_224),
        (message(["headerPosition": "BELOW"]), 4_000_000),
        (message(["bulletPoints": [point(7)]]), 4_040_014),
        (message(["bulletPoints": [["text": "a"]]]), 4_000_000),
        (message(["bulletPoints": "a"]), 4_000_000), (message(["bulletPoints": ["a"]]), 4_000_000),
        (message(["image": "a"]), 4_000_000),
        (message(["image": ["imageIdentifier": "abc", "altText": ""]]), 4_040_014),
        // Large enough for a bullet only.
        (
            message(["image": ["imageIdentifier": .string(Images.id(1)), "altText": "Alt"]]),
            4_000_216
        ),
        (["header": "Stay"], 4_000_000), (["body": "Stay", "header": 5], 4_000_000),
        ([], 4_000_000),
    ]

    @Test func `each wrong message has an error, and leaves nothing`() async throws {
        let shop = try await ServerShop()
        #expect(try await Images.upload(Images.bullet, 1, shop.server) == 200)
        for (body, code) in Self.wrong {
            #expect(
                try await shop.server.refusal("PUT", Self.path(1), body) == code, "\(body)")
        }
        #expect(
            try await shop.server.refusal("PUT", "/v1/messaging/message/nonsense", Self.text)
                == 4_000_000)
        #expect(try await list(shop.server).isEmpty)
        // As long as can be, counted in characters.
        let long = Self.message([
            "header": .string(String(repeating: "é", count: 66)),
            "body": .string(String(repeating: "é", count: 144)),
            "bulletPoints": .array(
                Array(
                    repeating: Self.point(
                        1, text: String(repeating: "é", count: 66),
                        alt: String(repeating: "é", count: 150)), count: 5)),
        ])
        #expect(try await shop.server.refusal("PUT", Self.path(1), long) == 200)
    }

    @Test func `an app has so many messages`() async throws {
        let shop = try await ServerShop { $0.retention.limits = RetentionLimits(messages: 1) }
        #expect(try await shop.server.refusal("PUT", Self.path(1), Self.text) == 200)
        #expect(try await shop.server.refusal("PUT", Self.path(2), Self.text) == 4_030_016)
    }

    // MARK: Defaults

    private let subscription = "/v1/messaging/default/\(SampleShop.monthly)/en-US"

    static func named(_ number: Int) -> JSONValue {
        ["messageIdentifier": .string(Images.id(number))]
    }

    @Test(arguments: Altitude.allCases)
    func `a product has a message in each language`(altitude: Altitude) async throws {
        let shop = try await ServerShop(altitude: altitude)
        var server = shop.server
        func shown() async throws -> String {
            let answer: DefaultConfigurationResponse = try await server.get(subscription)
            return answer.messageIdentifier
        }
        for number in 1...2 {
            #expect(try await server.refusal("PUT", Self.path(number), Self.text) == 200)
            let set = try await server.send(
                "PUT", subscription, ServerClient.data(Self.named(number)))
            #expect(set.status == 200 && set.data.isEmpty)
            #expect(try await shown() == Images.id(number))
        }
        let german = "/v1/messaging/default/\(SampleShop.monthly)/de-DE"
        #expect(try await server.refusal("GET", german) == 4_040_020)
        server.environment = .production
        #expect(try await server.refusal("GET", subscription) == 4_040_020)
        server.environment = .sandbox
        #expect(try await server.refusal("PUT", german, Self.named(1)) == 200)
        #expect(try await server.refusal("DELETE", german) == 200)
        #expect(try await server.refusal("DELETE", german) == 4_040_020)
        // With its message it is gone.
        #expect(try await server.refusal("DELETE", Self.path(2)) == 200)
        #expect(try await server.refusal("GET", subscription) == 4_040_020)
    }

    @Test func `what can't be a default says why`() async throws {
        let shop = try await ServerShop()
        #expect(try await shop.server.refusal("PUT", Self.path(1), Self.text) == 200)
        func refusal(_ place: String, _ body: JSONValue? = Self.named(1)) async throws -> Int {
            try await shop.server.refusal("PUT", "/v1/messaging/default/\(place)", body)
        }
        #expect(try await refusal("\(SampleShop.badge)/en-US") == 4_000_023)
        #expect(try await refusal("com.example.nothing/en-US") == 4_000_023)
        #expect(try await refusal("\(SampleShop.monthly)/xx") == 4_000_164)
        #expect(try await refusal("\(SampleShop.monthly)/en-US", Self.named(2)) == 4_040_015)
        #expect(
            try await refusal("\(SampleShop.monthly)/en-US", ["messageIdentifier": "abc"])
                == 4_040_015)
        #expect(try await refusal("\(SampleShop.monthly)/en-US", []) == 4_000_000)
        for method in ["GET", "DELETE"] {
            #expect(
                try await shop.server.refusal(
                    method, "/v1/messaging/default/\(SampleShop.monthly)/xx") == 4_000_164)
        }
    }

    @Test func `in production customers see what the store's staff has approved`() async throws {
        let shop = try await ServerShop()
        var server = shop.server
        server.environment = .production
        #expect(try await Images.upload(Images.bullet, 1, server) == 200)
        #expect(
            try await server.refusal(
                "PUT", Self.path(2), Self.message(["bulletPoints": [Self.point(1)]])) == 200)
        func refusal() async throws -> Int {
            try await server.refusal("PUT", subscription, Self.named(2))
        }
        let review = shop.shop.store.services.retentionReview
        let waiting = try await review.waiting(by: .machine)
        #expect(Set(waiting.map(\.subject.id.text)) == [Images.id(1), Images.id(2)])
        #expect(waiting.allSatisfy { $0.bundleID == SampleShop.bundleID })
        func number(_ kind: RetentionNumber.Kind) throws -> RetentionNumber {
            try #require(waiting.map(\.number).first { $0.kind == kind })
        }
        #expect(try await refusal() == 4_030_017)
        _ = try await review.decide(try number(.message), .approved, by: .machine)
        #expect(try await refusal() == 4_030_018)
        _ = try await review.decide(try number(.image), .approved, by: .machine)
        #expect(try await refusal() == 200)
        #expect(try await list(server) == ["\(Images.id(2)) APPROVED"])
        #expect(try await review.waiting(by: .machine).isEmpty)
        _ = try await review.decide(try number(.message), .rejected, by: .machine)
        #expect(try await list(server) == ["\(Images.id(2)) REJECTED"])
        await #expect(throws: ConnectRefusal.self) {
            try await review.decide(RetentionNumber(.message, 1000), .approved, by: .machine)
        }
    }

    /// Publishers choose identifiers: the same one may be that of something else by now.
    @Test func `a decision is about what was looked at, and about nothing of the same name`()
        async throws
    {
        let shop = try await ServerShop()
        var server = shop.server
        server.environment = .production
        #expect(try await Images.upload(Images.bullet, 1, server) == 200)
        #expect(try await server.refusal("PUT", Self.path(1), Self.text) == 200)
        let review = shop.shop.store.services.retentionReview
        let seen = try await review.waiting(by: .machine)
        #expect(seen.count == 2)
        let message: RetentionNumber = try #require(
            seen.map(\.number).first { $0.kind == .message })
        // Something else in its place.
        #expect(try await server.refusal("DELETE", Self.path(1)) == 200)
        #expect(
            try await server.refusal("PUT", Self.path(1), Self.message(["body": "Other"])) == 200)
        await #expect(throws: ConnectRefusal.self) {
            try await review.decide(message, .approved, by: .machine)
        }
        #expect(try await list(server) == ["\(Images.id(1)) PENDING"])
        let fresh = try await review.waiting(by: .machine)
        let numbers: [RetentionNumber] = fresh.map(\.number)
        #expect(numbers.count == 2)
        #expect(!numbers.contains(message))
        let now: RetentionNumber = try #require(numbers.first { $0.kind == .message })
        let decided = try await review.decide(now, .approved, by: .machine)
        #expect(decided.number == now)
        #expect(decided.subject.state == .approved)
        #expect(try await list(server) == ["\(Images.id(1)) APPROVED"])
        // The image of the same name still waits.
        #expect(try await review.waiting(by: .machine).map(\.number.kind) == [.image])
    }

    @Test(arguments: ["M1", "m12", "I7", "i007"])
    func `numbers of messages and images are written so`(text: String) throws {
        let number = try #require(RetentionNumber(text))
        #expect(RetentionNumber(number.description) == number)
    }

    @Test(arguments: ["", "M", "1", "M0", "M-1", "M+1", "X1", "M1 ", "M１", "M99999999999999999999"])
    func `a malformed number is nil`(text: String) {
        #expect(RetentionNumber(text) == nil)
    }
}
