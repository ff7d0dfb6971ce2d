import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreTestSupport
import StoreWire
import Testing

/// People, teams, agreements and keys over Connect's API.
@Suite struct PeopleRouteTests {
    private static let password = "correct horse battery"
    private static let prefix = "/connect/openstore/v1"

    /// A store with an operator, and whoever asks it.
    private struct Fixture: Sendable {
        let shop: TestStore
        let clock: SettableClock
        let router: Router
        var people: PeopleServices { shop.store.services.people }

        init() async throws {
            clock = SettableClock()
            shop = try await TestStore(hasContent: false, clock: clock)
            router = try StoreRoutes(services: shop.store.services).router()
            _ = try await people.firstOperator.create(
                email: "op@example.com", name: "Olga", password: password, by: .machine)
        }

        func send(
            _ method: String, _ path: String, _ body: JSONValue? = nil, token: String? = nil,
            query: [(name: String, value: String)] = [], peer: String? = nil
        ) async throws -> HTTPResponse {
            var request = HTTPRequest(
                method: method, path: prefix + path, query: query,
                headers: ["Host": "store.example"], body: body?.encoded() ?? Data(), peer: peer)
            if body != nil { request.headers["Content-Type"] = "application/json" }
            request.headers["Authorization"] = token.map { "Bearer \($0)" }
            return try await router.response(to: request)
        }

        func data(
            _ method: String, _ path: String, _ body: JSONValue? = nil, token: String,
            query: [(name: String, value: String)] = []
        ) async throws -> JSONValue {
            let response = try await send(method, path, body, token: token, query: query)
            guard (200..<300).contains(response.status) else { throw try response.errors() }
            return try JSONValue(reading: response.data)["data"] ?? .null
        }

        func signIn(
            _ email: String, _ password: String = password, team: String? = nil,
            peer: String? = nil
        ) async throws -> HTTPResponse {
            var attributes: [String: JSONValue] = [
                "email": .string(email), "password": .string(password),
            ]
            attributes["teamName"] = team.map(JSONValue.string)
            return try await send(
                "POST", "/sessions", document("sessions", attributes), peer: peer)
        }

        func token(_ email: String, team: String? = nil) async throws -> String {
            let response = try await signIn(email, team: team)
            #expect(response.status == 201)
            let data = try JSONValue(reading: response.data)
            return try #require(data["data"]?["attributes"]?["token"]?.text)
        }
    }

    private static func document(
        _ type: String, id: String? = nil, _ attributes: [String: JSONValue],
        team: String? = nil
    ) -> JSONValue {
        var data: [String: JSONValue] = [
            "type": .string(type), "attributes": .object(attributes),
        ]
        data["id"] = id.map(JSONValue.string)
        if let team {
            data["relationships"] = [
                "team": ["data": ["type": "teams", "id": .string(team)]]
            ]
        }
        return ["data": .object(data)]
    }

    @Test func `an account that isn't there is refused as one that is, to the letter`()
        async throws
    {
        let fixture = try await Fixture()
        func answer(_ email: String) async throws -> String {
            let response = try await fixture.signIn(email, "wrong password")
            let headers = response.headers.fields.map { "\($0.name): \($0.value)" }.sorted()
            return "\(response.status) \(headers) \(String(decoding: response.data, as: UTF8.self))"
        }
        for _ in 1...7 {
            let known = try await answer("op@example.com")
            #expect(try await answer("nobody@example.com") == known)
        }
        let last = try await fixture.signIn("op@example.com")
        #expect(try last.refusal() == "429 RATE_LIMIT_EXCEEDED")
    }

    @Test func `an address that tries many accounts waits`() async throws {
        let fixture = try await Fixture()
        for number in 1...30 {
            let response = try await fixture.signIn("a\(number)@example.com", peer: "192.0.2.7")
            #expect(try response.refusal() == "401 SIGN_IN_REFUSED")
        }
        let own = try await fixture.signIn("op@example.com", peer: "192.0.2.7")
        #expect(own.status == 429)
        #expect(try await fixture.signIn("op@example.com", peer: "192.0.2.8").status == 201)
    }

