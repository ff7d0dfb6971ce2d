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
        let isMissing = path.hasPrefix("/v2/inAppPurchases/")
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

    @Test func `commands for other products say where a subscription is changed`() async throws {
        let named = ["pro.month", "--app", "9"]
        let steps: [() async throws -> Void] = [
            { try await PriceSet.run(context(PriceSet.self, named + ["--tier", "3"])) },
            { try await PriceShow.run(context(PriceShow.self, named)) },
            { try await ProductDelete.run(context(ProductDelete.self, named)) },
            { try await ProductUpdate.run(context(ProductUpdate.self, named + ["--name", "X"])) },
        ]
        for step in steps {
            let failure = await #expect(throws: CommandFailure.self) { try await step() }
            #expect(failure?.exitCode == .refused)
            #expect(
                failure?.description.hasSuffix("http://store.example/connect/products/31") == true)
        }
        #expect(store.requests.allSatisfy { $0.hasPrefix("GET ") })
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
