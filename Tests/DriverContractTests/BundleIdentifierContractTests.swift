import Foundation
import StoreContent
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

@Suite(.usesDrivers) struct BundleIdentifierContractTests {
    @Test(arguments: StoreDriver.all)
    func `an explicit identifier may use in-app purchase from the start`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let shop = try await fixture.register("com.example.shop", .iOS)
        #expect(shop.allowsInAppPurchase && !shop.isWildcard && shop.generation == 1)
        #expect(shop.seedID == TeamPrefix(team: fixture.team))
        #expect(try await fixture.identifiers.identifier(shop.id, by: fixture.admin) == shop)
        #expect(
            try await fixture.identifiers.capabilities(of: shop.id, by: fixture.admin)
                == [Capability(type: .inAppPurchase)])
        let wildcard = try await fixture.register("com.example.*")
        #expect(!wildcard.allowsInAppPurchase && wildcard.isWildcard)
        let service = try await fixture.register("com.example.web", .services)
        #expect(!service.allowsInAppPurchase)
        #expect(
            try await fixture.log().map { "\($0.action) \($0.subject)" } == [
                "bundleId.register com.example.shop", "bundleId.register com.example.*",
                "bundleId.register com.example.web",
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `an explicit identifier is one in the store, a wildcard one in the team`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        for text in ["com.example.shop", "com.example.*", "*"] {
            _ = try await fixture.register(text)
        }
        func register(_ text: String, by actor: ConnectActor) async throws {
            _ = try await fixture.identifiers.register(
                BundleIdentifierDraft(identifier: text, name: "Name", platform: .iOS), by: actor)
        }
        for text in ["com.example.shop", "com.example.*", "*"] {
            try await expectRefusal("identifierTaken", in: fixture) {
                try await register(text, by: fixture.admin)
            }
        }
        try await expectRefusal("identifierTaken", in: fixture) {
            try await register("com.example.shop", by: fixture.stranger)
        }
        try await register("com.example.*", by: fixture.stranger)
        try await register("*", by: fixture.stranger)
    }

    @Test(arguments: StoreDriver.all)
    func `an identifier that is registered anew goes on with its generations`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let first = try await fixture.register("com.example.shop")
        _ = try await fixture.identifiers.remove(.inAppPurchase, of: first.id, by: fixture.admin)
        _ = try await fixture.identifiers.add(
            Capability(type: .inAppPurchase), to: first.id, by: fixture.admin)
        try await fixture.identifiers.delete(first.id, by: fixture.admin)
        let second = try await fixture.identifiers.register(
            BundleIdentifierDraft(identifier: "com.example.shop", name: "N", platform: .iOS),
            by: fixture.stranger)
        #expect(second.generation == 4, "profiles of the earlier team are out of date")
        try await fixture.identifiers.delete(second.id, by: fixture.stranger)
        let team = fixture.team
        let app = try await fixture.database.write {
            try $0.catalog.save(
                AppDraft(
                    teamID: team, bundleID: BundleID("com.example.shop")!, name: "Shop",
                    binaryState: .prepareForSubmission, generation: 1))
        }
        #expect(app.generation == 5)
    }

    @Test(arguments: StoreDriver.all)
    func `an import takes no identifier from another team, and lowers no generation`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let folder = try TemporaryFolder()
        let files = try DiskContentStore(root: folder.url)
        let known = try await fixture.register("com.example.shop")
        _ = try await fixture.identifiers.remove(.inAppPurchase, of: known.id, by: fixture.admin)
        let before = try await fixture.identifiers.identifier(known.id, by: fixture.admin)
        func apply(_ team: String) async throws -> App {
            try await CatalogService(database: fixture.database).apply(
                CatalogDraft(
                    teamName: team, bundleID: BundleID("com.example.shop")!, appName: "Shop",
                    products: []), files: files, at: fixture.clock.now())
        }
        await #expect(
            throws: CatalogRefusal.otherTeam(
                BundleID("com.example.shop")!, of: "Example", wanted: "Other")
        ) { _ = try await apply("Other") }
        #expect(try await fixture.identifiers.identifier(known.id, by: fixture.admin) == before)
        let app = try await apply("Example")
        #expect(app.generation == 2 && app.teamID == fixture.team)
        let after = try await fixture.identifiers.identifier(known.id, by: fixture.admin)
        #expect(after.generation == 2 && after.app == app.id)
    }

    @Test(arguments: [
        "", "com.example.", ".com", "com..example", "com.*.example", "com.example*", "com example",
        "com.exämple", "com_example", "*.com", "**", "com.example.shop\n",
    ])
    func `what is no bundle identifier is refused`(text: String) async throws {
        let fixture = try await ConnectFixture(.sqlite)
        try await expectRefusal("identifier", in: fixture) { _ = try await fixture.register(text) }
    }

    @Test(arguments: StoreDriver.all)
    func `who has to say the team is told which ones there are`(driver: StoreDriver) async throws {
        let fixture = try await ConnectFixture(driver)
        let draft = BundleIdentifierDraft(
            identifier: "com.example.shop", name: "Name", platform: .iOS)
        let refusal = await #expect(throws: ConnectRefusal.self) {
            try await fixture.identifiers.register(draft, by: .machine)
        }
        #expect(refusal?.problem.hasSuffix("for which one this is: Example, Other.") == true)
        #expect(refusal?.help.contains("openstore login --team NAME") == true)
        let empty = try driver.install().open()
        let first = await #expect(throws: ConnectRefusal.self) {
            try await BundleIdentifierService(database: empty, clock: fixture.clock)
                .register(draft, by: .machine)
        }
        #expect(first?.problem == "The store has no team yet.")
        #expect(first?.help.contains("openstore team create") == true)
    }

    @Test(arguments: StoreDriver.all)
    func `staff say for which team, unless there is only one`(driver: StoreDriver) async throws {
        let fixture = try await ConnectFixture(driver)
        let draft = BundleIdentifierDraft(
            identifier: "com.example.shop", name: "Name", platform: .iOS)
        try await expectRefusal("teamMissing", in: fixture) {
            _ = try await fixture.identifiers.register(draft, by: .machine)
        }
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.identifiers.register(draft, team: 99, by: .machine)
        }
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.identifiers.register(
                draft, team: fixture.otherTeam, by: fixture.admin)
        }
        try await expectRefusal("seedId", in: fixture) {
            var draft = draft
            draft.seedID = TeamPrefix(team: fixture.otherTeam).text
            _ = try await fixture.identifiers.register(draft, by: fixture.admin)
        }
        let made = try await fixture.identifiers.register(
            draft, team: fixture.otherTeam, by: .machine)
        #expect(made.team == fixture.otherTeam)
    }

    @Test(arguments: StoreDriver.all)
    func `switching in-app purchase makes what was configured before out of date`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        func generations() async throws -> [Int] {
            [
                try await fixture.identifiers.identifier(app.identifier, by: fixture.admin)
                    .generation,
                try await fixture.apps.app(app.app.id, by: fixture.admin).app.generation,
            ]
        }
        _ = try await fixture.identifiers.add(
            Capability(type: .gameCenter), to: app.identifier, by: fixture.admin)
        #expect(try await generations() == [1, 1])
        let off = try await fixture.identifiers.remove(
            .inAppPurchase, of: app.identifier, by: fixture.admin)
        #expect(!off.allowsInAppPurchase)
        #expect(try await generations() == [2, 2])
        let on = try await fixture.identifiers.add(
            Capability(type: .inAppPurchase), to: app.identifier, by: fixture.admin)
        #expect(on.allowsInAppPurchase)
        #expect(try await generations() == [3, 3])
    }

    @Test(arguments: StoreDriver.all)
    func `a capability is switched on once, with settings that it has`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let id = try await fixture.register("com.example.shop").id
        let wildcard = try await fixture.register("com.example.*").id
        let service = try await fixture.register("com.example.web", .services).id
        let icloud = Capability(
            type: .iCloud,
            settings: [CapabilitySetting(key: "ICLOUD_VERSION", options: ["XCODE_6"])])
        _ = try await fixture.identifiers.add(icloud, to: id, by: fixture.admin)
        #expect(
            try await fixture.identifiers.capabilities(of: id, by: fixture.admin)
                == [icloud, Capability(type: .inAppPurchase)])
        let refusals: [(String, Capability, BundleIdentifierID)] = [
            ("capabilityTaken", icloud, id),
            ("capabilityExplicit", Capability(type: .inAppPurchase), wildcard),
            ("capabilityServices", Capability(type: .inAppPurchase), service),
            (
                "capabilitySetting",
                Capability(type: .maps, settings: icloud.settings), id
            ),
            (
                "capabilitySetting",
                Capability(type: .iCloud, settings: icloud.settings + icloud.settings), wildcard
            ),
            (
                "capabilityOption",
                Capability(
                    type: .iCloud,
                    settings: [CapabilitySetting(key: "ICLOUD_VERSION", options: ["XCODE_9"])]),
                wildcard
            ),
            (
                "capabilityOption",
                Capability(
                    type: .iCloud,
                    settings: [
                        CapabilitySetting(key: "ICLOUD_VERSION", options: ["XCODE_5", "XCODE_6"])
                    ]), wildcard
            ),
        ]
        for (rule, capability, identifier) in refusals {
            try await expectRefusal(rule, in: fixture) {
                _ = try await fixture.identifiers.add(capability, to: identifier, by: fixture.admin)
            }
        }
        var changed = icloud
        changed.settings[0].options = ["XCODE_5"]
        _ = try await fixture.identifiers.change(changed, of: id, by: fixture.admin)
        #expect(
            try await fixture.identifiers.capabilities(of: id, by: fixture.admin).first == changed)
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.identifiers.remove(.wallet, of: id, by: fixture.admin)
        }
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.identifiers.change(
                Capability(type: .wallet), of: id, by: fixture.admin)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a form sets name and capabilities at once, and keeps settings`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let id = try await fixture.register("com.example.shop").id
        let icloud = Capability(
            type: .iCloud,
            settings: [CapabilitySetting(key: "ICLOUD_VERSION", options: ["XCODE_6"])])
        _ = try await fixture.identifiers.add(icloud, to: id, by: fixture.admin)
        let changed = try await fixture.identifiers.configure(
            id, name: "New", capabilities: [.iCloud, .maps], by: fixture.admin)
        #expect(changed.name == "New" && !changed.allowsInAppPurchase && changed.generation == 2)
        #expect(
            try await fixture.identifiers.capabilities(of: id, by: fixture.admin)
                == [icloud, Capability(type: .maps)])
        let count = try await fixture.log().count
        _ = try await fixture.identifiers.configure(
            id, name: "New", capabilities: [.iCloud, .maps], by: fixture.admin)
        #expect(try await fixture.log().count == count, "nothing changed, so nothing is noted")
        let wildcard = try await fixture.register("com.example.*").id
        try await expectRefusal("capabilityExplicit", in: fixture) {
            _ = try await fixture.identifiers.configure(
                wildcard, name: "Other", capabilities: [.maps, .inAppPurchase], by: fixture.admin)
        }
        #expect(
            try await fixture.identifiers.identifier(wildcard, by: fixture.admin).name == "Name",
            "an error changes nothing")
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.identifiers.configure(
                id, name: "x", capabilities: [], by: fixture.stranger)
        }
        try await expectRefusal("role", in: fixture) {
            _ = try await fixture.identifiers.configure(
                id, name: "x", capabilities: [], by: fixture.member(.developer))
        }
    }

    @Test(arguments: StoreDriver.all)
    func `an identifier that something uses stays`(driver: StoreDriver) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        try await expectRefusal("bundleIdInUse", in: fixture) {
            try await fixture.identifiers.delete(app.identifier, by: fixture.admin)
        }
        let wildcard = try await fixture.register("com.example.*")
        let profile = try await fixture.profiles.create(
            ProfileDraft(name: "Dev", type: .iOSDevelopment, bundleIdentifier: wildcard.id),
            uuid: UUID(), address: "http://127.0.0.1", by: fixture.admin)
        try await expectRefusal("bundleIdInUse", in: fixture) {
            try await fixture.identifiers.delete(wildcard.id, by: fixture.admin)
        }
        fixture.clock.advance(by: ProfileService.lifetime)
        try await fixture.identifiers.delete(wildcard.id, by: fixture.admin)
        let left = try await fixture.profiles.profile(profile.id, by: fixture.admin)
        #expect(left.bundleIdentifier == nil && left.identifier.text == "com.example.*")
        #expect(left.flaw(at: fixture.clock.now()) == .identifierDeleted)
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.identifiers.identifier(wildcard.id, by: fixture.admin)
        }
        // The text may be registered again, and is a new identifier then.
        #expect(try await fixture.register("com.example.*").id != wildcard.id)
    }

    @Test(arguments: StoreDriver.all)
    func `another team's identifier isn't there, and a role has to allow the change`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let id = try await fixture.register("com.example.shop").id
        let steps: [@Sendable (ConnectActor) async throws -> Void] = [
            { _ = try await fixture.identifiers.rename(id, to: "New", by: $0) },
            { try await fixture.identifiers.delete(id, by: $0) },
            { _ = try await fixture.identifiers.add(Capability(type: .maps), to: id, by: $0) },
            { _ = try await fixture.identifiers.change(Capability(type: .maps), of: id, by: $0) },
            { _ = try await fixture.identifiers.remove(.inAppPurchase, of: id, by: $0) },
        ]
        for step in steps {
            try await expectRefusal("notFound", in: fixture) { try await step(fixture.stranger) }
            try await expectRefusal("role", in: fixture) {
                try await step(fixture.member(.developer))
            }
        }
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.identifiers.identifier(id, by: fixture.stranger)
        }
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.identifiers.capabilities(of: id, by: fixture.stranger)
        }
        let seen = try await fixture.identifiers.identifiers(
            BundleIdentifierQuery(), PageRequest(limit: 50), by: fixture.stranger)
        #expect(seen.items.isEmpty && seen.total == 0)
    }

    @Test(arguments: StoreDriver.all)
    func `a list is filtered, sorted and paged by the database`(driver: StoreDriver) async throws {
        let fixture = try await ConnectFixture(driver)
        for number in 1...7 { _ = try await fixture.register("com.example.app\(number)") }
        _ = try await fixture.identifiers.register(
            BundleIdentifierDraft(identifier: "org.example.*", name: "Anything", platform: .iOS),
            by: fixture.admin)
        func list(
            _ page: PageRequest = PageRequest(limit: 50),
            _ change: (inout BundleIdentifierQuery) -> Void
        ) async throws -> ([String], Int?) {
            var query = BundleIdentifierQuery()
            change(&query)
            let found = try await fixture.identifiers.identifiers(query, page, by: fixture.admin)
            return (found.items.map(\.identifier.text), found.total)
        }
        var result = try await list(PageRequest(limit: 3, cursor: "2")) {
            $0.order = ListOrder(.identifier)
        }
        #expect(result == (["com.example.app3", "com.example.app4", "com.example.app5"], 8))
        result = try await list(PageRequest(limit: 2)) {
            $0.order = ListOrder(.identifier, isDescending: true)
        }
        #expect(result == (["org.example.*", "com.example.app7"], 8))
        result = try await list { $0.platforms = [.iOS, .macOS] }
        #expect(result == (["org.example.*"], 1))
        result = try await list { $0.identifiers = ["com.example.app2", "com.example.none"] }
        #expect(result == (["com.example.app2"], 1))
        result = try await list { $0.search = "APP6" }
        #expect(result == (["com.example.app6"], 1))
        result = try await list { $0.search = "%" }
        #expect(result == ([], 0))
        result = try await list { $0.names = ["Anything"] }
        #expect(result == (["org.example.*"], 1))
        result = try await list { $0.seedIDs = [TeamPrefix(team: fixture.otherTeam)] }
        #expect(result == ([], 0))
        result = try await list(PageRequest(limit: 5, cursor: "100")) { _ in }
        #expect(result == ([], 8))
    }
}
