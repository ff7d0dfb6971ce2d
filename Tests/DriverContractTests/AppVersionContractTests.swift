import Foundation
@testable import StoreCore
import StoreDatabase
import StoreModel
import Testing

@Suite(.usesDrivers) struct AppVersionContractTests {
    private func state(_ id: AppVersionID, in fixture: ConnectFixture) async throws
        -> AppVersionState
    {
        try await fixture.versions.version(id, by: fixture.admin).version.state
    }

    private func binary(_ app: AppRecord, in fixture: ConnectFixture) async throws -> BinaryState {
        try await fixture.apps.app(app.app.id, by: fixture.admin).app.binaryState
    }

    /// Version 1.1, which waits for its publisher to release it.
    private func approvedUpdate(
        of app: AppRecord, in fixture: ConnectFixture
    ) async throws -> AppVersion {
        let version = try await fixture.version(
            "1.1", of: app, AppVersionChange(releaseType: .manual, whatsNew: "Dark mode"))
        try await fixture.sell(version.id)
        return version
    }

    @Test(arguments: StoreDriver.all)
    func `a version goes through review to the customers and replaces the one before`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        let first = try await fixture.version("1.0", of: app)
        try await fixture.sell(first.id)
        #expect(try await state(first.id, in: fixture) == .readyForSale)
        #expect(try await binary(app, in: fixture) == .readyForSale)
        let second = try await approvedUpdate(of: app, in: fixture)
        #expect(try await state(second.id, in: fixture) == .pendingDeveloperRelease)
        #expect(try await state(first.id, in: fixture) == .readyForSale)
        let released = try await fixture.versions.release(second.id, by: fixture.admin)
        #expect(released.state == .readyForSale && released.released == fixture.clock.now())
        #expect(try await state(first.id, in: fixture) == .replacedWithNewVersion)
        #expect(
            try await fixture.versions.versions(of: app.app.id, by: fixture.admin).map(
                \.version.text)
                == ["1.1", "1.0"])
        // From here it is taken from sale and put back, by its publisher and by the store.
        let id = second.id
        _ = try await fixture.versions.setSale(false, of: id, by: fixture.admin)
        #expect(try await state(id, in: fixture) == .developerRemovedFromSale)
        _ = try await fixture.versions.setSale(true, of: id, by: fixture.admin)
        _ = try await fixture.versions.setTakenDown(true, of: id, by: .machine)
        #expect(try await state(id, in: fixture) == .removedFromSale)
        try await expectRefusal("versionState", in: fixture) {
            _ = try await fixture.versions.setSale(true, of: id, by: fixture.admin)
        }
        try await expectRefusal("role", in: fixture) {
            _ = try await fixture.versions.setTakenDown(false, of: id, by: fixture.admin)
        }
        _ = try await fixture.versions.setTakenDown(false, of: id, by: .machine)
        #expect(try await binary(app, in: fixture) == .readyForSale)
        // What its publisher had off sale before goes back there.
        _ = try await fixture.versions.setSale(false, of: id, by: fixture.admin)
        _ = try await fixture.versions.setTakenDown(true, of: id, by: .machine)
        _ = try await fixture.versions.setTakenDown(false, of: id, by: .machine)
        #expect(try await state(id, in: fixture) == .developerRemovedFromSale)
        _ = try await fixture.versions.setTakenDown(true, of: id, by: .machine)
        let third = try await fixture.version(
            "1.2", of: app, AppVersionChange(whatsNew: "Light mode"))
        try await fixture.sell(third.id)
        #expect(try await state(id, in: fixture) == .replacedWithNewVersion)
    }

    @Test(arguments: StoreDriver.all)
    func `what was rejected makes products invalid until there is another build`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        let version = try await fixture.version("1.0", of: app)
        try await fixture.take(version.id) { try $0.submit() }
        try await fixture.take(version.id) { try $0.withdraw() }
        #expect(try await binary(app, in: fixture) == .developerRejected)
        try await fixture.take(version.id) { try $0.submit() }
        #expect(try await binary(app, in: fixture) == .prepareForSubmission)
        let before = try await fixture.database.catalogGeneration()
        try await fixture.take(version.id) { try $0.beginReview() }
        #expect(
            try await fixture.database.catalogGeneration() == before,
            "devices need not read the catalog for what they can't see")
        try await fixture.take(version.id) { try $0.reject() }
        #expect(try await binary(app, in: fixture) == .rejected)
        let build = try await fixture.versions.addBuild(
            "2", id: .fresh(), to: version.id, digest: String(repeating: "B", count: 64),
            size: 7, by: fixture.member(.developer))
        #expect(build.digest.text == String(repeating: "b", count: 64))
        // Adding is not choosing, but it is the new attempt.
        var (now, _, builds) = try await fixture.versions.version(version.id, by: fixture.admin)
        #expect(now.state == .prepareForSubmission && now.build != build.id)
        #expect(builds.map(\.number.text) == ["2", "1"])
        #expect(try await binary(app, in: fixture) == .prepareForSubmission)
        now = try await fixture.versions.choose(build.id, of: version.id, by: fixture.admin)
        #expect(now.build == build.id)
        try await fixture.database.write { try $0.completeApp(app.app.id) }
        // An app with a version on sale goes on selling when a newer one is rejected.
        try await fixture.sell(version.id)
        let next = try await fixture.version("2.0", of: app, AppVersionChange(whatsNew: "More"))
        try await fixture.take(next.id) { try $0.submit() }
        try await fixture.take(next.id) { try $0.beginReview() }
        try await fixture.take(next.id) { try $0.reject() }
        #expect(try await binary(app, in: fixture) == .readyForSale)
    }

    @Test(arguments: StoreDriver.all)
    func `no version that was approved before takes the place of what the store took down`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        let first = try await fixture.version("1.0", of: app)
        try await fixture.sell(first.id)
        let second = try await approvedUpdate(of: app, in: fixture)
        _ = try await fixture.versions.setTakenDown(true, of: first.id, by: .machine)
        try await expectRefusal("versionTakenDown", in: fixture) {
            _ = try await fixture.versions.release(second.id, by: fixture.admin)
        }
        #expect(try await state(first.id, in: fixture) == .removedFromSale)
        #expect(try await state(second.id, in: fixture) == .pendingDeveloperRelease)
        // The store's staff decide, and may let it go on sale at once.
        _ = try await fixture.versions.release(second.id, by: .machine)
        #expect(try await state(second.id, in: fixture) == .readyForSale)
    }

    @Test(arguments: StoreDriver.all)
    func `a version is submitted with a build, and says what is new`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        let first = try await fixture.versions.create(
            "1.0", id: .fresh(), of: app.app.id, platform: .linux, by: fixture.admin)
        try await expectRefusal("buildMissing", in: fixture) {
            try await fixture.take(first.id) { try $0.submit() }
        }
        _ = try await fixture.versions.addBuild(
            "1", id: .fresh(), to: first.id, digest: String(repeating: "a", count: 64), size: 1,
            by: fixture.admin)
        try await expectRefusal("versionIncomplete", in: fixture) {
            try await fixture.take(first.id) { try $0.submit() }
        }
        try await fixture.database.write { try $0.completeApp(app.app.id) }
        try await fixture.sell(first.id)
        let second = try await fixture.version("1.1", of: app)
        try await expectRefusal("whatsNewMissing", in: fixture) {
            try await fixture.take(second.id) { try $0.submit() }
        }
        _ = try await fixture.versions.update(
            second.id, AppVersionChange(versionString: "1.2", whatsNew: "Much\nmore"),
            by: fixture.admin)
        try await fixture.take(second.id) { try $0.submit() }
        try await expectRefusal("versionState", in: fixture) {
            _ = try await fixture.versions.update(
                second.id, AppVersionChange(whatsNew: "x"), by: fixture.admin)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `an app has one version on its way for each platform`(driver: StoreDriver) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        let first = try await fixture.version("1.0", of: app)
        func create(_ number: String, _ platform: AppPlatform) async throws -> AppVersion {
            try await fixture.versions.create(
                number, id: .fresh(), of: app.app.id, platform: platform, by: fixture.admin)
        }
        try await expectRefusal("versionAhead", in: fixture) { _ = try await create("1.1", .linux) }
        let mac = try await create("1.0", .macOS)
        try await fixture.sell(first.id)
        try await expectRefusal("versionOlder", in: fixture) { _ = try await create("0.9", .linux) }
        try await expectRefusal("versionTaken", in: fixture) { _ = try await create("1.0", .linux) }
        let second = try await create("1.1", .linux)
        try await expectRefusal("versionOlder", in: fixture) {
            _ = try await fixture.versions.update(
                second.id, AppVersionChange(versionString: "0.1"), by: fixture.admin)
        }
        try await expectRefusal("versionState", in: fixture) {
            try await fixture.versions.delete(first.id, by: fixture.admin)
        }
        for id in [mac.id, second.id] { try await fixture.versions.delete(id, by: fixture.admin) }
        #expect(
            try await fixture.versions.versions(of: app.app.id, by: fixture.admin).map(\.id)
                == [first.id])
        #expect(try await fixture.log().last?.action == "version.delete")
    }

    @Test(arguments: StoreDriver.all)
    func `builds ascend, and belong to one version`(driver: StoreDriver) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        let version = try await fixture.version("1.0", of: app)
        let other = try await fixture.version(
            "1.0", of: try await fixture.app("com.example.other", sku: "OTHER"))
        let good = String(repeating: "a", count: 64)
        let cases: [(String, String, String, Int64)] = [
            ("buildNumberTaken", "1", good, 1), ("buildNumberTaken", "0.9", good, 1),
            ("buildNumber", "x", good, 1), ("buildNumber", "1.2.3.4", good, 1),
            ("checksum", "2", "abc", 1), ("checksum", "2", good + "a", 1),
            ("buildSize", "2", good, 0), ("buildSize", "2", good, Int64.max),
        ]
        for (rule, number, digest, size) in cases {
            try await expectRefusal(rule, in: fixture) {
                _ = try await fixture.versions.addBuild(
                    number, id: .fresh(), to: version.id, digest: digest, size: size,
                    by: fixture.admin)
            }
        }
        let builds = try await fixture.versions.version(other.id, by: fixture.admin).builds
        let theirs = try #require(builds.first).id
        try await expectRefusal("buildUnknown", in: fixture) {
            _ = try await fixture.versions.choose(theirs, of: version.id, by: fixture.admin)
        }
        #expect(try await fixture.versions.build(theirs, by: fixture.admin).version == other)
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.versions.build(theirs, by: fixture.stranger)
        }
        try await fixture.take(version.id) { try $0.submit() }
        try await expectRefusal("versionState", in: fixture) {
            _ = try await fixture.versions.addBuild(
                "2", id: .fresh(), to: version.id, digest: good, size: 1, by: fixture.admin)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `another team's version isn't there, and a role has to allow the step`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        let id = try await fixture.version("1.0", of: app).id
        let steps: [@Sendable (ConnectActor) async throws -> Void] = [
            { _ = try await fixture.versions.update(id, AppVersionChange(whatsNew: "x"), by: $0) },
            { try await fixture.versions.delete(id, by: $0) },
            { _ = try await fixture.versions.release(id, by: $0) },
            { _ = try await fixture.versions.setSale(false, of: id, by: $0) },
            { _ = try await fixture.versions.choose(nil, of: id, by: $0) },
            {
                _ = try await fixture.versions.addBuild(
                    "9", id: .fresh(), to: id, digest: String(repeating: "a", count: 64), size: 1,
                    by: $0)
            },
            {
                _ = try await fixture.versions.create(
                    "9", id: .fresh(), of: app.app.id, platform: .iOS, by: $0)
            },
        ]
        for step in steps {
            try await expectRefusal("notFound", in: fixture) { try await step(fixture.stranger) }
            try await expectRefusal("role", in: fixture) {
                try await step(fixture.member(.finance))
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `two versions on the way are refused by the schema as well`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let app = try await fixture.app()
        _ = try await fixture.version("1.0", of: app)
        let second = AppVersion(
            id: .fresh(), app: app.app.id, platform: .linux, version: ContentVersion("1.1")!,
            created: SeededShop.date)
        await #expect(throws: SQLError.self) {
            try await fixture.database.write { try $0.appVersions.insert(second) }
        }
    }
}
