import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreMetadata
import StoreTestSupport
import StoreWire
import Testing

/// Import and export of products, over the API.
@Suite struct ProductMetadataRouteTests {
    /// A publisher's program, and the app whose products it imports.
    private struct Fixture {
        let client: ConnectClient
        let app: AppRecord
        var path: String { "/connect/openstore/v1/apps/\(app.app.id.number)" }

        init(_ altitude: Altitude = .router, role: ConnectRole = .appManager) async throws {
            let clock = SettableClock()
            let shop = try await TestStore(hasContent: false, clock: clock)
            client = try await ConnectClient(shop, clock: clock, altitude: altitude, role: role)
            app = try await shop.store.database.read { repositories in
                guard let app = try repositories.catalog.app(SampleShop.bundleID),
                    let record = try repositories.apps.record(app.id)
                else { throw ConnectRefusal.notFound("app", "sample") }
                return record
            }
        }

        func send(_ body: String, dryRun: String? = nil) async throws -> HTTPResponse {
            try await client.send(
                "POST", "\(path)/productImports", Data(body.utf8),
                query: dryRun.map { [(name: "dryRun", value: $0)] } ?? [])
        }

        /// The attributes of a successful import.
        func importing(_ body: String, dryRun: String? = nil) async throws -> JSONValue {
            let response = try await send(body, dryRun: dryRun)
            #expect(response.status == 200, "\(response.text)")
            let document = try JSONValue(reading: response.data)
            #expect(document["data"]?["type"]?.text == "productImports")
            #expect(UUID(uuidString: document["data"]?["id"]?.text ?? "") != nil)
            return try #require(document["data"]?["attributes"])
        }

        func exporting() async throws -> String {
            let response = try await client.send("GET", "\(path)/productExport")
            #expect(response.status == 200)
            #expect(response.headers["Content-Type"] == "application/xml; charset=utf-8")
            return response.text
        }

        /// The lines that errors are about, with their codes.
        func errors(_ body: String) async throws -> [String] {
            let response = try await send(body)
            let errors = try JSONValue(reading: response.data)["errors"]?.elements ?? []
            return errors.map {
                "\(response.status) \($0["meta"]?["line"]?.integer ?? 0) \($0["code"]?.text ?? "")"
            }
        }

        func count() async throws -> Int {
            try await client.shop.store.database.read {
                try $0.products.counts(of: app.app.id).values.reduce(0, +)
            }
        }
    }

    private func sheet(_ fixture: Fixture, _ products: String, sku: String? = nil) -> String {
        """
        <package xmlns="http://apple.com/itunes/importer" version="software5.11">
        <software><vendor_id>\(sku ?? fixture.app.sku)</vendor_id>
        <software_metadata><in_app_purchases>
        \(products)
        </in_app_purchases></software_metadata></software></package>
        """
    }

    private func product(_ id: String, title: String = "Gems", tier: String = "2") -> String {
        """
        <in_app_purchase><product_id>\(id)</product_id><reference_name>Gems</reference_name>
        <type>consumable</type><products><product><cleared_for_sale>true</cleared_for_sale>
        <wholesale_price_tier>\(tier)</wholesale_price_tier></product></products>
        <locales><locale name="en-US"><title>\(title)</title>
        <description>Ten gems.</description></locale></locales></in_app_purchase>
        """
    }

    @Test(arguments: Altitude.allCases)
    func `what was exported is imported without a change`(altitude: Altitude) async throws {
        let fixture = try await Fixture(altitude)
        let text = try await fixture.exporting()
        #expect(text.contains("<vendor_id>\(fixture.app.sku)</vendor_id>"))
        #expect(text.contains("<product_id>\(SampleShop.chapter)</product_id>"))
        let count = try await fixture.count()
        #expect(count > 0)
        let answer = try await fixture.importing(text)
        #expect(answer["unchanged"]?.integer == count)
        #expect(answer["added"]?.integer == 0)
        #expect(answer["changed"]?.integer == 0)
        #expect(answer["changes"]?.elements == [])
        #expect(try await fixture.exporting() == text)
    }

