import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Subscriptions as App Store Connect's clients maintain them.
@Suite struct SubscriptionRouteTests {
    /// A client of a team's admin, an app and a group.
    struct Fixture {
        let client: ConnectClient
        let app: String
        let group: String

        init(altitude: Altitude = .router) async throws {
            let clock = SettableClock()
            let shop = try await TestStore(hasContent: false, clock: clock)
            client = try await ConnectClient(
                shop, clock: clock, altitude: altitude, role: .admin, team: "Publisher")
            app = try await client.get("/v1/apps").ids.first ?? ""
            let made = try await client.call(
                "POST", "/v1/subscriptionGroups",
                ConnectClient.document(
                    "subscriptionGroups", ["referenceName": "Reading"],
                    one: ["app": ("apps", app)]))
            #expect(made.status == 201, "\(made.errors)")
            group = made.id
        }

        func subscription(_ id: String = "com.example.monthly") async throws -> ConnectReply {
            try await client.call(
                "POST", "/v1/subscriptions",
                ConnectClient.document(
                    "subscriptions",
                    [
                        "name": "Monthly", "productId": .string(id),
                        "subscriptionPeriod": "ONE_MONTH", "groupLevel": 2,
                    ], one: ["group": ("subscriptionGroups", group)]))
        }

        /// The identifier of a price point of a subscription.
        func point(
            _ subscription: String, _ territory: String, _ price: String
        ) async throws -> String {
            let points = try await client.get(
                "/v1/subscriptions/\(subscription)/pricePoints",
                query: [("filter[territory]", territory), ("limit", "8000")])
            let found = points.data?.elements?.first {
                $0["attributes"]?["customerPrice"]?.text == price
            }
            return found?["id"]?.text ?? ""
        }
    }

