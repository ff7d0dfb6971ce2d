import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// In-app purchases by App Store Connect's API.
@Suite struct InAppPurchaseRouteTests {
    @Test func `an in-app purchase is made, read, changed and deleted`() async throws {
        let client = try await ProductClient()
        let id = try await client.create(name: "Coins")
        let path = "/v2/inAppPurchases/\(id)"
        let made = try await client.call("GET", path)
        #expect(
            made["data"]?["attributes"] == [
                "name": "Coins", "productId": "com.example.coins",
                "inAppPurchaseType": "CONSUMABLE", "state": "MISSING_METADATA",
                "familySharable": false, "contentHosting": false,
            ])
        #expect(
            made["data"]?["relationships"]?["inAppPurchaseLocalizations"]?["links"]?["related"]
                == .string("http://store.example/connect\(path)/inAppPurchaseLocalizations"))
        let changed = try await client.call(
            "PATCH", path,
            ProductClient.document(
                "inAppPurchases", id: id, ["name": "More coins", "reviewNote": "Tap the chest."]))
        #expect(changed.attribute("name") == "More coins")
        #expect(changed.attribute("reviewNote") == "Tap the chest.")
        let cleared = try await client.call(
            "PATCH", path,
            ProductClient.document("inAppPurchases", id: id, ["reviewNote": .null]))
        #expect(cleared.attribute("reviewNote") == nil)
        #expect(cleared.attribute("name") == "More coins")
        let legacy = try await client.call("GET", "/v1/inAppPurchases/\(id)")
        #expect(legacy.attribute("referenceName") == "More coins")
        _ = try await client.call("DELETE", path, status: 204)
        try await client.refused("GET", path, status: 404, rule: "notFound")
        try await client.refused(
            "POST", "/v2/inAppPurchases",
            ProductClient.document(
                "inAppPurchases",
                [
                    "productId": "com.example.coins", "name": "Coins",
                    "inAppPurchaseType": "CONSUMABLE",
                ], ["app": ("apps", client.app)]),
            status: 409, rule: "productIDTaken")
    }

    @Test func `an app's list is filtered, sorted and paged`() async throws {
        let client = try await ProductClient()
        for number in 1...5 {
            _ = try await client.create(
                "com.example.n\(number)", type: number < 3 ? "NON_CONSUMABLE" : "CONSUMABLE",
                name: "N\(6 - number)")
        }
        let path = "/v1/apps/\(client.app)/inAppPurchasesV2"
        func names(_ query: [(name: String, value: String)]) async throws -> [String] {
            let answer = try await client.call("GET", path, query: query)
            return (answer["data"]?.elements ?? []).compactMap { $0["attributes"]?["name"]?.text }
        }
        let own = (name: "filter[productId]", value: "com.example.n1,com.example.n5,other")
        #expect(try await names([own]) == ["N1", "N5"])
        #expect(try await names([own, (name: "sort", value: "-name")]) == ["N5", "N1"])
        #expect(try await names([(name: "filter[name]", value: "N2")]) == ["N2"])
        let all = try await client.call("GET", path, query: [(name: "limit", value: "200")])
        #expect(
            (all["data"]?.elements ?? []).allSatisfy {
                $0["attributes"]?["inAppPurchaseType"]?.text?.isEmpty == false
            }, "subscriptions have resources of their own")
        var seen: [String] = []
        var query = [(name: "limit", value: "2"), (name: "sort", value: "-inAppPurchaseType")]
        for _ in 0..<20 {
            let page = try await client.call("GET", path, query: query)
            seen += page.ids
            guard let next = page["meta"]?["paging"]?["nextCursor"]?.text else { break }
            query = query.prefix(2) + [(name: "cursor", value: next)]
        }
        #expect(Set(seen) == Set(all.ids) && seen.count == all.ids.count)
        let legacy = try await client.call("GET", "/v1/apps/\(client.app)/inAppPurchases")
        #expect(legacy.ids.count > all.ids.count)
    }

    @Test func `everything of an in-app purchase can be included in its list`() async throws {
        let client = try await ProductClient()
        let id = try await client.create()
        _ = try await client.text(of: id)
        let answer = try await client.call(
            "GET", "/v1/apps/\(client.app)/inAppPurchasesV2",
            query: [
                (name: "filter[productId]", value: "com.example.coins"),
                (
                    name: "include",
                    value: "inAppPurchaseLocalizations,inAppPurchaseAvailability,versions"
                ),
            ])
        let types = (answer["included"]?.elements ?? []).compactMap { $0["type"]?.text }
        #expect(
            Set(types) == [
                "inAppPurchaseLocalizations", "inAppPurchaseAvailabilities",
                "inAppPurchaseVersions",
            ])
    }

    @Test func `texts are added, changed and taken away, by either version of the API`()
        async throws
    {
        let client = try await ProductClient()
        let id = try await client.create()
        let text = try await client.text(of: id)
        let path = "/v1/inAppPurchaseLocalizations/\(text)"
        let made = try await client.call("GET", path)
        #expect(
            made["data"]?["attributes"] == [
                "name": "Coins", "description": "A hundred.", "locale": "en-US",
                "state": "PREPARE_FOR_SUBMISSION",
            ])
        let changed = try await client.call(
            "PATCH", path,
            ProductClient.document(
                "inAppPurchaseLocalizations", id: text, ["name": "Gold coins"]))
        #expect(changed.attribute("description") == "A hundred.")
        let versions = try await client.call("GET", "/v2/inAppPurchases/\(id)/versions")
        let version = try #require(versions.ids.first)
        #expect(versions["data"]?.elements?.first?["attributes"]?["version"]?.integer == 1)
        let second = try await client.call(
            "POST", "/v2/inAppPurchaseLocalizations",
            ProductClient.document(
                "inAppPurchaseLocalizations",
                ["name": "Münzen", "locale": "de-DE", "description": "Hundert."],
                ["version": ("inAppPurchaseVersions", version)]), status: 201)
        let german = try #require(second["data"]?["id"]?.text)
        #expect(
            try await client.call("GET", "/v2/inAppPurchaseLocalizations/\(german)")
                .attribute("name") == "Münzen")
        let listed = try await client.call(
            "GET", "/v1/inAppPurchaseVersions/\(version)/localizations")
        #expect(listed.ids.contains(german) && listed.ids.count == 2)
        _ = try await client.call(
            "DELETE", "/v2/inAppPurchaseLocalizations/\(german)", status: 204)
        try await client.refused(
            "GET", "/v2/inAppPurchaseLocalizations/\(german)", status: 404, rule: "notFound")
        _ = try await client.call("DELETE", path, status: 204)
        #expect(
            try await client.call(
                "GET", "/v2/inAppPurchases/\(id)/inAppPurchaseLocalizations"
            ).ids.isEmpty)
        try await client.refused(
            "POST", "/v1/inAppPurchaseVersions",
            ProductClient.document(
                "inAppPurchaseVersions", [:], ["inAppPurchase": ("inAppPurchases", id)]),
            status: 409, rule: "revisionOpen")
    }

    @Test func `identifiers that nobody has given lead nowhere`() async throws {
        let client = try await ProductClient()
        for id in ["0", "-1", "abc", "999999", "%00", "9999999999999999999999"] {
            for path in [
                "/v2/inAppPurchases/\(id)", "/v1/inAppPurchaseLocalizations/\(id)",
                "/v2/inAppPurchaseLocalizations/\(id)", "/v1/inAppPurchaseVersions/\(id)",
                "/v1/inAppPurchasePriceSchedules/\(id)", "/v1/inAppPurchaseAvailabilities/\(id)",
                "/v1/inAppPurchasePricePoints/\(id)/equalizations",
                "/v1/inAppPurchaseContents/\(id)", "/v1/promotedPurchases/\(id)",
                "/v1/inAppPurchaseAppStoreReviewScreenshots/\(id)", "/v2/inAppPurchaseImages/\(id)",
                "/v1/apps/\(id)/inAppPurchasesV2", "/openstore/v1/productAssets/\(id)/file",
            ] {
                try await client.refused("GET", path, status: 404, rule: "notFound")
            }
        }
    }

    @Test func `another team's in-app purchases are not there`() async throws {
        let client = try await ProductClient()
        let id = try await client.create()
        let text = try await client.text(of: id)
        let other = try await client.with(role: .admin, team: "Somebody else")
        for path in [
            "/v2/inAppPurchases/\(id)", "/v1/inAppPurchases/\(id)",
            "/v1/inAppPurchaseLocalizations/\(text)", "/v2/inAppPurchases/\(id)/pricePoints",
            "/v1/apps/\(client.app)/inAppPurchasesV2", "/v1/apps/\(client.app)/promotedPurchases",
        ] {
            try await other.refused("GET", path, status: 404, rule: "notFound")
        }
        try await other.refused(
            "DELETE", "/v2/inAppPurchases/\(id)", status: 404, rule: "notFound")
        try await other.refused(
            "PATCH", "/v2/inAppPurchases/\(id)",
            ProductClient.document("inAppPurchases", id: id, ["name": "Mine"]), status: 404,
            rule: "notFound")
        #expect(
            try await client.call("GET", "/v2/inAppPurchases/\(id)").attribute("name")
                == "Coins")
    }

    @Test func `promoted purchases are ordered by their app's relationship`() async throws {
        let client = try await ProductClient()
        var ids: [String] = []
        for number in 1...2 {
            let product = try await client.create("com.example.n\(number)")
            let made = try await client.call(
                "POST", "/v1/promotedPurchases",
                ProductClient.document(
                    "promotedPurchases", ["visibleForAllUsers": true],
                    ["app": ("apps", client.app), "inAppPurchaseV2": ("inAppPurchases", product)]),
                status: 201)
            #expect(made.attribute("state") == "PREPARE_FOR_SUBMISSION")
            #expect(made.attribute("enabled") == true)
            ids.append(try #require(made["data"]?["id"]?.text))
        }
        let path = "/v1/apps/\(client.app)/relationships/promotedPurchases"
        #expect(try await client.call("GET", path).ids == ids)
        let links = ids.reversed().map { id in
            ["type": "promotedPurchases", "id": .string(id)] as JSONValue
        }
        _ = try await client.call("PATCH", path, ["data": .array(links)], status: 204)
        #expect(
            try await client.call("GET", "/v1/apps/\(client.app)/promotedPurchases").ids
                == ids.reversed())
        try await client.refused(
            "PATCH", path, ["data": .array(Array(links.prefix(1)))], status: 409,
            rule: "promotionOrder")
        let hidden = try await client.call(
            "PATCH", "/v1/promotedPurchases/\(ids[0])",
            ProductClient.document(
                "promotedPurchases", id: ids[0], ["visibleForAllUsers": false]))
        #expect(hidden.attribute("visibleForAllUsers") == false)
        _ = try await client.call("DELETE", "/v1/promotedPurchases/\(ids[0])", status: 204)
        #expect(try await client.call("GET", path).ids == [ids[1]])
    }
}

extension ProductClient {
    /// Adds an English text, and gives its identifier.
    func text(of product: String) async throws -> String {
        let answer = try await call(
            "POST", "/v1/inAppPurchaseLocalizations",
            Self.document(
                "inAppPurchaseLocalizations",
                ["name": "Coins", "locale": "en-US", "description": "A hundred."],
                ["inAppPurchaseV2": ("inAppPurchases", product)]), status: 201)
        return try #require(answer["data"]?["id"]?.text)
    }
}
