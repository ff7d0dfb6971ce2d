import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Shared secrets over Connect's API.
@Suite struct SharedSecretRouteTests {
    private static let path = "/openstore/v1/sharedSecrets"

    @Test func `an app's secret is made, shown and replaced, and opens its receipts`() async throws
    {
        let fixture = try await ReceiptFixture()
        let connect = try await ConnectClient(
            fixture.shop, clock: fixture.clock, role: .appManager, team: "Publisher")
        let app = String(try await fixture.server.app().id.number)
        let wanted = JSONValue.resource("sharedSecrets", to: ["app": ("apps", app)])
        let list = "\(Self.path)?filter[app]=\(app)"
        #expect(try await connect.call("GET", list, expecting: 200)["data"] == [])
        let made = try await connect.call("POST", Self.path, wanted, expecting: 201)
        let secret = try #require(made.at("data.attributes.secret"))
        #expect(secret.count == 32)
        #expect(secret.allSatisfy { "0123456789abcdef".contains($0) })
        #expect(made.at("data.id") == "app-\(app)")
        #expect(made.at("data.attributes.createdDate") == "2027-01-15T08:00:00Z")
        let shown = try await connect.call("GET", list, expecting: 200)
        #expect(shown.value("data")?.elements?.count == 1)
        #expect(shown.at("data.0.attributes.secret") == secret)

        let client = try await fixture.server.customer()
        _ = try await client.buy(ServerShop.monthly(1))
        let receipt = try await fixture.receipt(client)
        #expect(try await fixture.verify(receipt, password: secret)["status"] == 0)
        let again = try await connect.call("POST", Self.path, wanted, expecting: 201)
        #expect(again.at("data.attributes.secret") != secret)
        #expect(try await fixture.refusal(receipt, password: secret) == 21004)
        // The team's is an administrator's affair.
        try await connect.call("POST", Self.path, .resource("sharedSecrets"), expecting: 403)
        let team = try await fixture.server.app().teamID
        _ = try await fixture.shop.store.services.sharedSecrets.generate(
            for: .team(team), by: .machine)
        let seen = try await connect.call("GET", Self.path, expecting: 200)
        #expect(seen.value("data")?.elements?.isEmpty == true)
        for id in ["0", "x", "99999"] {
            try await connect.call("GET", "\(Self.path)?filter[app]=\(id)", expecting: 404)
        }
    }

    @Test func `what was made stands in the log, the secret does not`() async throws {
        let fixture = try await ReceiptFixture()
        let owner = SharedSecret.Owner.app(try await fixture.server.app().id)
        let secrets = fixture.shop.store.services.sharedSecrets
        let first = try await secrets.generate(for: owner, by: .machine)
        fixture.clock.advance(by: 86_400)
        let second = try await secrets.generate(for: owner, by: .machine)
        let entries = try await fixture.shop.store.services.people.audit.entries(
            of: nil, before: nil, limit: 10, by: .machine
        ).map(\.entry).filter { $0.action == "sharedSecret.generate" }
        #expect(entries.map(\.subject) == [SampleShop.bundleID.text, SampleShop.bundleID.text])
        #expect(entries.map(\.before) == ["made 2027-01-15", nil])
        #expect(entries.map(\.after) == ["made 2027-01-16", "made 2027-01-15"])
        for secret in [first, second] {
            #expect(!entries.contains { "\($0)".contains(secret.text) })
        }
    }

    @Test(arguments: ConnectRole.allCases)
    func `managers have their apps' secrets, administrators the team's too`(
        role: ConnectRole
    ) async throws {
        let fixture = try await ReceiptFixture()
        let app = try await fixture.server.app()
        let actor = ConnectActor(
            kind: .machine, team: role.isStaff ? nil : app.teamID, roles: [role])
        let secrets = fixture.shop.store.services.sharedSecrets
        let mayApp: Set<ConnectRole> = [.accountHolder, .admin, .appManager, .operator]
        let mayTeam: Set<ConnectRole> = [.accountHolder, .admin, .operator]
        for (owner, roles) in [
            (SharedSecret.Owner.app(app.id), mayApp), (.team(app.teamID), mayTeam),
        ] as [(SharedSecret.Owner, Set<ConnectRole>)] {
            if roles.contains(role) {
                let made = try await secrets.generate(for: owner, by: actor)
                #expect(try await secrets.secret(of: owner, by: actor) == made)
            } else {
                await #expect(throws: ConnectRefusal.self) {
                    _ = try await secrets.generate(for: owner, by: actor)
                }
                await #expect(throws: ConnectRefusal.self) {
                    _ = try await secrets.secret(of: owner, by: actor)
                }
            }
        }
    }

    @Test func `another team's secrets are as if they were not there`() async throws {
        let fixture = try await ReceiptFixture()
        _ = try await fixture.server.otherTeamsSale()
        let others = try await fixture.server.app(ServerShop.othersBundleID)
        let team = try await fixture.server.app().teamID
        let actor = ConnectActor(kind: .machine, team: team, roles: [.admin])
        let secrets = fixture.shop.store.services.sharedSecrets
        for owner in [
            SharedSecret.Owner.app(others.id), .team(others.teamID), .team(9999),
            .app(AppID(number: 9999)),
        ] {
            await #expect(throws: ConnectRefusal.self) {
                _ = try await secrets.secret(of: owner, by: actor)
            }
            await #expect(throws: ConnectRefusal.self) {
                _ = try await secrets.generate(for: owner, by: actor)
            }
        }
    }
}
