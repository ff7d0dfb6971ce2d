import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// A publisher's program that maintains the in-app purchases of the sample shop.
struct ProductClient: Sendable {
    let connect: ConnectClient
    let app: String

    init(role: ConnectRole = .appManager, team: String? = nil) async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        connect = try await ConnectClient(shop, clock: clock, role: role, team: team)
        let app = try await shop.store.database.read {
            try $0.sampleApp()
        }
        self.app = String(app.id.number)
    }

    private init(_ connect: ConnectClient, app: String) {
        self.connect = connect
        self.app = app
    }

    /// The same shop with a key of another role or team.
    func with(role: ConnectRole, team: String? = nil) async throws -> ProductClient {
        ProductClient(
            try await ConnectClient(connect.shop, clock: connect.clock, role: role, team: team),
            app: app)
    }

    /// Sends a request, and reads the document of its answer.
    func call(
        _ method: String, _ path: String, _ body: JSONValue? = nil,
        query: [(name: String, value: String)] = [], status: Int = 200,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let response = try await connect.send(
            method, "/connect" + path, body?.encoded() ?? Data(),
            headers: body == nil
                ? ["Host": "store.example"]
                : ["Host": "store.example", "Content-Type": "application/json"], query: query)
        #expect(
            response.status == status, "\(String(decoding: response.data, as: UTF8.self))",
            sourceLocation: sourceLocation)
        return response.data.isEmpty ? .null : try JSONValue(reading: response.data)
    }

    /// Sends what is to be refused.
    func refused(
        _ method: String, _ path: String, _ body: JSONValue? = nil, status: Int, rule: String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await call(
            method, path, body, status: status, sourceLocation: sourceLocation)
        let error = answer["errors"]?.elements?.first
        #expect(error?["meta"]?["rule"]?.text == rule, sourceLocation: sourceLocation)
    }

    /// Makes an in-app purchase, and gives its identifier.
    func create(
        _ productID: String = "com.example.coins", type: String = "CONSUMABLE",
        name: String = "Coins"
    ) async throws -> String {
        let answer = try await call(
            "POST", "/v2/inAppPurchases",
            Self.document(
                "inAppPurchases",
                [
                    "productId": .string(productID), "name": .string(name),
                    "inAppPurchaseType": .string(type),
                ], ["app": ("apps", app)]), status: 201)
        return try #require(answer["data"]?["id"]?.text)
    }

    /// A document that makes or, with an identifier, changes a resource.
    static func document(
        _ type: String, id: String? = nil, _ attributes: [String: JSONValue] = [:],
        _ relationships: [String: (type: String, id: String)] = [:],
        lists: [String: [(type: String, id: String)]] = [:], included: [JSONValue] = []
    ) -> JSONValue {
        func link(_ type: String, _ id: String) -> JSONValue {
            ["type": .string(type), "id": .string(id)]
        }
        var data: [String: JSONValue] = ["type": .string(type)]
        if let id { data["id"] = .string(id) }
        if !attributes.isEmpty { data["attributes"] = .object(attributes) }
        var members = relationships.mapValues { ["data": link($0.type, $0.id)] as JSONValue }
        for (name, links) in lists {
            members[name] = ["data": .array(links.map { link($0.type, $0.id) })]
        }
        if !members.isEmpty { data["relationships"] = .object(members) }
        var document: [String: JSONValue] = ["data": .object(data)]
        if !included.isEmpty { document["included"] = .array(included) }
        return .object(document)
    }
}

extension JSONValue {
    /// An attribute of the resource in a document.
    func attribute(_ name: String) -> JSONValue? { self["data"]?["attributes"]?[name] }

    /// The identifiers in a list.
    var ids: [String] { (self["data"]?.elements ?? []).compactMap { $0["id"]?.text } }
}