    @Test(arguments: Altitude.allCases)
    func `a dry run tells what an import then does`(altitude: Altitude) async throws {
        let fixture = try await Fixture(altitude)
        _ = try await fixture.importing(sheet(fixture, product("gems.one")))
        let count = try await fixture.count()
        let file = sheet(
            fixture, product("gems.one", title: "Stones") + "\n" + product("gems.two"))
        let rehearsal = try await fixture.importing(file, dryRun: "true")
        #expect(rehearsal["dryRun"]?.flag == true)
        #expect(rehearsal["added"]?.integer == 1)
        #expect(rehearsal["changed"]?.integer == 1)
        #expect(try await fixture.count() == count)
        let changes = rehearsal["changes"]
        #expect(changes?.elements?.count == 2)
        #expect(
            changes?.elements?.first == [
                "line": 4, "productId": "gems.one", "kind": "changed",
                "state": "MISSING_METADATA",
                "differences": [
                    [
                        "field": "inAppPurchaseLocalizations/en-US",
                        "before": "Gems; Ten gems.", "after": "Stones; Ten gems.",
                    ]
                ],
            ])
        let real = try await fixture.importing(file, dryRun: "false")
        #expect(real["dryRun"]?.flag == false)
        #expect(real["changes"] == changes)
        #expect(try await fixture.count() == count + 1)
    }

    @Test func `what an import doesn't take is named`() async throws {
        let fixture = try await Fixture()
        let screenshot = """
            <review_screenshot><size>1</size><file_name>a.png</file_name>
            <checksum type="md5">\(String(repeating: "0", count: 32))</checksum></review_screenshot>
            </in_app_purchase>
            """
        let file = sheet(
            fixture, product("gems.one").replacing("</in_app_purchase>", with: screenshot)
        ).replacing("<in_app_purchases>", with: "<versions/><in_app_purchases>")
        #expect(
            try await fixture.importing(file)["notTaken"] == [
                "<versions> in line 3 is not about products",
                "1 review screenshots: upload them",
            ])
    }

    @Test func `a configuration of Xcode is imported too`() async throws {
        let fixture = try await Fixture()
        let file = """
            { "version": { "major": 3, "minor": 0 }, "settings": { "_storefront": "DEU" },
              "products": [ { "displayPrice": "0.99", "productID": "gems.one",
                "type": "NonConsumable", "familyShareable": true, "localizations": [
                  { "locale": "de", "displayName": "Steine", "description": "" } ] } ],
              "subscriptionGroups": [ { "id": "1", "name": "Pro", "subscriptions": [ {
                "displayPrice": "1.99", "productID": "pro.month", "type": "RecurringSubscription",
                "recurringSubscriptionPeriod": "P1M", "groupNumber": 1 } ] } ] }
            """
        #expect(try await fixture.importing(file)["added"]?.integer == 2)
        #expect(try await fixture.importing(file)["unchanged"]?.integer == 2)
        let text = try await fixture.exporting()
        #expect(text.contains("<locale name=\"de-DE\">"))
        #expect(text.contains("<!-- Families share it, which this file can't say. -->"))
        #expect(
            try await fixture.errors(file.replacing("0.99", with: "0.98"))
                == ["422 0 ENTITY_UNPROCESSABLE.FILE"])
        #expect(
            try await fixture.errors("{ \"version\": 3")
                == ["422 0 ENTITY_UNPROCESSABLE.FILE"])
    }

    @Test func `settings that a configuration has in vain are named`() async throws {
        let fixture = try await Fixture()
        let file = """
            { "version": { "major": 3, "minor": 0 },
              "settings": { "_failTransactionsEnabled": true },
              "subscriptionGroups": [ { "id": "1", "name": "Pro", "subscriptions": [ {
                "displayPrice": "1.99", "productID": "pro.month", "type": "RecurringSubscription",
                "recurringSubscriptionPeriod": "P1M", "groupNumber": 1 } ] } ] }
            """
        let notes = try await fixture.importing(file, dryRun: "true")["notTaken"]?.elements ?? []
        try #require(notes.count == 2, "\(notes)")
        #expect(notes[0].text?.hasSuffix("over: _failTransactionsEnabled") == true)
        // What the app has beside is named, and stays.
        #expect(notes[1].text?.hasPrefix("the file has no \(SampleShop.badge), ") == true)
        #expect(
            try await fixture.errors(file.replacing("P1M", with: "P5M"))
                == ["422 0 ENTITY_UNPROCESSABLE.FILE"])
    }

    @Test(arguments: [0, 1])
    func `a configuration has at most 16 MB`(more: Int) async throws {
        let fixture = try await Fixture(.socket)
        // Not a configuration, which is said of what is read; nothing is of what is too large.
        let beginning = "{ \"version\": 3, \"x\": \""
        let rest = StoreKitConfiguration.sizeLimit - beginning.utf8.count - 3 + more
        let response = try await fixture.send(
            beginning + String(repeating: "x", count: rest) + "\" }")
        #expect(response.status == 422)
        let errors = try JSONValue(reading: response.data)["errors"]?.elements ?? []
        #expect(errors.contains { $0["detail"]?.text?.contains("16 MB") ?? false } == (more == 1))
    }

    @Test func `an export as Xcode's configuration is imported without a change`() async throws {
        let fixture = try await Fixture()
        let path = "\(fixture.path)/productExport"
        let response = try await fixture.client.send(
            "GET", path, query: [(name: "format", value: "storekit")])
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "application/json")
        let leftOut = try #require(Int(response.headers["OpenStore-Left-Out"] ?? ""))
        let answer = try await fixture.importing(response.text)
        let count = try await fixture.count()
        #expect(answer["unchanged"]?.integer == count - leftOut)
        #expect(answer["changes"] == [])
        let wrong = try await fixture.client.send(
            "GET", path, query: [(name: "format", value: "csv")])
        #expect(wrong.status == 400)
    }

    @Test func `every wrong element is an error with its line, and nothing is imported`()
        async throws
    {
        let fixture = try await Fixture()
        let count = try await fixture.count()
        let file = sheet(
            fixture,
            product("gems.one") + "\n" + product("gems two") + "\n" + product("g3", tier: "x"))
        #expect(
            try await fixture.errors(file) == [
                "422 9 ENTITY_UNPROCESSABLE.FILE", "422 16 ENTITY_UNPROCESSABLE.FILE",
            ])
        #expect(
            try await fixture.errors(
                sheet(fixture, product("gems.one") + product("gems.two", title: "x")))
                == ["409 11 STATE_ERROR.IMPORT"])
        #expect(
            try await fixture.errors(sheet(fixture, product("gems.one"), sku: "OTHER"))
                == ["409 2 STATE_ERROR.IMPORT"])
        #expect(try await fixture.errors("") == ["422 1 ENTITY_UNPROCESSABLE.FILE"])
        #expect(
            try await fixture.errors("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>")
                == ["422 1 ENTITY_UNPROCESSABLE.FILE"])
        #expect(try await fixture.count() == count)
    }

    @Test func `a body larger than others may have is taken`() async throws {
        let fixture = try await Fixture(.socket)
        let products = (0..<400).map { product("gems.number\($0)") }
        let remark = "<!-- \(String(repeating: "x", count: 32 << 10)) -->"
        let remarks = Array(repeating: remark, count: 32)
        let file = sheet(fixture, (products + remarks).joined(separator: "\n"))
        #expect(file.utf8.count > 1 << 20)
        let answer = try await fixture.importing(file, dryRun: "true")
        #expect(answer["added"]?.integer == 400)
        #expect(answer["changes"]?.elements?.count == 400)
    }

    @Test func `only true and false are said of a dry run`() async throws {
        let fixture = try await Fixture()
        for value in ["", "yes", "1", "TRUE"] {
            #expect(try await fixture.send(sheet(fixture, ""), dryRun: value).status == 400)
        }
    }

    @Test(arguments: ["dryrun", "dry-run", "dryRun "])
    func `a misspelt dry run imports nothing`(name: String) async throws {
        let fixture = try await Fixture()
        let response = try await fixture.client.send(
            "POST", "\(fixture.path)/productImports",
            Data(sheet(fixture, product("gems.one")).utf8), query: [(name: name, value: "true")])
        #expect(response.status == 400)
        #expect(response.text.contains("PARAMETER_ERROR.ILLEGAL"))
        let rehearsal = try await fixture.importing(
            sheet(fixture, product("gems.one")), dryRun: "true")
        #expect(rehearsal["added"]?.integer == 1, "it is not there yet")
    }

    @Test func `apps of others, and those that there aren't, are not found`() async throws {
        let fixture = try await Fixture()
        let clock = fixture.client.clock
        let stranger = try await ConnectClient(
            fixture.client.shop, clock: clock, role: .appManager, team: "Strangers")
        let file = Data(sheet(fixture, product("gems.one")).utf8)
        let paths = [
            "\(fixture.path)", "/connect/openstore/v1/apps/999999999",
            "/connect/openstore/v1/apps/x",
        ]
        for path in paths {
            #expect(
                try await stranger.send("POST", "\(path)/productImports", file).status == 404)
            #expect(try await stranger.send("GET", "\(path)/productExport").status == 404)
        }
        let developer = try await ConnectClient(
            fixture.client.shop, clock: clock, role: .developer)
        #expect(
            try await developer.send("POST", "\(fixture.path)/productImports", file).status == 403)
        #expect(try await developer.send("GET", "\(fixture.path)/productExport").status == 200)
    }
}