    @Test func `a group that there is not is nothing, and leaves its subscription`() async throws {
        let fixture = try await Fixture()
        let app = AppID(number: try #require(Int64(fixture.app)))
        let store = fixture.client.shop.store
        try await store.database.write { repositories in
            _ = try repositories.catalog.save(
                ProductDraft(
                    productID: ProductID("com.example.old")!, type: .autoRenewableSubscription,
                    referenceName: "Old", isFamilyShareable: false, state: .readyToSubmit,
                    primaryLocale: "en_US", texts: [:], prices: [:],
                    subscription: SubscriptionTerms(
                        groupID: "Gone", groupName: "Gone", level: 1,
                        period: SubscriptionPeriod(unit: .month, count: 1), offers: [])), in: app)
        }
        let record = try await store.services.products.product(
            "com.example.old", of: app, by: .machine)
        let shown = try await fixture.client.get(
            "/v1/subscriptions/\(record.number)", query: [("include", "group")])
        #expect(shown.status == 200, "\(shown.errors)")
        #expect(shown.id == record.number.description)
    }

    @Test(arguments: Altitude.allCases)
    func `a subscription is made, shown, changed and deleted`(altitude: Altitude) async throws {
        let fixture = try await Fixture(altitude: altitude)
        let made = try await fixture.subscription()
        #expect(made.status == 201, "\(made.errors)")
        #expect(made.attribute("productId") == "com.example.monthly")
        #expect(made.attribute("state") == "MISSING_METADATA")
        #expect(made.attribute("groupLevel") == 2)
        #expect(made.attribute("reviewNote") == nil)
        let path = "/v1/subscriptions/\(made.id)"
        let changed = try await fixture.client.call(
            "PATCH", path,
            ConnectClient.document(
                "subscriptions", id: made.id,
                ["name": "Yearly", "subscriptionPeriod": "ONE_YEAR", "reviewNote": "Look here."]))
        #expect(changed.status == 200, "\(changed.errors)")
        #expect(changed.attribute("subscriptionPeriod") == "ONE_YEAR")
        let shown = try await fixture.client.get(path, query: [("include", "group")])
        #expect(shown.attribute("reviewNote") == "Look here.")
        // Who takes it for an in-app purchase is told what it is.
        let other = try await fixture.client.get("/v2/inAppPurchases/\(made.id)")
        #expect(other.errors == ["404 NOT_FOUND notFound"])
        let detail = other.json["errors"]?.elements?.first?["detail"]?.text
        #expect(detail?.contains("is the auto-renewable subscription com.example.monthly") == true)
        #expect(detail?.contains("/v1/subscriptions/\(made.id)") == true)
        #expect(
            shown.json["included"]?.elements?.map { $0["id"] } == [.string(fixture.group)])
        let relationships = shown.data?["relationships"]
        #expect(relationships?["group"]?["data"]?["id"]?.text == fixture.group)
        #expect(
            relationships?["prices"]?["links"]?["related"]?.text?.hasSuffix(
                "/connect\(path)/prices") == true)
        #expect(try await fixture.client.call("DELETE", path).status == 204)
        #expect(try await fixture.client.get(path).errors == ["404 NOT_FOUND notFound"])
        #expect(
            try await fixture.subscription().errors == [
                "409 ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE /data/attributes/productId "
                    + "productIDTaken"
            ])
    }

    @Test func `groups lead to their subscriptions, and apps to their groups`() async throws {
        let fixture = try await Fixture()
        let subscription = try await fixture.subscription().id
        let groups = try await fixture.client.get(
            "/v1/apps/\(fixture.app)/subscriptionGroups",
            query: [("include", "subscriptions"), ("fields[subscriptions]", "name")])
        // The group of the shop's file was made by its import.
        #expect(groups.ids == ["22222222", fixture.group])
        let included = groups.json["included"]?.elements ?? []
        #expect(included.count == 2 && included.last?["id"]?.text == subscription)
        #expect(included.last?["attributes"] == ["name": "Monthly"])
        #expect(included.last?["relationships"] == nil)
        let path = "/v1/subscriptionGroups/\(fixture.group)"
        #expect(try await fixture.client.get("\(path)/subscriptions").ids == [subscription])
        let links = try await fixture.client.get("\(path)/relationships/subscriptions")
        #expect(links.data == [["type": "subscriptions", "id": .string(subscription)]])
        #expect(
            try await fixture.client.call("DELETE", path).errors == [
                "409 STATE_ERROR.GROUP_IN_USE groupInUse"
            ])
        #expect(
            try await fixture.client.get(
                "/v1/apps/\(fixture.app)/subscriptionGroups",
                query: [("filter[referenceName]", "Other")]
            ).ids.isEmpty)
    }

    @Test func `a subscription is priced in one territory, and so in all`() async throws {
        let fixture = try await Fixture()
        let id = try await fixture.subscription().id
        let point = try await fixture.point(id, "USA", "2.99")
        let price = ConnectClient.document(
            "subscriptionPrices",
            one: [
                "subscription": ("subscriptions", id),
                "subscriptionPricePoint": ("subscriptionPricePoints", point),
            ])
        // What the store can't do is refused: customers would be charged something else.
        for (name, value, rule): (String, JSONValue, String) in [
            ("preserveCurrentPrice", .bool(true), "pricePreserved"),
            ("planType", "MONTHLY", "planUnknown"),
        ] {
            let refused = try await fixture.client.call(
                "POST", "/v1/subscriptionPrices",
                ConnectClient.document(
                    "subscriptionPrices", [name: value],
                    one: [
                        "subscription": ("subscriptions", id),
                        "subscriptionPricePoint": ("subscriptionPricePoints", point),
                    ]))
            #expect(refused.errors.first?.hasSuffix(rule) == true, "\(refused.errors)")
        }
        let made = try await fixture.client.call("POST", "/v1/subscriptionPrices", price)
        #expect(made.status == 201, "\(made.errors)")
        let prices = try await fixture.client.get(
            "/v1/subscriptions/\(id)/prices",
            query: [
                ("filter[territory]", "JPN"), ("include", "subscriptionPricePoint,territory"),
            ])
        let included = prices.json["included"]?.elements ?? []
        #expect(included.contains { $0["attributes"]?["customerPrice"] == "360" })
        #expect(included.contains { $0["attributes"]?["currency"] == "JPY" })
        let equal = try await fixture.client.get(
            "/v1/subscriptionPricePoints/\(point)/equalizations",
            query: [("filter[territory]", "JPN")])
        #expect(equal.data?.elements?.map { $0["attributes"]?["customerPrice"] } == ["360"])
        #expect(
            try await fixture.client.call("DELETE", "/v1/subscriptionPrices/\(made.id)").errors
                == ["409 STATE_ERROR.PRICE_IN_FORCE priceInForce"])
        let other = try await fixture.subscription("com.example.other").id
        let foreign = try await fixture.client.call(
            "POST", "/v1/subscriptionPrices",
            ConnectClient.document(
                "subscriptionPrices",
                one: [
                    "subscription": ("subscriptions", other),
                    "subscriptionPricePoint": ("subscriptionPricePoints", point),
                ]))
        #expect(
            foreign.errors == [
                "409 ENTITY_ERROR.RELATIONSHIP.INVALID "
                    + "/data/relationships/subscriptionPricePoint pricePointUnknown"
            ])
    }

    @Test func `prices can come along with a change, all of them or none`() async throws {
        let fixture = try await Fixture()
        let id = try await fixture.subscription().id
        let path = "/v1/subscriptions/\(id)"
        let points = [
            try await fixture.point(id, "USA", "2.99"), try await fixture.point(id, "JPN", "600"),
        ]
        func change(_ name: String, _ points: [String], named: [String]) -> JSONValue {
            ConnectClient.document(
                "subscriptions", id: id, ["name": .string(name)],
                many: ["prices": named.map { ("subscriptionPrices", $0) }],
                included: points.enumerated().map { index, point in
                    [
                        "type": "subscriptionPrices", "id": .string("${\(index)}"),
                        "relationships": [
                            "subscriptionPricePoint": [
                                "data": [
                                    "type": "subscriptionPricePoints", "id": .string(point),
                                ]
                            ]
                        ],
                    ]
                })
        }
        func prices() async throws -> Int? {
            try await fixture.client.get("\(path)/prices").json["meta"]?["paging"]?["total"]?
                .integer
        }
        let other = try await fixture.subscription("com.example.other").id
        let foreign = try await fixture.point(other, "DEU", "0.99")
        for (wrong, error) in [
            (
                change("Wrong", [points[0], foreign], named: ["${0}", "${1}"]),
                "subscriptionPricePoint pricePointUnknown"
            ),
            (change("Wrong", [], named: ["known"]), "prices priceNotIncluded"),
        ] {
            let refused = try await fixture.client.call("PATCH", path, wrong)
            #expect(refused.status == 409)
            #expect(refused.errors.first?.hasSuffix(error) == true, "\(refused.errors)")
        }
        #expect(try await prices() == 0)
        #expect(try await fixture.client.get(path).attribute("name") == "Monthly")
        let changed = try await fixture.client.call(
            "PATCH", path, change("Priced", points, named: ["${0}", "${1}"]))
        #expect(changed.status == 200, "\(changed.errors)")
        #expect(changed.attribute("name") == "Priced")
        for (territory, price) in [("USA", "2.99"), ("JPN", "600")] {
            let set = try await fixture.client.get(
                "\(path)/prices",
                query: [("filter[territory]", territory), ("include", "subscriptionPricePoint")])
            #expect(
                set.json["included"]?.elements?.map { $0["attributes"]?["customerPrice"]?.text }
                    == [price])
        }
    }

    @Test func `what a new resource refers to must be there`() async throws {
        let fixture = try await Fixture()
        let made = try await fixture.client.call(
            "POST", "/v1/subscriptions",
            ConnectClient.document(
                "subscriptions", ["name": "Monthly", "productId": "com.example.other"],
                one: ["group": ("subscriptionGroups", "nothing")]))
        #expect(
            made.errors == [
                "409 ENTITY_ERROR.RELATIONSHIP.INVALID /data/relationships/group notFound"
            ])
    }

    @Test func `texts in a language are there once`() async throws {
        let fixture = try await Fixture()
        let id = try await fixture.subscription().id
        let text = ConnectClient.document(
            "subscriptionLocalizations",
            ["name": "Monthly", "locale": "en-US", "description": "All chapters."],
            one: ["subscription": ("subscriptions", id)])
        let made = try await fixture.client.call("POST", "/v1/subscriptionLocalizations", text)
        #expect(made.status == 201, "\(made.errors)")
        #expect(made.attribute("state") == "PREPARE_FOR_SUBMISSION")
        #expect(
            try await fixture.client.call("POST", "/v1/subscriptionLocalizations", text).errors
                == [
                    "409 ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE /data/attributes/locale "
                        + "localeTaken"
                ])
        let path = "/v1/subscriptionLocalizations/\(made.id)"
        let changed = try await fixture.client.call(
            "PATCH", path,
            ConnectClient.document(
                "subscriptionLocalizations", id: made.id, ["name": "Every month"]))
        #expect(changed.attribute("name") == "Every month")
        #expect(changed.attribute("description") == "All chapters.")
        #expect(
            try await fixture.client.get("/v1/subscriptions/\(id)/subscriptionLocalizations").ids
                == [made.id])
        #expect(try await fixture.client.call("DELETE", path).status == 204)
        #expect(try await fixture.client.get(path).status == 404)
    }

    @Test func `the grace period of an app is found through it`() async throws {
        let fixture = try await Fixture()
        let period = try await fixture.client.get("/v1/apps/\(fixture.app)/subscriptionGracePeriod")
        #expect(period.attribute("optIn") == false)
        let changed = try await fixture.client.call(
            "PATCH", "/v1/subscriptionGracePeriods/\(period.id)",
            ConnectClient.document(
                "subscriptionGracePeriods", id: period.id,
                ["optIn": true, "duration": "SIXTEEN_DAYS", "renewalType": "ALL_RENEWALS"]))
        #expect(changed.attribute("duration") == "SIXTEEN_DAYS")
        #expect(
            try await fixture.client.get("/v1/subscriptionGracePeriods/\(period.id)").data
                == changed.data)
    }

    @Test(arguments: [
        "0", "-1", "1e3", "9223372036854775808", "eyJzIjoiMSJ9", "%", "a\u{0}b",
        "eyJzIjoiMSIsInQiOiJVU0EiLCJwIjoiMSJ9", String(repeating: "a", count: 5000),
        "../../v1/apps", "{id}",
    ])
    func `identifiers of nothing are not found`(id: String) async throws {
        let fixture = try await Fixture()
        for operation in ConnectRouteTable.operations
        where operation.method == .get && operation.pattern.contains("ubscription")
            && operation.pattern.contains("{id}")
        {
            let path = operation.pattern.replacingOccurrences(of: "{id}", with: id)
            let reply = try await fixture.client.get(path)
            #expect([400, 404].contains(reply.status), "\(operation.pattern): \(reply.json)")
        }
    }
}
