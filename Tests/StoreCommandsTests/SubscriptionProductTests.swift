import Foundation
import FoundationNetworking
import StoreKit
import StoreWire
import Synchronization
import Testing

@testable import StoreCommands

/// A store whose app 9 has the subscription 31 in one of two groups, and no other product.
private final class SubscriptionStore: RequestTransport {
    private static let subscription: String =
        #"{"type":"subscriptions","id":"31","attributes":{"productId":"pro.month","#
        + #""name":"Month","state":"READY_TO_SUBMIT","subscriptionPeriod":"ONE_MONTH"}}"#
    private static let groups: [String] = (1...2).map {
        #"{"type":"subscriptionGroups","id":"g\#($0)","attributes":{"referenceName":"Group \#($0)"}}"#
    }
    private static let app =
        #"{"type":"apps","id":"9","attributes":{"bundleId":"com.example.app","name":"App"}}"#
    private static let answers: [String: String] = [
        "/v1/apps": "[\(app)]",
        "/v1/apps/9/subscriptionGroups": "[\(groups.joined(separator: ","))]",
        "/v1/subscriptionGroups/g2/subscriptions": "[\(subscription)]",
        "/v1/subscriptions/31": subscription,
    ]

    private let asked = Mutex<[String]>([])
    var requests: [String] { asked.withLock { $0 } }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let url = try #require(request.url)
        let path = String(url.path.dropFirst("/connect".count))
        asked.withLock { $0.append("\(request.httpMethod ?? "") \(path)") }
        let isMissing =
            path.hasPrefix("/v2/inAppPurchases/") || path == "/v1/subscriptions/7"
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: isMissing ? 404 : 200, httpVersion: nil,
                headerFields: ["Content-Type": "application/json"]))
        let included =
            path == "/v1/subscriptions/31" ? #","included":[\#(Self.groups[1])]"# : ""
        let answer = #"{"data":\#(Self.answers[path] ?? "[]")\#(included)}"#
        return (Data(isMissing ? "{}".utf8 : answer.utf8), response)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {}
}

@Suite("Subscriptions among products")
struct SubscriptionProductTests {
    private let store = SubscriptionStore()

    private func context<C: ConnectCommand>(
        _ command: C.Type, _ words: [String]
    ) throws -> ConnectContext {
        let arguments = try ParsedArguments(words, for: command.spec)
        return ConnectContext(
            api: ConnectAPI(
                address: "http://store.example", credential: .none, transport: store),
            arguments: arguments, output: .standard, show: ConnectRenderer(arguments, .standard))
    }

    @Test func `a subscription is listed with its type, period and group`() async throws {
        let connect = try context(ProductList.self, ["--app", "9", "--quiet"])
        let rows = try await SubscriptionProducts.list(of: "9", [:], connect.api)
        #expect(rows.map(\.id) == ["31"])
        let row = try #require(rows.first)
        for (name, value) in [
            ("inAppPurchaseType", "AUTO_RENEWABLE_SUBSCRIPTION"), ("group", "Group 2"),
            ("subscriptionPeriod", "ONE_MONTH"), ("productId", "pro.month"),
        ] {
            #expect(row.attribute(name) == value)
        }
        try await ProductList.run(connect)
        #expect(store.requests.contains("GET /v1/apps/9/inAppPurchasesV2"))
        // Who wants subscriptions only is asked for nothing else, and the other way round.
        let before = store.requests.count
        for type in ["AUTO_RENEWABLE_SUBSCRIPTION", "CONSUMABLE"] {
            try await ProductList.run(
                context(ProductList.self, ["--app", "9", "--quiet", "--type", type]))
        }
        let later = store.requests.dropFirst(before)
        #expect(later.filter { $0.hasSuffix("/inAppPurchasesV2") }.count == 1)
        #expect(later.filter { $0.hasSuffix("/subscriptionGroups") }.count == 1)
    }

    @Test(arguments: [["pro.month", "--app", "9"], ["31"]])
    func `a subscription is shown by product identifier and by Apple ID`(
        words: [String]
    ) async throws {
        try await ProductShow.run(context(ProductShow.self, words))
        #expect(store.requests.contains("GET /v1/subscriptions/31"))
        #expect(store.requests.last == "GET /v1/subscriptions/31/subscriptionLocalizations")
    }

