import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

/// Walks the table of routes: whose token is not taken is told so without a body, and nothing
/// happens.
@Suite struct ServerAccessTests {
    /// What a token can be, and what the header says; nil where it is taken.
    struct Caller: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: String?
        let change: @Sendable (inout ServerClient) async throws -> Void

        init(
            _ description: String, _ reason: String?,
            _ change: @escaping @Sendable (inout ServerClient) async throws -> Void
        ) {
            testDescription = description
            self.reason = reason
            self.change = change
        }

        static func claims(
            _ description: String, _ reason: String?,
            _ change: @escaping @Sendable (inout APIToken.Claims) -> Void
        ) -> Caller {
            Caller(description, reason) { $0.spoil = change }
        }
    }

    static let callers: [Caller] = [
        Caller("as Apple's library makes it", nil) { _ in },
        Caller("no token", "no bearer token") { $0.token = .some(nil) },
        Caller("an empty token", "no bearer token") { $0.token = "" },
        Caller("garbage", "not a JSON Web Token") { $0.token = "garbage" },
        Caller("too long", "not a JSON Web Token") {
            $0.token = String(repeating: "a", count: 4000) + ".b.c"
        },
        Caller("unsigned", "not signed with ES256") {
            $0.token = try Self.forged($0, header: ["alg": "none"], signature: Data())
        },
        Caller("another algorithm", "not signed with ES256") {
            $0.token = try Self.forged($0, header: ["alg": "HS256"])
        },
        Caller("no key identifier", "no kid") {
            $0.token = try Self.forged($0, header: ["kid": NSNull()])
        },
        Caller("signed by nobody", "no such key, or the token was not signed") {
            $0.token = try Self.forged($0, header: [:])
        },
        Caller("signed by another key", "no such key, or the token was not signed") {
            $0.signer = try SigningKey.generate()
        },
        Caller("a key that there isn't", "no such key, or the token was not signed") {
            $0.token = try Self.forged($0, header: ["kid": "ABCDEFGHIJ"])
        },
        Caller("revoked", "revoked") {
            _ = try await $0.shop.store.services.people.keys.revoke($0.key.id, by: .machine)
        },
        Caller("a role that may not", "A key with the role Marketing can't do this.") {
            $0 = try await ServerClient($0.shop, clock: $0.clock, role: .marketing)
        },
        Caller("another team's key", "no app with this bundle identifier") {
            $0 = try await ServerClient($0.shop, clock: $0.clock, team: "Others")
        },
        Caller("the operator's key", nil) {
            $0 = try await ServerClient($0.shop, clock: $0.clock, role: .admin, team: nil)
        },
        Caller("no app", "names no app") { $0.bundleID = nil },
        Caller("an app that there isn't", "no app with this bundle identifier") {
            $0.bundleID = "com.example.nothing"
        },
        .claims("with its beginning", nil) {
            $0.issued = $0.expiration.addingTimeInterval(-300)
            $0.notBefore = $0.issued
        },
        .claims("expired", "has expired") { $0.expiration += -361 },
        .claims("expired within the tolerance", nil) { $0.expiration += -359 },
        .claims("issued in the future", "begins in the future") {
            $0.issued = $0.expiration.addingTimeInterval(-300 + 61)
        },
        .claims("not valid yet", "begins in the future") {
            $0.notBefore = $0.expiration.addingTimeInterval(-300 + 61)
        },
        .claims("valid for an hour", nil) { $0.expiration += 3300 },
        .claims("valid for longer", "within 60 minutes") { $0.expiration += 3300 + 61 },
        .claims("another issuer", "issuer") { $0.issuer = UUID().uuidString },
        .claims("another audience", "audience") { $0.audiences = ["appstoreconnect-v2"] },
        .claims("two audiences", "audience") { $0.audiences.append("elsewhere") },
    ]

    /// A token whose header says something else than the signature is for.
    static func forged(
        _ client: ServerClient, header: [String: Any],
        signature: Data = Data(repeating: 1, count: 64)
    ) throws -> String {
        let right = try #require(try client.makeToken()).split(separator: ".").map(String.init)
        try #require(right.count == 3)
        let statement = try #require(Base64URL.decode(right[0]))
        var fields = try #require(
            JSONSerialization.jsonObject(with: statement) as? [String: Any])
        fields.merge(header) { $1 }
        let data = try JSONSerialization.data(withJSONObject: fields.filter { !($1 is NSNull) })
        return "\(Base64URL.encode(data)).\(right[1]).\(Base64URL.encode(signature))"
    }

    /// A request for a route, with numbers and names that there are not.
    static func request(
        _ row: ServerRouteTable.Row
    ) -> (method: String, path: String) {
        let path = row.pattern.dropFirst("/inApps".count)
            .replacingOccurrences(of: "{id}", with: "999999")
            .replacingOccurrences(of: "{product}", with: "com.example.nothing")
            .replacingOccurrences(of: "{request}", with: "nothing")
            .replacingOccurrences(of: "{token}", with: "nothing")
            .replacingOccurrences(of: "{uuid}", with: "00000000-0000-4000-8000-000000000000")
            .replacingOccurrences(of: "{locale}", with: "en-US")
        return (row.method.rawValue, path)
    }

    @Test(arguments: callers)
    func `who may not ask gets an empty answer, and a sentence in a header`(
        caller: Caller
    ) async throws {
        let shop = try await ServerShop()
        var server = shop.server
        try await caller.change(&server)
        for environment in StoreEnvironment.allCases {
            server.environment = environment
            for row in ServerRouteTable.rows {
                let (method, path) = Self.request(row)
                // The second time the token is known.
                for _ in 1...2 {
                    let response = try await server.send(method, path)
                    guard let reason = caller.reason else {
                        #expect(response.status != 401, "\(method) \(path)")
                        continue
                    }
                    #expect(response.status == 401, "\(method) \(path)")
                    #expect(response.data.isEmpty)
                    #expect(response.headers["Content-Type"] == nil)
                    #expect(response.headers["WWW-Authenticate"] == "Bearer")
                    let sentence = response.headers["X-OpenStore-Debug"] ?? ""
                    #expect(sentence.contains(reason), "\(sentence)")
                }
            }
        }
    }

    @Test func `each reason has a sentence of its own`() {
        let reasons = APITokenRefusal.allCases.map(\.reason)
        #expect(Set(reasons).count == reasons.count)
    }

    @Test func `a token that was taken is refused from the moment on that its key is revoked`()
        async throws
    {
        let shop = try await ServerShop()
        var server = shop.server
        server.token = .some(try server.makeToken())
        #expect(try await server.refusal("GET", "/v1/transactions/5") == 4_040_010)
        _ = try await shop.shop.store.services.people.keys.revoke(server.key.id, by: .machine)
        let refused = try await server.send("GET", "/v1/transactions/5")
        #expect(refused.status == 401)
        #expect(refused.headers["X-OpenStore-Debug"]?.contains("revoked") == true)
    }

    @Test func `a token that was taken is refused when it expires`() async throws {
        let shop = try await ServerShop()
        var server = shop.server
        server.token = .some(try server.makeToken())
        #expect(try await server.refusal("GET", "/v1/transactions/5") == 4_040_010)
        shop.clock.advance(by: 361)
        #expect(try await server.send("GET", "/v1/transactions/5").status == 401)
    }

    @Test func `an address that sends tokens of nobody waits, and right ones are taken`()
        async throws
    {
        let shop = try await ServerShop()
        let router = try StoreRoutes(services: shop.shop.store.services).router()
        func ask(_ token: String?, from peer: String) async throws -> HTTPResponse {
            try await router.response(
                to: HTTPRequest(
                    method: "GET", path: "/sandbox/inApps/v1/transactions/5",
                    headers: ["Authorization": "Bearer \(token ?? "")"], peer: peer))
        }
        let known = try shop.server.makeToken()
        #expect(try await ask(known, from: "192.0.2.1").status == 404)
        for _ in 1...60 { #expect(try await ask("x.y.z", from: "192.0.2.1").status == 401) }
        let refused = try await ask("x.y.z", from: "192.0.2.1")
        #expect(refused.status == 429)
        let end = shop.clock.now().addingTimeInterval(1).milliseconds
        #expect(refused.headers["Retry-After"] == String(end))
        // What was checked before is taken, and another address has its own.
        #expect(try await ask(known, from: "192.0.2.1").status == 404)
        #expect(try await ask("x.y.z", from: "198.51.100.1").status == 401)
        shop.clock.advance(by: 1)
        #expect(try await ask("x.y.z", from: "192.0.2.1").status == 401)
    }

    @Test func `that a key is used is written down once an hour`() async throws {
        let shop = try await ServerShop()
        func lastUse() async throws -> Date? {
            try await shop.shop.store.services.apiKeys.key(shop.server.key.id)?.lastUse
        }
        let first = shop.clock.now()
        _ = try await shop.server.send("GET", "/v1/transactions/5")
        #expect(try await lastUse() == first)
        shop.clock.advance(by: 3599)
        _ = try await shop.server.send("GET", "/v1/transactions/5")
        #expect(try await lastUse() == first)
        shop.clock.advance(by: 1)
        var server = shop.server
        server.token = .some(try server.makeToken())
        for _ in 1...2 { _ = try await server.send("GET", "/v1/transactions/5") }
        #expect(try await lastUse() == shop.clock.now())
    }

    @Test func `a bundle identifier that is none is an invalid app`() async throws {
        let shop = try await ServerShop()
        var server = shop.server
        server.bundleID = "no app at all"
        #expect(try await server.refusal("GET", "/v1/transactions/5") == 4_000_002)
    }

    @Test func `a key of the store gets an error for an unknown app`() async throws {
        let shop = try await ServerShop()
        var server = try await ServerClient(
            shop.shop, clock: shop.clock, role: .admin, team: nil)
        server.bundleID = "com.example.nothing"
        #expect(try await server.refusal("GET", "/v1/transactions/5") == 4_040_003)
    }

    @Test(arguments: [StoreEnvironment.sandbox, .production], Altitude.allCases)
    func `a token with a scope is for these requests only`(
        environment: StoreEnvironment, altitude: Altitude
    ) async throws {
        let shop = try await ServerShop(altitude: altitude)
        var server = shop.server
        server.environment = environment
        func status(_ method: String, _ path: String, _ scopes: [String]?) async throws -> Int {
            server.spoil = { $0.scopes = scopes }
            return try await server.send(method, path).status
        }
        let scopes = ["GET /inApps/v1/transactions/5", "GET /inApps/v1/lookup/M1?a=b"]
        for _ in 1...2 {
            #expect(try await status("GET", "/v1/transactions/5", scopes) == 404)
            #expect(try await status("GET", "/v1/lookup/M1", scopes) == 200)
            for (method, path) in [
                ("GET", "/v1/transactions/6"), ("POST", "/v1/transactions/5/finish"),
                ("POST", "/v1/notifications/test"), ("GET", "/v1/messaging/message/list"),
            ] {
                #expect(try await status(method, path, scopes) == 401, "\(path)")
            }
            #expect(try await status("GET", "/v1/transactions/5", []) == 401)
            #expect(try await status("GET", "/v1/transactions/5", nil) == 404)
        }
        // A body is not even taken.
        server.spoil = { $0.scopes = scopes }
        let refused = try await server.send(
            "PUT", "/v1/messaging/image/\(RetentionImageTests.id(1))", RetentionImageTests.bullet)
        #expect(refused.status == 401)
        #expect(refused.headers["X-OpenStore-Debug"]?.contains("scope") == true)
    }

    @Test func `who asks too often waits, and is told until when`() async throws {
        let shop = try await ServerShop { services in
            services.serverRequestLimit = ServerRequestLimit(requests: 3, span: 60)
        }
        for _ in 1...3 {
            #expect(try await shop.server.refusal("GET", "/v1/transactions/5") == 4_040_010)
        }
        let refused = try await shop.server.send("GET", "/v1/transactions/5")
        #expect(refused.status == 429)
        #expect(
            String(decoding: refused.data, as: UTF8.self)
                == #"{"errorCode":4290000,"errorMessage":"Rate limit exceeded."}"#)
        let end = shop.clock.now().addingTimeInterval(60)
        #expect(refused.headers["Retry-After"] == String(end.milliseconds))
        var other = try await ServerClient(shop.shop, clock: shop.clock)
        #expect(try await other.refusal("GET", "/v1/transactions/5") == 4_040_010)
        other = shop.server
        shop.clock.advance(by: 60)
        #expect(try await other.refusal("GET", "/v1/transactions/5") == 4_040_010)
    }

    @Test(
        arguments: [
            ("GET", "/v1/nothing", 404), ("POST", "/v1/transactions/5", 405),
            ("GET", "/v3/history/5", 404),
        ] as [(String, String, Int)])
    func `an address that there is not has no body`(
        method: String, path: String, status: Int
    ) async throws {
        let shop = try await ServerShop()
        let response = try await shop.server.send(method, path)
        #expect(response.status == status)
        #expect(response.data.isEmpty)
        #expect(response.headers["X-OpenStore-Debug"]?.contains("/inApps\(path)") == true)
    }

    @Test func `who asks is answered where nothing can be written, and the log says so`()
        async throws
    {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(APIClient.badge(1))
        let lines = Mutex<[String]>([])
        let database = BreakingDatabase(shop.shop.store.database)
        let store = try Store(
            directory: shop.shop.folder.file("store"), database: database, clock: shop.clock,
            vault: OpenSSLVault.forTests,
            log: EventLog { line in lines.withLock { $0.append(line) } })
        let server = try await ServerClient(shop.shop, clock: shop.clock) { $0 = store.services }
        database.breakWrites()
        for path in ["transactions", "history"] {
            #expect(try await server.refusal("GET", "/v1/\(path)/\(bought.transactionId)") == 200)
        }
        #expect(lines.withLock { $0 }.contains { $0.contains("Broken") })
    }

    @Test func `what breaks is not told, and who only asked may ask again`() async throws {
        let shop = try await ServerShop()
        let database = BreakingDatabase(shop.shop.store.database)
        let store = try Store(
            directory: shop.shop.folder.file("store"), database: database, clock: shop.clock,
            vault: OpenSSLVault.forTests, log: .silent)
        var server = try await ServerClient(shop.shop, clock: shop.clock) {
            $0 = store.services
        }
        server.token = .some(try server.makeToken())
        #expect(try await server.refusal("GET", "/v1/history/5") == 4_040_010)
        database.breakAfter(1)
        let broken = try await server.send("GET", "/v1/history/5")
        #expect(
            String(decoding: broken.data, as: UTF8.self)
                == #"{"errorCode":5000001,"errorMessage":"An unknown error occurred. "#
                + #"Please try again."}"#)
        #expect(broken.headers["X-OpenStore-Debug"] == nil)
        // Of a change nobody knows what became of it.
        database.breakAfter(1)
        #expect(try await server.refusal("POST", "/v1/transactions/5/finish") == 5_000_000)
    }
}
