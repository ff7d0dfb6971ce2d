import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

@Suite(.usesDrivers) struct AppListingTests {
    @Test(arguments: StoreDriver.all)
    func `an app that goes on sale stands in the storefront`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        let connect = fixture.connect
        let app = try await connect.app()
        let id = ItemID(number: app.app.id.number)
        let version = try await connect.version("1.0", of: app)
        #expect(try await fixture.storefront.item(id, in: .unitedStates) == nil)
        try await connect.sell(version.id)
        let listed = try #require(try await fixture.storefront.item(id, in: .unitedStates))
        #expect(listed.kind == .software && listed.text.title == "Shop")
        #expect(listed.item.details.bundleID == "com.example.shop")
        #expect(listed.item.details.facts.version == "1.0")
        #expect(listed.item.details.facts.fileSize == 100 && listed.artist?.name == "Example")
        #expect(listed.price?.thousandths == 0 && listed.app?.id == app.app.id)
        #expect(try await fixture.search("shop") == ["Shop"])
        #expect(try await fixture.storefront.ids(.bundleID("com.example.shop")) == [id])

        _ = try await connect.versions.setSale(false, of: version.id, by: connect.admin)
        #expect(try await fixture.storefront.item(id, in: .unitedStates) == nil)
        #expect(try await fixture.search("shop") == [])
        try await expectRefusal("appNotOnSale", in: connect) {
            _ = try await fixture.items.setState(.onSale, of: id, by: connect.admin)
        }
        _ = try await connect.versions.setSale(true, of: version.id, by: connect.admin)
        #expect(try await fixture.search("shop") == ["Shop"])
    }

    @Test(arguments: StoreDriver.all)
    func `the item follows the app, and keeps what its publisher wrote`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemFixture(driver)
        let connect = fixture.connect
        let app = try await connect.app()
        let id = ItemID(number: app.app.id.number)
        try await connect.sell(try await connect.version("1.0", of: app).id)
        var details = try await fixture.items.item(id, by: connect.admin).details
        details.texts["en_US"]?.description = "A shop."
        details.genres = [6024]
        _ = try await fixture.items.change(id, to: details, by: connect.admin)
        var change = AppVersionChange()
        change.whatsNew = "Faster."
        try await connect.sell(try await connect.version("1.1", of: app, change).id)
        var rename = AppChange()
        rename.name = "Corner Shop"
        _ = try await connect.apps.update(app.app.id, rename, by: connect.admin)
        let item = try await fixture.items.item(id, by: connect.admin)
        #expect(item.details.facts.version == "1.1" && item.details.genres == [6024])
        #expect(item.details.texts["en_US"]?.releaseNotes == "Faster.")
        #expect(item.details.texts["en_US"]?.description == "A shop.")
        #expect(item.details.title == "Corner Shop")
        // What the publisher took from the storefront stays away until the app itself comes back.
        _ = try await fixture.items.setState(.removed, of: id, by: connect.admin)
        rename.name = "Shop again"
        _ = try await connect.apps.update(app.app.id, rename, by: connect.admin)
        #expect(try await fixture.items.item(id, by: connect.admin).state == .removed)
    }

    @Test(arguments: StoreDriver.all)
    func `an item that staff took down does not come back with its app`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemFixture(driver)
        let connect = fixture.connect
        let app = try await connect.app()
        let id = ItemID(number: app.app.id.number)
        let version = try await connect.version("1.0", of: app)
        try await connect.sell(version.id)
        _ = try await fixture.items.setState(.removed, of: id, by: .machine)
        for isOnSale in [false, true] {
            _ = try await connect.versions.setSale(isOnSale, of: version.id, by: connect.admin)
            #expect(try await fixture.items.item(id, by: connect.admin).state == .removed)
        }
        _ = try await fixture.items.setState(.onSale, of: id, by: .machine)
        #expect(try await fixture.search("shop") == ["Shop"])
    }

    @Test(arguments: StoreDriver.all)
    func `an imported item stays on sale while its app changes, and goes from sale with it`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemFixture(driver)
        let connect = fixture.connect
        let app = try await connect.app()
        let id = ItemID(number: app.app.id.number)
        try await connect.database.write { repositories in
            try repositories.completeApp(app.app.id)
            var item = try #require(try repositories.items.item(id))
            item.state = .onSale
            try repositories.items.update(item, at: connect.clock.now())
        }
        var change = AppChange()
        change.primaryLocale = "de-DE"
        _ = try await connect.apps.update(app.app.id, change, by: connect.admin)
        #expect(try await fixture.items.item(id, by: connect.admin).state == .onSale)
        let version = try await connect.version("1.0", of: app)
        try await connect.sell(version.id)
        #expect(try await fixture.items.item(id, by: connect.admin).state == .onSale)
        _ = try await connect.versions.setSale(false, of: version.id, by: connect.admin)
        #expect(try await fixture.items.item(id, by: connect.admin).state == .removed)
    }

    @Test(arguments: StoreDriver.all)
    func `apps of before the storefront are listed once`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        let app = try await fixture.database.write { repositories in
            try repositories.catalog.save(
                AppDraft(
                    teamID: fixture.connect.team, bundleID: BundleID("com.example.old")!,
                    name: "Old Shop", binaryState: .readyForSale, generation: 1,
                    primaryLocale: ConnectLocale("ja")!))
        }
        #expect(try await fixture.items.listApps() == 1)
        #expect(try await fixture.items.listApps() == 0)
        let item = try await fixture.items.item(
            ItemID(number: app.id.number), by: fixture.connect.admin)
        #expect(item.details.primaryLocale == "ja" && item.details.app == app.id)
        #expect(try await fixture.search("old shop") == ["Old Shop"])
    }
}
