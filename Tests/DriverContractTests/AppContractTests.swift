import Foundation
@testable import StoreCore
import StoreDatabase
import StoreModel
import Testing

@Suite(.usesDrivers) struct AppContractTests {
    @Test(arguments: StoreDriver.all)
    func `an app is made from an explicit identifier that no app has`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        #expect(app.app.bundleID.text == "com.example.shop" && app.sku == "SHOP")
        #expect(app.app.binaryState == .prepareForSubmission && app.app.teamID == fixture.team)
        let used = try await fixture.identifiers.identifier(app.identifier, by: fixture.admin)
        #expect(used.app == app.app.id)
        let free = try await fixture.register("com.example.free")
        let wildcard = try await fixture.register("com.example.*")
        let service = try await fixture.register("com.example.web", .services)
        let good = AppCreation(
            identifier: free.id, sku: "FREE", name: "Free", primaryLocale: "ja")
        let cases: [(String, @Sendable (inout AppCreation) -> Void)] = [
            ("bundleIdTaken", { $0.identifier = app.identifier }),
            ("bundleIdNotExplicit", { $0.identifier = wildcard.id }),
            ("bundleIdNotExplicit", { $0.identifier = service.id }),
            ("notFound", { $0.identifier = BundleIdentifierID(number: 999) }),
            ("skuTaken", { $0.sku = " SHOP " }), ("sku", { $0.sku = "-A" }),
            ("sku", { $0.sku = "A B" }), ("textMissing", { $0.sku = "" }),
            ("textLength", { $0.sku = String(repeating: "a", count: 101) }),
            ("textLength", { $0.name = "A" }),
            ("textLength", { $0.name = String(repeating: "a", count: 31) }),
            ("textCharacters", { $0.name = "A\u{7}B" }), ("locale", { $0.primaryLocale = "xx" }),
        ]
        for (rule, change) in cases {
            var creation = good
            change(&creation)
            let wrong = creation
            try await expectRefusal(rule, in: fixture) {
                _ = try await fixture.apps.create(wrong, by: fixture.admin)
            }
        }
        try await expectRefusal("role", in: fixture) {
            _ = try await fixture.apps.create(good, by: fixture.member(.developer, .marketing))
        }
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.apps.create(good, by: fixture.stranger)
        }
        #expect(try await fixture.apps.create(good, by: fixture.admin).primaryLocale.text == "ja")
    }

    @Test(arguments: StoreDriver.all)
    func `attributes are changed one by one`(driver: StoreDriver) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        var change = AppChange()
        change.name = "New name"
        change.primaryLocale = "de-DE"
        change.contentRights = .some(.usesOthers)
        change.statusURL = .some("https://example.com/a")
        change.sandboxStatusURL = .some("https://example.com:8443/b?c=d")
        change.sandboxStatusURLVersion = .v1
        change.isPurchasingStreamlined = false
        change.accessibilityURL = .some("https://example.com/")
        change.isMadeForKids = true
        let changed = try await fixture.apps.update(app.app.id, change, by: fixture.admin)
        #expect(changed.app.name == "New name" && changed.primaryLocale.text == "de-DE")
        #expect(
            changed.attributes
                == AppAttributes(
                    contentRights: .usesOthers, isMadeForKids: true,
                    statusURL: StatusURL(url: "https://example.com/a"),
                    sandboxStatusURL: StatusURL(
                        url: "https://example.com:8443/b?c=d", version: .v1),
                    isPurchasingStreamlined: false, accessibilityURL: "https://example.com/"))
        #expect(try await fixture.apps.app(app.app.id, by: fixture.admin) == changed)
        var back = AppChange()
        back.contentRights = .some(nil)
        back.statusURL = .some(nil)
        back.sandboxStatusURLVersion = .v2
        let after = try await fixture.apps.update(app.app.id, back, by: fixture.admin)
        #expect(after.attributes.contentRights == nil && after.attributes.statusURL == nil)
        #expect(after.attributes.sandboxStatusURL?.version == .v2)
        let log = try await fixture.log().last
        #expect(log?.before?.contains("https://example.com/a") == true)
        #expect(log?.after?.contains("https://example.com/a") == false)

        let cases: [(String, @Sendable (inout AppChange) -> Void)] = [
            ("url", { $0.statusURL = .some("ftp://example.com") }),
            ("url", { $0.statusURL = .some("https://user@example.com") }),
            ("url", { $0.accessibilityURL = .some("javascript:alert(1)") }),
            ("statusURLMissing", { $0.statusURLVersion = .v1 }),
            ("madeForKids", { $0.isMadeForKids = false }),
            ("locale", { $0.primaryLocale = "xx" }),
            ("bundleIdUnknown", { $0.bundleID = "com.example.none" }),
        ]
        for (rule, change) in cases {
            var wrong = AppChange()
            change(&wrong)
            let request = wrong
            try await expectRefusal(rule, in: fixture) {
                _ = try await fixture.apps.update(app.app.id, request, by: fixture.admin)
            }
        }
        try await expectRefusal("role", in: fixture) {
            _ = try await fixture.apps.update(app.app.id, back, by: fixture.member(.developer))
        }
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.apps.update(app.app.id, back, by: fixture.stranger)
        }
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.apps.app(app.app.id, by: fixture.stranger)
        }
        let before = try await fixture.log().count
        _ = try await fixture.apps.update(app.app.id, AppChange(), by: fixture.admin)
        #expect(try await fixture.log().count == before, "nothing changed, so nothing is noted")
    }

    @Test(arguments: StoreDriver.all)
    func `an app changes its bundle identifier until it was submitted or sold`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        let next = try await fixture.register("com.example.next")
        let used = try await fixture.app("com.example.used", sku: "USED")
        var change = AppChange()
        change.bundleID = next.identifier.text
        let moved = try await fixture.apps.update(app.app.id, change, by: fixture.admin)
        #expect(moved.app.bundleID.text == "com.example.next" && moved.identifier == next.id)
        #expect(
            try await fixture.identifiers.identifier(app.identifier, by: fixture.admin).app == nil)
        change.bundleID = "com.example.used"
        let taken = change
        try await expectRefusal("bundleIdTaken", in: fixture) {
            _ = try await fixture.apps.update(app.app.id, taken, by: fixture.admin)
        }
        change.bundleID = "com.example.shop"
        let back = change
        let version = try await fixture.version("1.0", of: moved)
        try await fixture.take(version.id) { try $0.submit() }
        try await expectRefusal("bundleIdFixed", in: fixture) {
            _ = try await fixture.apps.update(app.app.id, back, by: fixture.admin)
        }
        try await fixture.database.write {
            try $0.catalog.save(
                SeededShop.product(SeededShop.chapter, .nonConsumable), in: used.app.id)
        }
        try await expectRefusal("bundleIdFixed", in: fixture) {
            _ = try await fixture.apps.update(used.app.id, back, by: fixture.admin)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `only an app without products and submissions is deleted`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        let other = try await fixture.app("com.example.other", sku: "OTHER")
        let version = try await fixture.versions.create(
            "1.0", id: .fresh(), of: app.app.id, platform: .linux, AppVersionChange(),
            by: fixture.admin)
        try await fixture.database.write {
            try $0.catalog.save(
                SeededShop.product(SeededShop.chapter, .consumable), in: other.app.id)
        }
        try await expectRefusal("appInUse", in: fixture) {
            try await fixture.apps.delete(other.app.id, by: fixture.admin)
        }
        try await expectRefusal("notFound", in: fixture) {
            try await fixture.apps.delete(app.app.id, by: fixture.stranger)
        }
        // What is only kept for subscriptions to come goes with it.
        let kept = KeptService(database: fixture.database, clock: fixture.clock)
        let number = String(app.app.id.number)
        let group = UUID().uuidString.lowercased()
        _ = try await kept.add(
            KeptDraft(
                kind: .subscriptionGroups, id: group, attributes: ["referenceName": .text("G")]),
            to: number, by: fixture.admin)
        _ = try await kept.add(
            KeptDraft(
                kind: .subscriptionGroupLocalizations, id: UUID().uuidString.lowercased(),
                attributes: ["locale": .text("en-US"), "name": .text("G")]),
            to: group, by: fixture.admin)
        _ = try await kept.setGracePeriod(
            of: number, ["optIn": .flag(true)], by: fixture.admin)
        try await fixture.apps.delete(app.app.id, by: fixture.admin)
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.versions.version(version.id, by: fixture.admin)
        }
        try await fixture.identifiers.delete(app.identifier, by: fixture.admin)
        // The number of the newest app that is gone is never another app's.
        let newest = try await fixture.app("com.example.newest", sku: "NEWEST")
        try await fixture.apps.delete(newest.app.id, by: fixture.admin)
        let next = try await fixture.app("com.example.next", sku: "NEXT")
        #expect(next.app.id.number > newest.app.id.number)
    }

    @Test(arguments: StoreDriver.all)
    func `a list of apps is filtered, sorted and paged by the database`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        for number in 1...5 {
            let app = try await fixture.app("com.example.app\(number)", sku: "SKU-\(6 - number)")
            guard number >= 3, number < 5 else { continue }
            let version = try await fixture.version("1.0", of: app)
            guard number == 4 else { continue }
            _ = try await ReviewService(database: fixture.database, clock: fixture.clock).submit(
                [], version: version.id, of: app.app.id, by: fixture.admin)
        }
        func list(
            _ page: PageRequest = PageRequest(limit: 50), by actor: ConnectActor? = nil,
            _ change: (inout AppQuery) -> Void = { _ in }
        ) async throws -> ([String], Int?) {
            var query = AppQuery()
            change(&query)
            let found = try await fixture.apps.apps(query, page, by: actor ?? fixture.admin)
            return (found.items.map(\.sku), found.total)
        }
        var result = try await list(PageRequest(limit: 2, cursor: "1")) {
            $0.order = ListOrder(.sku)
        }
        #expect(result == (["SKU-2", "SKU-3"], 5))
        result = try await list { $0.order = ListOrder(.bundleId, isDescending: true) }
        #expect(result == (["SKU-1", "SKU-2", "SKU-3", "SKU-4", "SKU-5"], 5))
        result = try await list { $0.bundleIDs = ["com.example.app2"] }
        #expect(result == (["SKU-4"], 1))
        result = try await list { $0.search = "sku-5" }
        #expect(result == (["SKU-5"], 1))
        result = try await list { $0.versionStates = [.prepareForSubmission] }
        #expect(result == (["SKU-3"], 1))
        result = try await list { $0.submissionStates = [.waitingForReview, .complete] }
        #expect(result == (["SKU-2"], 1))
        result = try await list { $0.submissionStates = [.complete] }
        #expect(result == ([], 0))
        result = try await list { $0.submissionPlatforms = [.linux] }
        #expect(result == (["SKU-2"], 1))
        result = try await list { $0.submissionPlatforms = [.macOS] }
        #expect(result == ([], 0))
        result = try await list { $0.platforms = [.iOS] }
        #expect(result == ([], 0))
        result = try await list(by: fixture.stranger)
        #expect(result == ([], 0))
        result = try await list(by: .machine)
        #expect(result.1 == 5)
    }

    @Test(arguments: StoreDriver.all)
    func `an imported app has an identifier that may sell`(driver: StoreDriver) async throws {
        let fixture = try await ConnectFixture(driver)
        let (team, other) = (fixture.team, fixture.otherTeam)
        func save(_ generation: Int, _ team: Int64, _ bundleID: String) async throws -> App {
            try await fixture.database.write {
                try $0.catalog.save(
                    AppDraft(
                        teamID: team, bundleID: BundleID(bundleID)!, name: "Shop",
                        binaryState: .readyForSale, generation: generation,
                        primaryLocale: ConnectLocale("ja")!))
            }
        }
        let app = try await save(2, team, "com.example.shop")
        let record = try await fixture.apps.app(app.id, by: fixture.admin)
        #expect(record.sku == "com.example.shop" && record.primaryLocale.text == "ja")
        let identifier = try await fixture.identifiers.identifier(
            record.identifier, by: fixture.admin)
        #expect(identifier.generation == 2 && identifier.allowsInAppPurchase)
        // The same app again is the same record, and its generation never falls.
        for (generation, wanted) in [(3, 3), (1, 3)] {
            let again = try await save(generation, team, "com.example.shop")
            #expect(again.id == app.id && again.generation == wanted)
        }
        await #expect(throws: SQLError.self) {
            _ = try await save(4, other, "com.example.shop")
        }
        let kept = try await fixture.identifiers.identifier(record.identifier, by: fixture.admin)
        #expect(kept.generation == 3 && kept.team == team)
        // Its SKU was taken by another app.
        let free = try await fixture.register("com.example.free")
        _ = try await fixture.apps.create(
            AppCreation(
                identifier: free.id, sku: "com.example.new", name: "Free", primaryLocale: "ja"),
            by: fixture.admin)
        let third = try await save(1, team, "com.example.new")
        let made = try await fixture.apps.app(third.id, by: fixture.admin)
        #expect(made.sku == "com.example.new/\(made.identifier.number)")
    }
}
