import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

/// Walks the table of the publisher's routes: who may not call one is refused, and nothing
/// happens.
@Suite struct ConnectAccessTests {
    /// Something that a token can be, and the refusal; nil where it is taken.
    struct Caller: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let refusal: String?
        let reason: String
        let change: @Sendable (inout ConnectClient) async throws -> Void

        init(
            _ description: String, _ refusal: String?, _ reason: String = "",
            change: @escaping @Sendable (inout ConnectClient) async throws -> Void
        ) {
            testDescription = description
            self.refusal = refusal
            self.reason = reason
            self.change = change
        }

        static func claims(
            _ description: String, _ reason: String?,
            _ change: @escaping @Sendable (inout APIToken.Claims) -> Void
        ) -> Caller {
            Caller(description, reason == nil ? nil : "401 NOT_AUTHORIZED", reason ?? "") {
                $0.spoil = change
            }
        }
    }

    static let callers: [Caller] = [
        Caller("all right", nil) { _ in },
        Caller("no token", "401 NOT_AUTHORIZED", "no bearer token") { $0.token = .some(nil) },
        Caller("garbage", "401 NOT_AUTHORIZED", "not a JSON Web Token") { $0.token = "garbage" },
        Caller("too long", "401 NOT_AUTHORIZED", "not a JSON Web Token") {
            $0.token = String(repeating: "a", count: 4000) + ".b.c"
        },
        Caller("unsigned", "401 NOT_AUTHORIZED", "not signed with ES256") { client in
            client.token = try Self.forged(client, header: ["alg": "none"], signature: Data())
        },
        Caller("another algorithm", "401 NOT_AUTHORIZED", "not signed with ES256") { client in
            client.token = try Self.forged(client, header: ["alg": "HS256"])
        },
        Caller("critical extensions", "401 NOT_AUTHORIZED", "extensions") { client in
            client.token = try Self.forged(client, header: ["alg": "ES256", "crit": ["b64"]])
        },
        Caller("another type", "401 NOT_AUTHORIZED", "another type") { client in
            client.token = try Self.forged(client, header: ["alg": "ES256", "typ": "profile"])
        },
        Caller("no key identifier", "401 NOT_AUTHORIZED", "no kid") { client in
            client.token = try Self.forged(client, header: ["alg": "ES256", "kid": NSNull()])
        },
        Caller("signed by nobody", "401 NOT_AUTHORIZED", "not signed with it") { client in
            client.token = try Self.forged(client, header: ["alg": "ES256"])
        },
        Caller("short signature", "401 NOT_AUTHORIZED", "not signed with it") { client in
            client.token = try Self.forged(
                client, header: ["alg": "ES256"], signature: Data([1, 2, 3]))
        },
        Caller("signed by another key", "401 NOT_AUTHORIZED", "not signed with it") {
            $0.signer = try SigningKey.generate()
        },
        Caller("a key that there isn't", "401 NOT_AUTHORIZED", "no such key") { client in
            client.token = try Self.forged(client, header: ["alg": "ES256", "kid": "ABCDEFGHIJ"])
        },
        Caller("a key identifier that is none", "401 NOT_AUTHORIZED", "no such key") { client in
            client.token = try Self.forged(client, header: ["alg": "ES256", "kid": "' OR 1=1"])
        },
        Caller("revoked", "401 NOT_AUTHORIZED", "revoked") { client in
            _ = try await client.shop.store.services.people.keys.revoke(client.key.id, by: .machine)
        },
        Caller("a role that may not", "403 FORBIDDEN_ERROR") { client in
            client = try await ConnectClient(client.shop, clock: client.clock, role: .finance)
        },
        .claims("expired", "has expired") { $0.shift(by: -661) },
        .claims("expired within the tolerance", nil) { $0.shift(by: -659) },
        .claims("from the future", "in the future") { $0.shift(by: 61) },
        .claims("from the future within the tolerance", nil) { $0.shift(by: 59) },
        .claims("valid for 20 minutes", nil) {
            $0.expiration = $0.issued!.addingTimeInterval(1200)
        },
        .claims("valid for longer", "20 minutes") {
            $0.expiration = $0.issued!.addingTimeInterval(1201)
        },
        .claims("without iat", nil) { $0.issued = nil },
        .claims("without iat, valid for 20 minutes", nil) {
            $0.expiration = $0.issued!.addingTimeInterval(1200)
            $0.issued = nil
        },
        .claims("without iat, valid for longer", "20 minutes") {
            $0.expiration = $0.issued!.addingTimeInterval(1261)
            $0.issued = nil
        },
        .claims("without iat, expired", "has expired") {
            $0.shift(by: -661)
            $0.issued = nil
        },
        .claims("another issuer", "issuer") { $0.issuer = UUID().uuidString },
        .claims("issuer in capitals", nil) { $0.issuer = $0.issuer.uppercased() },
        .claims("another audience", "audience") { $0.audiences = ["appstoreconnect-v2"] },
        .claims("two audiences", "audience") { $0.audiences.append("elsewhere") },
        .claims("limited to another request", "scope") { $0.scopes = ["GET /v1/apps"] },
        .claims("limited to nothing", "scope") { $0.scopes = [] },
        .claims("not valid yet", "in the future") {
            $0.notBefore = $0.issued!.addingTimeInterval(661)
        },
    ]

    /// A token whose header says something else than the signature is for.
    static func forged(
        _ client: ConnectClient, header: [String: Any],
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

    /// Uploads and their parts, to see whether anything has changed.
    private func picture(_ shop: TestStore) async throws -> [String] {
        try await shop.store.database.read { repositories in
            try repositories.uploads.ids().map { id -> String in
                let upload = try #require(try repositories.uploads.upload(id))
                return "\(upload.state) \(try repositories.uploads.parts(of: id).keys.sorted())"
            }.sorted()
        }
    }

    @Test(arguments: callers)
    func `the table decides who may call a route`(caller: Caller) async throws {
        let clock = SettableClock()
        let shop = try await TestStore.waitingForUpload(clock: clock)
        let package = try ConnectClient.package()
        var client = try await ConnectClient(shop, clock: clock)
        let upload = try await client.begun(package)
        try await caller.change(&client)
        for operation in UploadOperation.allCases {
            let before = try await picture(shop)
            let response = try await send(operation, upload, package, by: client)
            guard let refusal = caller.refusal else {
                // What is committed can't be deleted; that it is refused so shows that the
                // caller was let in.
                let expected = operation == .delete ? 409 : nil
                #expect(
                    expected == response.status || (200..<300).contains(response.status),
                    "\(operation): \(response.status)")
                continue
            }
            #expect(try response.refusal() == refusal, "\(operation)")
            if !caller.reason.isEmpty {
                let reason = try response.errors().errors[0].meta?.reason
                #expect(reason?.contains(caller.reason) == true, "\(reason ?? "none")")
            }
            #expect(try await picture(shop) == before, "\(operation)")
        }
    }

    @Test(arguments: ["GET /v1/apps", "GET /v1/apps?limit=5", "GET /connect/v1/apps"])
    func `a token names requests as clients of Apple's servers do, or by the store's path`(
        scope: String
    ) async throws {
        let clock = SettableClock()
        var client = try await ConnectClient(
            TestStore(hasContent: false, clock: clock), clock: clock)
        client.spoil = { $0.scopes = [scope] }
        #expect(try await client.send("GET", "/connect/v1/apps").status == 200)
        #expect(try await client.send("GET", "/connect/v1/bundleIds").status == 401)
    }

    /// What can be done with uploads, in an order in which all of it succeeds but the last.
    enum UploadOperation: CaseIterable {
        case begin
        case list
        case show
        case sendPart
        case commit
        case delete
    }

    @Test func `there is no operation with uploads that is not tried`() {
        let uploads = ConnectRouteTable.operations.filter {
            (ConnectRouteTable.prefix + $0.pattern).hasPrefix(UploadRoute.uploads)
        }
        #expect(uploads.count == UploadOperation.allCases.count)
    }

    /// The roles that one key can have, each with a key of a team, and of the store's staff
    /// where it belongs to them.
    @Test(arguments: ConnectRole.allCases)
    func `a role may what the table says, and nothing else`(role: ConnectRole) async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        let client = try await ConnectClient(
            shop, clock: clock, role: role, team: role.isStaff ? nil : "Publisher")
        for operation in ConnectRouteTable.operations {
            let path = operation.pattern.split(separator: "/").map { part in
                part.hasPrefix("{") ? "nothing" : String(part)
            }.joined(separator: "/")
            let response = try await client.send(
                operation.method.rawValue, "\(ConnectRouteTable.prefix)/\(path)")
            var isRefused = false
            if response.status == 403 {
                isRefused = try response.refusal() == "403 FORBIDDEN_ERROR"
            }
            #expect(
                isRefused != operation.permission.roles.contains(role),
                "\(operation.method) \(operation.pattern): \(response.status)")
            #expect(response.status < 500, "\(operation.method) \(operation.pattern)")
        }
    }

    @Test func `without a token there is nothing but the description`() async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        var client = try await ConnectClient(shop, clock: clock)
        client.token = .some(nil)
        for operation in ConnectRouteTable.operations where !operation.isOpen {
            let response = try await client.send(
                operation.method.rawValue,
                ConnectRouteTable.prefix
                    + operation.pattern.replacingOccurrences(of: "{id}", with: "1"))
            #expect(try response.refusal() == "401 NOT_AUTHORIZED", "\(operation.pattern)")
        }
        let description = try await client.send("GET", ConnectRouteTable.descriptionPath)
        #expect(description.status == 200)
    }

    private func send(
        _ operation: UploadOperation, _ upload: JSONAPIResource<UploadAttributes>,
        _ package: Data, by client: ConnectClient
    ) async throws -> HTTPResponse {
        switch operation {
        case .begin: try await client.begin(package)
        case .list:
            try await client.send(
                "GET", UploadRoute.uploads,
                query: [
                    ("filter[app]", SampleShop.bundleID.text),
                    ("filter[product]", SampleShop.chapter),
                ])
        case .show: try await client.send("GET", UploadRoute.upload(upload.id))
        case .sendPart: try await client.part(0, of: upload, package)
        case .commit: try await client.commit(upload.id)
        case .delete: try await client.send("DELETE", UploadRoute.upload(upload.id))
        }
    }

    @Test func `a team's key finds the team's own apps only`() async throws {
        let clock = SettableClock()
        let shop = try await TestStore.waitingForUpload(clock: clock)
        let package = try ConnectClient.package()
        let owner = try await ConnectClient(shop, clock: clock, team: "Publisher")
        let upload = try await owner.begun(package)
        let stranger = try await ConnectClient(shop, clock: clock, role: .admin, team: "Other")
        #expect(stranger.key.issuer != owner.key.issuer)
        let before = try await picture(shop)
        for operation in UploadOperation.allCases {
            let response = try await send(operation, upload, package, by: stranger)
            #expect(try response.refusal() == "404 NOT_FOUND", "\(operation)")
        }
        #expect(try await picture(shop) == before)
        #expect(try await send(.sendPart, upload, package, by: owner).status == 204)
    }

    @Test func `a token that is limited to a request is good for it`() async throws {
        let clock = SettableClock()
        let shop = try await TestStore.waitingForUpload(clock: clock)
        var client = try await ConnectClient(shop, clock: clock)
        client.spoil = { $0.scopes = ["POST \(UploadRoute.uploads)?fields=state"] }
        let upload = try await client.begun(ConnectClient.package())
        let response = try await client.send("GET", UploadRoute.upload(upload.id))
        #expect(try response.refusal() == "401 NOT_AUTHORIZED")
    }

    @Test func `what the publisher's interface lacks is said in its own form`() async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        let client = try await ConnectClient(shop, clock: clock)
        #expect(try await client.send("GET", "/connect/v1/users").refusal() == "404 NOT_FOUND")
        let wrong = try await client.send("DELETE", UploadRoute.uploads)
        #expect(try wrong.refusal() == "405 METHOD_NOT_ALLOWED")
        #expect(wrong.headers["Allow"] == "GET, POST, HEAD")
    }
}

extension APIToken.Claims {
    fileprivate mutating func shift(by seconds: TimeInterval) {
        issued? += seconds
        expiration += seconds
    }
}
