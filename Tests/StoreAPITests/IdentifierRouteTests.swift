import Foundation
import StoreAPI
import StoreCore
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

/// Bundle identifiers, capabilities and profiles, as tools for App Store Connect ask for them.
@Suite struct IdentifierRouteTests {
    private let shop: TestStore
    private let admin: ConnectClient
    private let stranger: ConnectClient

    init() async throws {
        let clock = SettableClock()
        shop = try await TestStore(hasContent: false, clock: clock)
        admin = try await ConnectClient(shop, clock: clock, role: .admin, team: "Studio")
        stranger = try await ConnectClient(shop, clock: clock, role: .admin, team: "Stranger")
    }

    private func register(_ text: String, by client: ConnectClient? = nil) async throws -> JSONValue
    {
        try await (client ?? admin).call(
            "POST", "/v1/bundleIds",
            .resource(
                "bundleIds", ["identifier": .string(text), "name": "Shop", "platform": "IOS"]),
            expecting: 201)
    }

    private func id(_ text: String) async throws -> String {
        try #require(try await register(text).at("data.id"))
    }

    @Test func `an identifier is registered, shown, renamed and deleted`() async throws {
        let made = try await register("com.publisher.shop")
        let id = try #require(made.at("data.id"))
        #expect(id.utf8.count == 10)
        #expect(made.at("data.attributes.identifier") == "com.publisher.shop")
        #expect(made.at("data.attributes.seedId")?.utf8.count == 10)
        #expect(made.at("data.links.self") == "http://store.example/connect/v1/bundleIds/\(id)")
        let shown = try await admin.call(
            "GET", "/v1/bundleIds/\(id)?include=bundleIdCapabilities,profiles,app", expecting: 200)
        #expect(shown.at("included.0.id") == "\(id)_IN_APP_PURCHASE")
        #expect(
            shown.at("data.relationships.bundleIdCapabilities.data.0.id")
                == "\(id)_IN_APP_PURCHASE")
        let renamed = try await admin.call(
            "PATCH", "/v1/bundleIds/\(id)", .resource("bundleIds", id: id, ["name": "New"]),
            expecting: 200)
        #expect(renamed.at("data.attributes.name") == "New")
        for client in [stranger] {
            try await client.refused("notFound", 404, "GET", "/v1/bundleIds/\(id)")
            try await client.refused("notFound", 404, "DELETE", "/v1/bundleIds/\(id)")
            #expect(try await client.call("GET", "/v1/bundleIds", expecting: 200).ids == [])
        }
        try await admin.refused("notFound", 404, "GET", "/v1/bundleIds/\(id)/app")
        try await admin.call("DELETE", "/v1/bundleIds/\(id)", expecting: 204)
        try await admin.refused("notFound", 404, "GET", "/v1/bundleIds/\(id)")
    }

    @Test func `what the rules refuse names the attribute`() async throws {
        _ = try await register("com.publisher.shop")
        let taken = try await stranger.call(
            "POST", "/v1/bundleIds",
            .resource(
                "bundleIds",
                ["identifier": "com.publisher.shop", "name": "Shop", "platform": "IOS"]),
            expecting: 409)
        #expect(taken.at("errors.0.source.pointer") == "/data/attributes/identifier")
        let missing = try await admin.call(
            "POST", "/v1/bundleIds", .resource("bundleIds", ["name": "x", "platform": "WINDOWS"]),
            expecting: 409)
        let pointers = (missing["errors"]?.elements ?? []).compactMap { $0.at("source.pointer") }
        #expect(Set(pointers) == ["/data/attributes/identifier", "/data/attributes/platform"])
    }

    @Test func `lists are filtered, sorted and paged`() async throws {
        for text in ["com.publisher.b", "com.publisher.a", "com.publisher.*"] {
            _ = try await register(text)
        }
        func list(_ query: String) async throws -> [String?] {
            try await admin.call("GET", "/v1/bundleIds?\(query)", expecting: 200)["data"]?.elements?
                .map { $0.at("attributes.identifier") } ?? []
        }
        #expect(
            try await list("sort=-identifier")
                == ["com.publisher.b", "com.publisher.a", "com.publisher.*"])
        #expect(
            try await list("filter%5Bidentifier%5D=com.publisher.a,com.publisher.x")
                == ["com.publisher.a"])
        #expect(try await list("filter%5Bid%5D=AAAAAAAAAA,nonsense") == [])
        #expect(try await list("filter%5BseedId%5D=nonsense") == [])
        #expect(try await list("filter%5Bplatform%5D=MAC_OS") == [])
        let first = try await admin.call(
            "GET", "/v1/bundleIds?sort=identifier&limit=2", expecting: 200)
        #expect(first.value("meta.paging.total")?.integer == 3)
        let next = try #require(first.at("links.next"))
        let rest = String(next.dropFirst("http://store.example/connect".count))
        #expect(try await admin.call("GET", rest, expecting: 200).ids.count == 1)
    }

    @Test func `capabilities are switched on, set and switched off`() async throws {
        let id = try await id("com.publisher.shop")
        let settings: JSONValue = [
            ["key": "ICLOUD_VERSION", "options": [["key": "XCODE_6", "enabled": true]]]
        ]
        func creation(_ type: String) -> JSONValue {
            .resource(
                "bundleIdCapabilities", ["capabilityType": .string(type), "settings": settings],
                to: ["bundleId": ("bundleIds", id)])
        }
        let made = try await admin.call(
            "POST", "/v1/bundleIdCapabilities", creation("ICLOUD"), expecting: 201)
        #expect(made.at("data.id") == "\(id)_ICLOUD")
        #expect(made.at("data.attributes.settings.0.options.0.key") == "XCODE_6")
        try await admin.refused(
            "capabilityTaken", 409, "POST", "/v1/bundleIdCapabilities", creation("ICLOUD"))
        try await admin.refused(
            "capabilitySetting", 409, "POST", "/v1/bundleIdCapabilities", creation("MAPS"))
        try await stranger.refused(
            "notFound", 409, "POST", "/v1/bundleIdCapabilities", creation("MAPS"))
        let cleared = try await admin.call(
            "PATCH", "/v1/bundleIdCapabilities/\(id)_ICLOUD",
            .resource("bundleIdCapabilities", id: "\(id)_ICLOUD", ["settings": .null]),
            expecting: 200)
        #expect(cleared.value("data.attributes.settings")?.elements == [])
        try await admin.refused(
            "capabilityFixed", 409, "PATCH", "/v1/bundleIdCapabilities/\(id)_ICLOUD",
            .resource(
                "bundleIdCapabilities", id: "\(id)_ICLOUD", ["capabilityType": "MAPS"]))
        for wrong in ["ICLOUD", "\(id)_NOTHING", "\(id)_WALLET"] {
            try await admin.refused(
                "notFound", 404, "DELETE", "/v1/bundleIdCapabilities/\(wrong)")
        }
        try await admin.call("DELETE", "/v1/bundleIdCapabilities/\(id)_ICLOUD", expecting: 204)
        #expect(
            try await admin.call(
                "GET", "/v1/bundleIds/\(id)/bundleIdCapabilities", expecting: 200
            ).ids == ["\(id)_IN_APP_PURCHASE"])
    }

    private func profile(
        _ type: String, _ bundleID: String, name: String = "Profile"
    ) -> JSONValue {
        .resource(
            "profiles", ["name": .string(name), "profileType": .string(type)],
            to: ["bundleId": ("bundleIds", bundleID)], empty: ["certificates"])
    }

    @Test func `a profile is a signed file that leads to this store`() async throws {
        let id = try await id("com.publisher.shop")
        let made = try await admin.call(
            "POST", "/v1/profiles", profile("IOS_APP_DEVELOPMENT", id), expecting: 201)
        #expect(made.at("data.attributes.profileState") == "ACTIVE")
        let content = try #require(made.at("data.attributes.profileContent"))
        let text = String(decoding: try #require(Data(base64Encoded: content)), as: UTF8.self)
        let verifier = shop.store.services.verifier
        let now = admin.clock.now()
        let data = try verifier.verify(text, type: SignedKind.profile) { _ in now }
        let payload = try WireCoding.decode(ProfilePayload.self, from: data)
        #expect(payload.baseURL == "http://store.example/sandbox")
        #expect(payload.bundleId.text == "com.publisher.shop")
        #expect(payload.entitlements == [ProfilePayload.inAppPurchase])
        let profile = try #require(made.at("data.id"))
        #expect(
            try await admin.call("GET", "/v1/profiles/\(profile)/bundleId", expecting: 200)
                .at("data.id") == id)
        for name in ["devices", "certificates"] {
            #expect(
                try await admin.call("GET", "/v1/profiles/\(profile)/\(name)", expecting: 200).ids
                    == [])
        }
        try await stranger.refused("notFound", 404, "GET", "/v1/profiles/\(profile)")
        try await admin.call("DELETE", "/v1/profiles/\(profile)", expecting: 204)
    }

    @Test func `a profile that is out of date is made anew`() async throws {
        let id = try await id("com.publisher.shop")
        let made = try await admin.call(
            "POST", "/v1/profiles", profile("IOS_APP_STORE", id), expecting: 201)
        let profile = try #require(made.at("data.id"))
        try await admin.call(
            "DELETE", "/v1/bundleIdCapabilities/\(id)_IN_APP_PURCHASE", expecting: 204)
        func states() async throws -> [[String]] {
            var found: [[String]] = []
            for state in ["ACTIVE", "INVALID"] {
                found.append(
                    try await admin.call(
                        "GET", "/v1/profiles?filter%5BprofileState%5D=\(state)", expecting: 200
                    ).ids)
            }
            return found
        }
        #expect(try await states() == [[], [profile]])
        let renewal = try await admin.call(
            "POST", "/openstore/v1/profileRenewals",
            .resource("profileRenewals", to: ["profile": ("profiles", profile)]), expecting: 201)
        #expect(try await states() == [[profile], []])
        let anew = try await admin.call("GET", "/v1/profiles/\(profile)", expecting: 200)
        #expect(anew.at("data.attributes.uuid") != made.at("data.attributes.uuid"))
        // The answer is the profile, which needn't be read again.
        for name in ["uuid", "name", "profileContent", "profileState", "expirationDate"] {
            let path = "data.attributes.\(name)"
            #expect(renewal.at(path) == anew.at(path) && renewal.at(path) != nil, "\(name)")
        }
    }

    @Test func `developers make no distribution profiles, and nobody names devices`() async throws {
        let id = try await id("com.publisher.shop")
        let developer = try await ConnectClient(
            shop, clock: admin.clock, role: .developer, team: "Studio")
        try await developer.call(
            "POST", "/v1/profiles", profile("IOS_APP_STORE", id), expecting: 403)
        try await developer.call(
            "POST", "/v1/profiles", profile("IOS_APP_DEVELOPMENT", id), expecting: 201)
        var named = profile("IOS_APP_DEVELOPMENT", id, name: "Named")
        named = .object(
            (named.members ?? [:]).merging([
                "relationships": [
                    "bundleId": ["data": ["type": "bundleIds", "id": .string(id)]],
                    "certificates": ["data": [["type": "certificates", "id": "X"]]],
                ]
            ]) { $1 })
        try await admin.refused("profileUnknown", 409, "POST", "/v1/profiles", named)
    }
}