    @Test func `a number is looked for among all products before it is unknown`() async throws {
        let failure = await #expect(throws: ConnectFailure.self) {
            try await IntroductoryOfferList.run(context(IntroductoryOfferList.self, ["7"]))
        }
        #expect(failure?.status == 404)
        #expect(store.requests == ["GET /v2/inAppPurchases/7", "GET /v1/subscriptions/7"])
    }

    private static let named: [String] = ["pro.month", "--app", "9"]

    @Test func `texts, terms and deletion go to the subscription's own resources`() async throws {
        try await ProductUpdate.run(
            context(
                ProductUpdate.self,
                Self.named + [
                    "--name", "X", "--level", "2", "--duration", "P1Y", "--locale", "en-US",
                    "--title", "Month",
                ]))
        try await ProductDelete.run(context(ProductDelete.self, Self.named))
        #expect(
            store.requests.filter { !$0.hasPrefix("GET ") } == [
                "PATCH /v1/subscriptions/31", "POST /v1/subscriptionLocalizations",
                "DELETE /v1/subscriptions/31",
            ])
        #expect(store.requests.contains("GET /v1/subscriptions/31/subscriptionLocalizations"))
    }

    @Test func `prices are read where the API has them for subscriptions`() async throws {
        try await PriceShow.run(context(PriceShow.self, Self.named))
        #expect(store.requests.last == "GET /v1/subscriptions/31/prices")
        // The store of this test has no price list.
        let failure = await #expect(throws: CommandFailure.self) {
            try await PriceSet.run(
                context(PriceSet.self, Self.named + ["--tier", "3", "--territory", "USA"]))
        }
        #expect(failure?.description.contains("another price list") == true)
        #expect(store.requests.last == "GET /v1/subscriptions/31/pricePoints")
    }

    @Test func `no content is hosted for a subscription`() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await ContentHost.run(context(ContentHost.self, Self.named))
        }
        #expect(failure?.exitCode == .refused)
        #expect(failure?.description.contains("auto-renewable subscription") == true)
    }

    @Test(arguments: ["Group 2", "g2"])
    func `a group is found by its name and its identifier`(_ group: String) async throws {
        try await SubscriptionGroupUpdate.run(
            context(
                SubscriptionGroupUpdate.self,
                [group, "--app", "9", "--locale", "en-US", "--title", "Readers"]))
        #expect(
            store.requests.filter { !$0.hasPrefix("GET ") }
                == ["POST /v1/subscriptionGroupLocalizations"])
        let failure = await #expect(throws: ConnectFailure.self) {
            try await SubscriptionGroupDelete.run(
                context(SubscriptionGroupDelete.self, ["Group 3", "--app", "9"]))
        }
        #expect(failure?.description.contains("Did you mean") == true)
    }

    @Test(
        arguments: [
            ["--mode", "FREE_TRIAL", "--duration", "P1W", "--tier", "1", "--territory", "USA"],
            ["--mode", "PAY_UP_FRONT", "--duration", "P1M", "--tier", "1"],
            ["--mode", "PAY_AS_YOU_GO", "--duration", "P1M", "--territory", "USA"],
            ["--mode", "GIFT", "--duration", "P1M"], ["--mode", "FREE_TRIAL", "--duration", "P5D"],
            ["--mode", "FREE_TRIAL", "--duration", "P1W", "--periods", "13"],
            ["--mode", "FREE_TRIAL", "--duration", "P1W", "--from", "soon"],
        ] as [[String]])
    func `an introductory offer is refused before the store is asked`(
        _ words: [String]
    ) async throws {
        await #expect(throws: UsageError.self) {
            try await IntroductoryOfferCreate.run(
                context(IntroductoryOfferCreate.self, Self.named + words))
        }
        #expect(store.requests.isEmpty)
    }

    private static let words: [String] = [
        "--app", "9", "--product-id", "pro.year", "--name", "Year", "--type",
        "auto-renewable-subscription",
    ]

    @Test(
        arguments: [
            words + ["--group", "Group 2"], words + ["--duration", "P1Y"],
            words + ["--duration", "P5M", "--group", "Group 2"],
            words.dropLast() + ["consumable", "--group", "Group 2"],
            words.dropLast() + ["consumable", "--level", "2"],
            words + ["--duration", "P1Y", "--group", "Group 2", "--level", "0"],
        ] as [[String]])
    func `a subscription needs a group and one of Apple's periods`(words: [String]) async throws {
        await #expect(throws: UsageError.self) {
            try await ProductCreate.run(context(ProductCreate.self, words))
        }
        #expect(store.requests.isEmpty)
    }

    @Test(arguments: ["Group 2", "New"])
    func `a subscription is made in the group that there is, or in a new one`(
        group: String
    ) async throws {
        try await ProductCreate.run(
            context(
                ProductCreate.self, Self.words + ["--duration", "P6M", "--group", group]))
        let made = store.requests.filter { $0.hasPrefix("POST ") }
        #expect(made.last == "POST /v1/subscriptions")
        #expect(made.contains("POST /v1/subscriptionGroups") == (group == "New"))
    }
}
