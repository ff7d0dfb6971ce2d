import Foundation
import StoreAPI
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Apps, versions and builds.
@Suite struct AppRouteTests {
    private let shop: TestStore
    private let admin: ConnectClient
    private let stranger: ConnectClient

    init() async throws {
        let clock = SettableClock()
        shop = try await TestStore(hasContent: false, clock: clock)
        admin = try await ConnectClient(shop, clock: clock, role: .admin, team: "Studio")
        stranger = try await ConnectClient(shop, clock: clock, role: .admin, team: "Stranger")
    }

    private func bundleID(_ text: String) async throws -> String {
        let made = try await admin.call(
            "POST", "/v1/bundleIds",
            .resource(
                "bundleIds", ["identifier": .string(text), "name": "Shop", "platform": "IOS"]),
            expecting: 201)
        return try #require(made.at("data.id"))
    }

    private func app(
        _ text: String = "com.publisher.shop", sku: String = "SHOP"
    ) async throws -> String {
        let made = try await admin.call(
            "POST", "/openstore/v1/apps",
            .resource(
                "apps", ["name": "The Shop", "sku": .string(sku), "primaryLocale": "en-US"],
                to: ["bundleId": ("bundleIds", try await bundleID(text))]), expecting: 201)
        return try #require(made.at("data.id"))
    }

    private func version(_ number: String, of app: String) async throws -> String {
        let made = try await admin.call(
            "POST", "/openstore/v1/appStoreVersions",
            .resource(
                "appStoreVersions", ["versionString": .string(number), "platform": "LINUX"],
                to: ["app": ("apps", app)]), expecting: 201)
        return try #require(made.at("data.id"))
    }

    private func build(
        _ number: String, of version: String, by client: ConnectClient? = nil, status: Int = 201
    ) async throws -> JSONValue {
        try await (client ?? admin).call(
            "POST", "/openstore/v1/builds",
            .resource(
                "builds",
                [
                    "version": .string(number), "fileSize": 1000,
                    "sha256": .string(String(repeating: "a", count: 64)),
                ], to: ["appStoreVersion": ("appStoreVersions", version)]), expecting: status)
    }

    private func change(_ change: String, _ version: String) -> JSONValue {
        .resource(
            "appStoreVersionSaleChanges", ["change": .string(change)],
            to: ["appStoreVersion": ("appStoreVersions", version)])
    }

