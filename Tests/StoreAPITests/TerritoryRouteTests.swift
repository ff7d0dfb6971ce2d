import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Lists of Connect's API, as the territories are one.
@Suite struct TerritoryRouteTests {
    private func client(_ altitude: Altitude = .router) async throws -> ConnectClient {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        return try await ConnectClient(shop, clock: clock, altitude: altitude, role: .finance)
    }

    private func get(
        _ client: ConnectClient, query: [(name: String, value: String)] = [],
        headers: HTTPHeaders = ["Host": "store.example:8443"]
    ) async throws -> JSONValue {
        let response = try await client.send(
            "GET", "/connect/v1/territories", headers: headers, query: query)
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.headers["Cache-Control"] == "no-store")
        return try JSONValue(reading: response.data)
    }

    /// The query of an address in `links`.
    private func query(_ address: JSONValue?) throws -> [(name: String, value: String)] {
        let text = try #require(address?.text)
        #expect(text.hasPrefix("http://store.example:8443/connect/v1/territories?"))
        return try #require(URLComponents(string: text)?.queryItems).map {
            (name: $0.name, value: $0.value ?? "")
        }
    }

    @Test func `pages together are the whole list, each territory once`() async throws {
        let client = try await client()
        var seen: [String] = []
        var wanted: [(name: String, value: String)] = [(name: "limit", value: "40")]
        for _ in 0..<10 {
            let page = try await get(client, query: wanted)
            seen += (page["data"]?.elements ?? []).compactMap { $0["id"]?.text }
            let paging = page["meta"]?["paging"]
            #expect(paging?["total"]?.integer == Storefront.all.count)
            #expect(paging?["limit"]?.integer == 40)
            guard let next = page["links"]?["next"] else { break }
            wanted = try query(next)
        }
        #expect(seen == Storefront.all.map(\.code))
    }

    @Test func `a territory has its currency`() async throws {
        let page = try await get(try await client(), query: [(name: "limit", value: "1")])
        #expect(
            page["data"] == [
                ["type": "territories", "id": "USA", "attributes": ["currency": "USD"]]
            ])
        #expect(
            page["links"]?["self"]
                == "http://store.example:8443/connect/v1/territories?limit=1")
        #expect(
            page["links"]?["first"]
                == "http://store.example:8443/connect/v1/territories?limit=1")
    }

    @Test func `fields that are not wanted are left out`() async throws {
        let page = try await get(
            try await client(),
            query: [(name: "limit", value: "1"), (name: "fields[territories]", value: "")])
        #expect(page["data"] == [["type": "territories", "id": "USA"]])
    }

    @Test(arguments: [
        "", "%", "x", "MDAwMDAwMDAwMDAwLjQw", String(repeating: "A", count: 3000),
    ])
    func `a cursor that the list has not given is refused`(cursor: String) async throws {
        let response = try await client().send(
            "GET", "/connect/v1/territories", query: [(name: "cursor", value: cursor)])
        #expect(try response.refusal() == "400 PARAMETER_ERROR.INVALID")
        #expect(try response.errors().errors[0].source?.parameter == "cursor")
    }

    @Test(
        arguments: [
            (["Host": "store.example"], "http://store.example"),
            (["Host": "store.example", "X-Forwarded-Proto": "https"], "https://store.example"),
            (["Host": "[::1]:8080"], "http://[::1]:8080"),
            (["Host": "evil.example/a?b"], "http://localhost"), ([:], "http://localhost"),
        ] as [(HTTPHeaders, String)])
    func `links are addresses at the host that was asked`(
        headers: HTTPHeaders, origin: String
    ) async throws {
        let page = try await get(try await client(), headers: headers)
        #expect(page["links"]?["self"] == .string("\(origin)/connect/v1/territories"))
    }

    @Test func `a link of an answer leads on, over a socket`() async throws {
        let client = try await client(.socket)
        let first = try await get(client, query: [(name: "limit", value: "150")], headers: [:])
        let next = try #require(first["links"]?["next"]?.text)
        #expect(next.hasPrefix("http://127.0.0.1/connect/v1/territories?"))
        let items = try #require(URLComponents(string: next)?.queryItems)
        let second = try await get(
            client, query: items.map { (name: $0.name, value: $0.value ?? "") }, headers: [:])
        #expect(second["data"]?.elements?.count == Storefront.all.count - 150)
        #expect(second["links"]?["next"] == nil)
    }
}
