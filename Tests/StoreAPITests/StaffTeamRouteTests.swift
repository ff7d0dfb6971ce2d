import Foundation
import StoreAPI
import StoreCore
import StoreTestSupport
import StoreWire
import Testing

/// What the store's staff, who has no team of its own, does for one that it names.
@Suite struct StaffTeamRouteTests {
    @Test func `an identifier is registered for a named team, and apps are listed with theirs`()
        async throws
    {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        let member = try await ConnectClient(shop, clock: clock, role: .admin, team: "Studio")
        let `operator` = try await ConnectClient(shop, clock: clock, role: .operator)
        let teams = try await `operator`.call(
            "GET", "/openstore/v1/teams?filter%5Bname%5D=Studio", expecting: 200)
        let team = try #require(teams.ids.first)
        func identifier(_ team: String) -> JSONValue {
            .resource(
                "bundleIds",
                ["identifier": "com.studio.kites", "name": "Kites", "platform": "UNIVERSAL"],
                to: ["team": ("teams", team)])
        }
        // Others' teams are like none.
        let foreign = try await shop.store.database.read { try $0.sampleApp().teamID }
        try await member.refused(
            "notFound", 404, "POST", "/openstore/v1/bundleIds", identifier(String(foreign)))
        let made = try await `operator`.call(
            "POST", "/openstore/v1/bundleIds", identifier(team), expecting: 201)
        let id = try #require(made.at("data.id"))
        _ = try await member.call(
            "POST", "/openstore/v1/apps",
            .resource(
                "apps", ["name": "Kites", "sku": "KITES", "primaryLocale": "en-US"],
                to: ["bundleId": ("bundleIds", id)]), expecting: 201)
        let own = try await member.call("GET", "/openstore/v1/apps", expecting: 200)
        #expect(own.at("data.0.attributes.bundleIdentifier") == "com.studio.kites")
        #expect(own.at("data.0.attributes.teamName") == "Studio")
        #expect(own.ids.count == 1)
        let all = try await `operator`.call("GET", "/openstore/v1/apps", expecting: 200)
        #expect(all.ids.count == 2)
    }
}