    @Test func `an app is made, found, changed and deleted`() async throws {
        let id = try await app()
        #expect(Int(id) != nil)
        _ = try await app("com.publisher.other", sku: "OTHER")
        let found = try await admin.call(
            "GET", "/v1/apps?filter%5BbundleId%5D=com.publisher.shop", expecting: 200)
        #expect(found.ids == [id])
        #expect(found.at("data.0.attributes.name") == "The Shop")
        #expect(found.at("data.0.attributes.sku") == "SHOP")
        #expect(
            try await admin.call("GET", "/v1/apps?sort=-sku", expecting: 200).ids.first == id)
        let changed = try await admin.call(
            "PATCH", "/v1/apps/\(id)",
            .resource(
                "apps", id: id,
                [
                    "primaryLocale": "de-DE", "streamlinedPurchasingEnabled": false,
                    "subscriptionStatusUrl": "https://publisher.example/n",
                    "subscriptionStatusUrlVersion": "V1",
                    "contentRightsDeclaration": "USES_THIRD_PARTY_CONTENT",
                ]), expecting: 200)
        #expect(changed.at("data.attributes.subscriptionStatusUrlVersion") == "V1")
        #expect(changed.at("data.attributes.primaryLocale") == "de-DE")
        let cleared = try await admin.call(
            "PATCH", "/v1/apps/\(id)",
            .resource(
                "apps", id: id, ["subscriptionStatusUrl": nil, "contentRightsDeclaration": nil]),
            expecting: 200)
        #expect(cleared.value("data.attributes.subscriptionStatusUrl") == nil)
        #expect(cleared.value("data.attributes.contentRightsDeclaration") == nil)
        try await admin.refused(
            "bundleIdTaken", 409, "PATCH", "/v1/apps/\(id)",
            .resource("apps", id: id, ["bundleId": "com.publisher.other"]))
        let renamed = try await admin.call(
            "PATCH", "/openstore/v1/apps/\(id)", .resource("apps", id: id, ["name": "New name"]),
            expecting: 200)
        #expect(renamed.at("data.attributes.name") == "New name")
        for path in ["/v1/apps/\(id)", "/v1/apps/999999", "/v1/apps/abc"] {
            try await stranger.refused("notFound", 404, "GET", path)
        }
        try await stranger.refused("notFound", 404, "DELETE", "/openstore/v1/apps/\(id)")
        try await admin.call("DELETE", "/openstore/v1/apps/\(id)", expecting: 204)
        try await admin.refused("notFound", 404, "GET", "/v1/apps/\(id)")
    }

    @Test func `filters by version find apps by state and platform`() async throws {
        let id = try await app()
        let other = try await app("com.publisher.other", sku: "OTHER")
        let version = try await version("1.0", of: id)
        func list(_ filter: String, _ value: String) async throws -> [String] {
            let name = "filter%5B\(filter)%5D"
            return try await admin.call("GET", "/v1/apps?\(name)=\(value)", expecting: 200).ids
        }
        #expect(try await list("appStoreVersions", version) == [id])
        #expect(try await list("appStoreVersions", "nonsense") == [])
        #expect(
            try await list("appStoreVersions.appStoreState", "PREPARE_FOR_SUBMISSION,IN_REVIEW")
                == [id])
        #expect(try await list("appStoreVersions.appStoreState", "INVALID_BINARY") == [])
        #expect(
            try await list("appStoreVersions.appVersionState", "READY_FOR_DISTRIBUTION") == [])
        #expect(try await list("appStoreVersions.platform", "IOS") == [])
        #expect(try await list("reviewSubmissions.state", "WAITING_FOR_REVIEW,COMPLETE") == [])
        #expect(try await list("reviewSubmissions.platform", "IOS") == [])
        #expect(Set(try await list("id", "\(id),\(other),x")) == [id, other])
        #expect(
            try await admin.call(
                "GET", "/v1/apps?exists%5BgameCenterEnabledVersions%5D=true", expecting: 200
            ).ids == [])
        let included = try await admin.call(
            "GET", "/v1/apps/\(id)?include=appStoreVersions", expecting: 200)
        #expect(included.at("included.0.id") == version)
        #expect(included.value("included.0.attributes.platform") == nil)
    }

    @Test func `a version gets builds, is released, removed and taken down`() async throws {
        let app = try await app()
        let version = try await version("1.0", of: app)
        let made = try await build("1", of: version)
        #expect(made.at("data.attributes.version") == "1")
        let second = try #require(try await build("2", of: version).at("data.id"))
        let chosen = try await admin.call(
            "PATCH", "/openstore/v1/appStoreVersions/\(version)",
            .resource(
                "appStoreVersions", id: version,
                ["releaseType": "MANUAL", "whatsNew": "Everything"],
                to: ["build": ("builds", second)]), expecting: 200)
        #expect(chosen.at("data.relationships.build.data.id") == second)
        // A refused text leaves the build as it was.
        let first = try #require(made.at("data.id"))
        _ = try await admin.call(
            "PATCH", "/openstore/v1/appStoreVersions/\(version)",
            .resource(
                "appStoreVersions", id: version, ["versionString": "none"],
                to: ["build": ("builds", first)]), expecting: 409)
        #expect(
            try await admin.call(
                "GET", "/openstore/v1/appStoreVersions/\(version)", expecting: 200
            ).at("data.relationships.build.data.id") == second)
        #expect(chosen.at("data.attributes.releaseType") == "MANUAL")
        #expect(
            try await admin.call(
                "GET", "/openstore/v1/appStoreVersions/\(version)/builds", expecting: 200
            ).ids.count == 2)
        #expect(
            try await admin.call(
                "GET", "/openstore/v1/appStoreVersions?filter%5Bapp%5D=\(app)", expecting: 200
            ).ids == [version])
        try await admin.refused(
            "versionState", 409, "POST", "/openstore/v1/appStoreVersionSaleChanges",
            change("RELEASE", version))
        // Review is not this table's matter.
        let id = try #require(AppVersionID(version))
        try await shop.store.services.shop.write(as: .machine) { work in
            var subject = try work.version(id)
            try work.completeApp(subject.app.id)
            try subject.submit()
            try subject.beginReview()
            try subject.approve()
        }
        for (step, state) in [
            ("RELEASE", "READY_FOR_SALE"), ("REMOVE_FROM_SALE", "DEVELOPER_REMOVED_FROM_SALE"),
            ("RETURN_TO_SALE", "READY_FOR_SALE"),
        ] {
            let answer = try await admin.call(
                "POST", "/openstore/v1/appStoreVersionSaleChanges", change(step, version),
                expecting: 201)
            #expect(answer.at("data.attributes.appStoreState") == state)
        }
        try await admin.call(
            "POST", "/openstore/v1/appStoreVersionSaleChanges", change("TAKE_DOWN", version),
            expecting: 403)
        try await stranger.refused(
            "notFound", 404, "POST", "/openstore/v1/appStoreVersionSaleChanges",
            change("REMOVE_FROM_SALE", version))
        let staff = try await ConnectClient(shop, clock: admin.clock, role: .admin)
        try await staff.call(
            "POST", "/openstore/v1/appStoreVersionSaleChanges", change("TAKE_DOWN", version),
            expecting: 201)
        try await admin.refused(
            "versionState", 409, "DELETE", "/openstore/v1/appStoreVersions/\(version)")
    }

    @Test func `another team's version and build aren't there`() async throws {
        let version = try await version("1.0", of: try await app())
        let build = try #require(try await build("1", of: version).at("data.id"))
        for path in [
            "appStoreVersions/\(version)", "appStoreVersions/\(version)/builds",
            "appStoreVersions/\(version)/app", "builds/\(build)",
            "builds/\(build)/appStoreVersion", "builds/x", "appStoreVersions/x",
        ] {
            try await stranger.refused("notFound", 404, "GET", "/openstore/v1/\(path)")
        }
        _ = try await self.build("2", of: version, by: stranger, status: 404)
        let theirs = try await stranger.call(
            "POST", "/openstore/v1/appStoreVersions",
            .resource(
                "appStoreVersions", ["versionString": "1.0", "platform": "IOS"],
                to: ["app": ("apps", "1")]), expecting: 404)
        #expect(theirs.at("errors.0.meta.rule") == "notFound")
    }
}
