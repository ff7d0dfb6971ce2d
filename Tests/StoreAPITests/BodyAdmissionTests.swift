import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Who may send files is decided before the store takes a byte of them.
@Suite struct BodyAdmissionTests {
    private let clock = SettableClock()

    /// Routes that take files, with their permissions' neighbours.
    private static let routes: [(method: String, pattern: String)] = [
        ("POST", "/connect/openstore/v1/apps/{app}/productImports"),
        ("PUT", "/connect/openstore/v1/contentUploads/{upload}/parts/0"),
        ("PUT", "/connect/openstore/v1/productAssets/{asset}/parts/0"),
        ("POST", "/connect/openstore/v1/items/{item}/media?kind=download&fileName=a.zip"),
        ("POST", "/connect/v1/inAppPurchaseLocalizations"),
    ]

    /// Sends a header that announces a body, and no body.
    private func announce(
        _ shop: TestStore, _ method: String, _ path: String, token: String?,
        length: String = "Content-Length: 900000"
    ) async throws -> HTTPResponse {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: x\r\n\(length)\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        let client = LoopbackClient(port: shop.server.port)
        return try LoopbackClient.parse(try await client.exchange(Data((head + "\r\n").utf8)))
    }

    private func appNumber(_ shop: TestStore) async throws -> Int64 {
        let app = try await shop.store.database.read {
            try $0.catalog.app(SampleShop.bundleID)
        }
        return try #require(app).id.number
    }

    private func item(_ shop: TestStore) async throws -> ItemID {
        let team = try await shop.store.database.read {
            try $0.catalog.app(SampleShop.bundleID)?.teamID
        }
        return try await shop.store.services.items.create(
            ItemDetails(kind: .ebook, title: "The Lighthouse", genres: [9031]), state: .draft,
            of: try #require(team), by: .machine
        ).id
    }

    private func path(_ pattern: String, app: Int64, item: ItemID? = nil) -> String {
        var path = pattern.replacingOccurrences(of: "{app}", with: String(app))
            .replacingOccurrences(of: "{item}", with: item?.description ?? "1")
        for name in ["{upload}", "{asset}"] {
            path = path.replacingOccurrences(of: name, with: UUID().uuidString.lowercased())
        }
        return path
    }

    private func code(_ response: HTTPResponse) throws -> String {
        let error = try JSONValue(reading: response.data)["errors"]?.elements?.first
        return "\(response.status) \(error?["code"]?.text ?? "")"
    }

    @Test(arguments: routes)
    func `without a token, or with a wrong one, nobody's file is waited for`(
        method: String, pattern: String
    ) async throws {
        let shop = try await TestStore(hasContent: false, clock: clock)
        let path = path(pattern, app: try await appNumber(shop))
        for token in [nil, "", "x", "a.b.c", String(repeating: "t", count: 43)] as [String?] {
            for length in ["Content-Length: 900000", "Transfer-Encoding: chunked"] {
                let response = try await announce(
                    shop, method, path, token: token, length: length)
                #expect(try code(response) == "401 NOT_AUTHORIZED", "\(token ?? "none") \(length)")
                #expect(response.headers["WWW-Authenticate"] == "Bearer")
            }
        }
    }

    @Test(arguments: routes)
    func `who has another role sends no file`(method: String, pattern: String) async throws {
        let shop = try await TestStore(hasContent: false, clock: clock)
        let client = try await ConnectClient(shop, clock: clock, altitude: .socket, role: .sales)
        let path = path(pattern, app: try await appNumber(shop))
        let response = try await announce(shop, method, path, token: try client.makeToken())
        #expect(try code(response) == "403 FORBIDDEN_ERROR")
    }

    @Test func `nobody sends files for what is another team's, or nowhere`() async throws {
        let shop = try await TestStore(hasContent: false, clock: clock)
        let stranger = try await ConnectClient(
            shop, clock: clock, altitude: .socket, role: .admin, team: "Strangers")
        let (app, item) = (try await appNumber(shop), try await item(shop))
        for (method, pattern) in Self.routes.dropLast() {
            let response = try await announce(
                shop, method, path(pattern, app: app, item: item), token: try stranger.makeToken())
            #expect(try code(response) == "404 NOT_FOUND", "\(pattern)")
        }
    }

    @Test func `what is too large is refused in the form of the interface`() async throws {
        let shop = try await TestStore(hasContent: false, clock: clock)
        let app = try await appNumber(shop)
        for (method, pattern) in Self.routes {
            // What buyers download may be large.
            let length = pattern.contains("/media") ? 5_000_000_000 : 900_000_000
            let response = try await announce(
                shop, method, path(pattern, app: app), token: nil,
                length: "Content-Length: \(length)")
            #expect(try code(response) == "413 REQUEST_ENTITY_TOO_LARGE", "\(pattern)")
        }
    }

    @Test func `a file is as large as its kind may be, and is what it is said to be`()
        async throws
    {
        let shop = try await TestStore(hasContent: false, clock: clock)
        let client = try await ConnectClient(
            shop, clock: clock, altitude: .socket, role: .appManager)
        let path = "/connect/openstore/v1/items/\(try await item(shop))/media"
        for (query, expected) in [
            ("?kind=artwork&fileName=a.png", "413 REQUEST_ENTITY_TOO_LARGE"),
            ("?kind=videoPreview&fileName=a.mp4", "413 REQUEST_ENTITY_TOO_LARGE"),
            ("?kind=virus&fileName=a.exe", "400 PARAMETER_ERROR.INVALID"),
            ("", "400 PARAMETER_ERROR.INVALID"),
        ] as [(String, String)] {
            let response = try await announce(
                shop, "POST", path + query, token: try client.makeToken(),
                length: "Content-Length: 600000000")
            #expect(try code(response) == expected, "\(query)")
        }
    }

    @Test func `when all places are taken, who may is told to come again, and nobody else is`()
        async throws
    {
        let shop = try await TestStore(hasContent: false, clock: clock)
        let client = try await ConnectClient(
            shop, clock: clock, altitude: .socket, role: .appManager)
        let token = try client.makeToken()
        let path = path(Self.routes[0].pattern, app: try await appNumber(shop))
        let head = """
            POST \(path) HTTP/1.1\r
            Host: x\r
            Authorization: Bearer \(token ?? "")\r
            Content-Length: 100000\r
            Expect: 100-continue\r
            \r

            """
        // Each is told to go on, and does not.
        var held: [HeldConnection] = []
        for _ in 0..<8 {
            let connection = try HeldConnection(port: shop.server.port)
            #expect(await connection.exchange(head).hasPrefix("HTTP/1.1 100 "))
            held.append(connection)
        }
        let response = try await announce(shop, "POST", path, token: token)
        #expect(try code(response) == "503 SERVICE_UNAVAILABLE")
        #expect(response.headers["Retry-After"] == "2")
        #expect(try await announce(shop, "POST", path, token: nil).status == 401)
        withExtendedLifetime(held) {}
    }
}