    @Test func `a session is used as a token until it is ended`() async throws {
        let fixture = try await Fixture()
        let token = try await fixture.token("op@example.com")
        let me = try await fixture.data("GET", "/me", token: token)
        #expect(me["attributes"]?["email"] == "op@example.com")
        #expect(me["attributes"]?["roles"] == ["OPERATOR"])
        let sessions = try await fixture.data("GET", "/sessions", token: token)
        let id = try #require(sessions.elements?.first?["id"]?.text)
        #expect(sessions.elements?.first?["attributes"]?["token"] == nil)
        #expect(try await fixture.send("DELETE", "/sessions/\(id)", token: token).status == 204)
        let after = try await fixture.send("GET", "/me", token: token)
        #expect(try after.refusal() == "401 NOT_AUTHORIZED")
    }

    @Test func `a session ends by itself`() async throws {
        let fixture = try await Fixture()
        let token = try await fixture.token("op@example.com")
        fixture.clock.advance(by: ConnectSession.idleDuration)
        #expect(try await fixture.send("GET", "/me", token: token).status == 401)
    }

    @Test func `an operator makes a team, whose account holder signs for it`() async throws {
        let fixture = try await Fixture()
        let op = try await fixture.token("op@example.com")
        let team = try await fixture.data(
            "POST", "/teams",
            Self.document("teams", ["name": "Example", "accountHolder": "ada@example.com"]),
            token: op)
        let id = try #require(team["id"]?.text)
        let link = try #require(team["attributes"]?["invitationUrl"]?.text)
        #expect(link.hasPrefix("http://store.example/connect/invitations/"))
        _ = try await fixture.people.invitations.accept(
            token: String(try #require(link.split(separator: "/").last)), name: "Ada",
            password: Self.password, address: nil)
        let ada = try await fixture.token("ada@example.com", team: "Example")
        _ = try await fixture.data(
            "POST", "/bankAccounts",
            Self.document(
                "bankAccounts",
                [
                    "accountHolder": "Ada", "bankName": "Bank", "territory": "USA",
                    "accountNumber": "12345678", "currency": "USD",
                ]), token: ada)
        _ = try await fixture.data(
            "POST", "/taxForms",
            Self.document(
                "taxForms",
                [
                    "legalName": "Example", "territory": "USA", "taxId": "12-345678",
                    "address": "1 Road",
                ]), token: ada)
        let accepted = try await fixture.data(
            "PATCH", "/agreements/\(id)-PAID_APPS",
            Self.document("agreements", id: "\(id)-PAID_APPS", ["step": "accept"]), token: ada)
        #expect(accepted["attributes"]?["state"] == "ACTIVE")
        let bank = try await fixture.send("GET", "/bankAccounts", token: ada)
        let text = String(decoding: bank.data, as: UTF8.self)
        #expect(text.contains("5678") && !text.contains("12345678"))
        let seen = try await fixture.data("GET", "/teams/\(id)", token: op)
        #expect(seen["attributes"]?["hasPaidAgreement"] == true)
        let log = try await fixture.data("GET", "/auditEntries", token: ada)
        #expect(log.elements?.first?["attributes"]?["action"] == "agreement.complete")
    }

    @Test func `members are invited, changed and removed`() async throws {
        let fixture = try await Fixture()
        let op = try await fixture.token("op@example.com")
        let team = try await fixture.data(
            "POST", "/teams",
            Self.document("teams", ["name": "Example", "accountHolder": "op@example.com"]),
            token: op)
        #expect(team["attributes"]?["invitationUrl"] == nil)
        let id = try #require(team["id"]?.text)
        let invitation = try await fixture.data(
            "POST", "/userInvitations",
            Self.document(
                "userInvitations", ["email": "grace@example.com", "roles": ["DEVELOPER"]],
                team: id), token: op)
        let link = try #require(invitation["attributes"]?["url"]?.text)
        _ = try await fixture.people.invitations.accept(
            token: String(try #require(link.split(separator: "/").last)), name: "Grace",
            password: Self.password, address: nil)
        let filter = [(name: "filter[team]", value: id)]
        let users = try await fixture.data("GET", "/users", token: op, query: filter)
        #expect(
            users.elements?.map { $0["attributes"]?["email"]?.text }
                == ["grace@example.com", "op@example.com"])
        let grace = try #require(users.elements?.first?["id"]?.text)
        let changed = try await fixture.data(
            "PATCH", "/users/\(grace)",
            Self.document("users", id: grace, ["roles": ["ADMIN", "FINANCE"]]), token: op)
        #expect(changed["attributes"]?["roles"] == ["ADMIN", "FINANCE"])
        let hers = try await fixture.token("grace@example.com")
        let holder = try #require(users.elements?.last?["id"]?.text)
        let refused = try await fixture.send("DELETE", "/users/\(holder)", token: hers)
        #expect(try refused.refusal() == "409 STATE_ERROR.ACCOUNT_HOLDER_STAYS")
        #expect(try await fixture.send("DELETE", "/users/\(grace)", token: op).status == 204)
        #expect(try await fixture.send("GET", "/me", token: hers).status == 401)
        let without = try await fixture.send("GET", "/users", token: op)
        #expect(try without.refusal() == "400 PARAMETER_ERROR.INVALID")
    }

    @Test func `another team's people, agreements and keys are not found`() async throws {
        let fixture = try await Fixture()
        let op = try await fixture.token("op@example.com")
        var teams: [String] = []
        for name in ["One", "Two"] {
            let made = try await fixture.data(
                "POST", "/teams",
                Self.document("teams", ["name": .string(name), "accountHolder": "op@example.com"]),
                token: op)
            teams.append(try #require(made["id"]?.text))
        }
        let key = try await fixture.data(
            "POST", "/apiKeys",
            Self.document("apiKeys", ["name": "x", "role": "ADMIN"], team: teams[1]), token: op)
        let keyID = try #require(key["id"]?.text)
        #expect(key["attributes"]?["privateKey"]?.text?.contains("PRIVATE KEY") == true)
        let member = try await fixture.data(
            "GET", "/users", token: op, query: [(name: "filter[team]", value: teams[1])])
        let user = try #require(member.elements?.first?["id"]?.text)
        let one = try await fixture.token("op@example.com", team: "One")
        let before = try await fixture.people.audit.entries(of: nil, limit: 200, by: .machine)
        for (method, path) in [
            ("GET", "/teams/\(teams[1])"), ("GET", "/users/\(user)"),
            ("DELETE", "/users/\(user)"), ("GET", "/agreements/\(teams[1])-PAID_APPS"),
            ("GET", "/apiKeys/\(keyID)"), ("DELETE", "/apiKeys/\(keyID)"),
            ("GET", "/users/\(user)/team"), ("GET", "/apiKeys/\(keyID)/team"),
            ("GET", "/bankAccounts/\(teams[1])/team"),
        ] as [(String, String)] {
            let response = try await fixture.send(method, path, token: one)
            #expect(try response.refusal() == "404 NOT_FOUND", "\(method) \(path)")
        }
        for path in [
            "/users", "/userInvitations", "/agreements", "/bankAccounts", "/taxForms",
            "/apiKeys", "/auditEntries",
        ] {
            let response = try await fixture.send(
                "GET", path, token: one, query: [(name: "filter[team]", value: teams[1])])
            #expect(try response.refusal() == "404 NOT_FOUND", "\(path)")
        }
        let after = try await fixture.people.audit.entries(of: nil, limit: 200, by: .machine)
        #expect(after == before)
    }

    @Test func `lists go on behind their last row`() async throws {
        let fixture = try await Fixture()
        let op = try await fixture.token("op@example.com")
        for number in 1...5 {
            _ = try await fixture.data(
                "POST", "/teams",
                Self.document("teams", ["name": .string("Team \(number)")]), token: op)
        }
        for path in ["/teams", "/auditEntries"] {
            var seen: [String] = []
            var query = [(name: "limit", value: "2")]
            for _ in 0..<20 {
                let response = try await fixture.send("GET", path, token: op, query: query)
                let page = try JSONValue(reading: response.data)
                seen += (page["data"]?.elements ?? []).compactMap { $0["id"]?.text }
                guard let next = page["meta"]?["paging"]?["nextCursor"]?.text else { break }
                query = [(name: "limit", value: "2"), (name: "cursor", value: next)]
            }
            #expect(Set(seen).count == seen.count)
            #expect(seen.count >= 6)
        }
    }

    @Test func `a key does not act as a person`() async throws {
        let fixture = try await Fixture()
        let client = try await ConnectClient(
            fixture.shop, clock: fixture.clock, role: .admin, team: "Publisher")
        let me = try await client.send("GET", "\(Self.prefix)/me")
        #expect(try JSONValue(reading: me.data)["data"]?["attributes"]?["kind"] == "KEY")
        let sessions = try await client.send("GET", "\(Self.prefix)/sessions")
        #expect(try sessions.refusal() == "409 STATE_ERROR.PERSON_ONLY")
        let used = try await fixture.shop.store.services.apiKeys.key(client.key.id)
        #expect(used?.lastUse == fixture.clock.now())
    }
}
