import Foundation
import StoreCore
import StoreDatabase
import StoreModel
import Testing

@Suite(.usesDrivers) struct AppVersionContractTests {
    private func state(_ id: AppVersionID, in scene: ConnectScene) async throws
        -> AppVersionState
    {
        try await scene.versions.version(id, by: scene.admin).version.state
    }

    private func binary(_ app: AppRecord, in scene: ConnectScene) async throws -> BinaryState {
        try await scene.apps.app(app.app.id, by: scene.admin).app.binaryState
    }

    @Test(arguments: StoreDriver.all)
    func `a version goes through review to the customers and replaces the one before`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ConnectScene(driver)
        let app = try await scene.app()
        let first = try await scene.version("1.0", of: app)
        try await scene.sell(first.id)
        #expect(try await state(first.id, in: scene) == .readyForSale)
        #expect(try await binary(app, in: scene) == .readyForSale)
        let second = try await scene.version(
            "1.1", of: app, AppVersionChange(releaseType: .manual, whatsNew: "Dark mode"))
        try await scene.sell(second.id)
        #expect(try await state(second.id, in: scene) == .pendingDeveloperRelease)
        #expect(try await state(first.id, in: scene) == .readyForSale)
        let released = try await scene.versions.release(second.id, by: scene.admin)
        #expect(released.state == .readyForSale && released.released == scene.clock.now())
        #expect(try await state(first.id, in: scene) == .replacedWithNewVersion)
        #expect(
            try await scene.versions.versions(of: app.app.id, by: scene.admin).map(\.version.text)
                == ["1.1", "1.0"])
        // From here it is taken from sale and put back, by its publisher and by the store.
        let id = second.id
        _ = try await scene.versions.setSale(false, of: id, by: scene.admin)
        #expect(try await state(id, in: scene) == .developerRemovedFromSale)
        _ = try await scene.versions.setSale(true, of: id, by: scene.admin)
        _ = try await scene.versions.setTakenDown(true, of: id, by: .machine)
        #expect(try await state(id, in: scene) == .removedFromSale)
        try await expectRefusal("versionState", in: scene) {
            _ = try await scene.versions.setSale(true, of: id, by: scene.admin)
        }
        try await expectRefusal("role", in: scene) {
            _ = try await scene.versions.setTakenDown(false, of: id, by: scene.admin)
        }
        _ = try await scene.versions.setTakenDown(false, of: id, by: .machine)
        #expect(try await binary(app, in: scene) == .readyForSale)
        // What its publisher had off sale before goes back there.
        _ = try await scene.versions.setSale(false, of: id, by: scene.admin)
        _ = try await scene.versions.setTakenDown(true, of: id, by: .machine)
        _ = try await scene.versions.setTakenDown(false, of: id, by: .machine)
        #expect(try await state(id, in: scene) == .developerRemovedFromSale)
        _ = try await scene.versions.setTakenDown(true, of: id, by: .machine)
        let third = try await scene.version(
            "1.2", of: app, AppVersionChange(whatsNew: "Light mode"))
        try await scene.sell(third.id)
        #expect(try await state(id, in: scene) == .replacedWithNewVersion)
    }

    @Test(arguments: StoreDriver.all)
    func `what was rejected makes products invalid until there is another build`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ConnectScene(driver)
        let app = try await scene.app()
        let version = try await scene.version("1.0", of: app)
        try await scene.take(version.id) { try $0.submit() }
        try await scene.take(version.id) { try $0.withdraw() }
        #expect(try await binary(app, in: scene) == .developerRejected)
        try await scene.take(version.id) { try $0.submit() }
        #expect(try await binary(app, in: scene) == .prepareForSubmission)
        let before = try await scene.database.catalogGeneration()
        try await scene.take(version.id) { try $0.beginReview() }
        #expect(
            try await scene.database.catalogGeneration() == before,
            "devices need not read the catalog for what they can't see")
        try await scene.take(version.id) { try $0.reject() }
        #expect(try await binary(app, in: scene) == .rejected)
        let build = try await scene.versions.addBuild(
            "2", id: .fresh(), to: version.id, digest: String(repeating: "B", count: 64),
            size: 7, by: scene.member(.developer))
        #expect(build.digest.text == String(repeating: "b", count: 64))
        // Adding is not choosing, but it is the new attempt.
        var (now, _, builds) = try await scene.versions.version(version.id, by: scene.admin)
        #expect(now.state == .prepareForSubmission && now.build != build.id)
        #expect(builds.map(\.number.text) == ["2", "1"])
        #expect(try await binary(app, in: scene) == .prepareForSubmission)
        now = try await scene.versions.choose(build.id, of: version.id, by: scene.admin)
        #expect(now.build == build.id)
        try await scene.database.write { try $0.completeApp(app.app.id) }
        // An app with a version on sale goes on selling when a newer one is rejected.
        try await scene.sell(version.id)
        let next = try await scene.version("2.0", of: app, AppVersionChange(whatsNew: "More"))
        try await scene.take(next.id) { try $0.submit() }
        try await scene.take(next.id) { try $0.beginReview() }
        try await scene.take(next.id) { try $0.reject() }
        #expect(try await binary(app, in: scene) == .readyForSale)
    }

    @Test(arguments: StoreDriver.all)
    func `a version is submitted with a build, and says what is new`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ConnectScene(driver)
        let app = try await scene.app()
        let first = try await scene.versions.create(
            "1.0", id: .fresh(), of: app.app.id, platform: .linux, by: scene.admin)
        try await expectRefusal("buildMissing", in: scene) {
            try await scene.take(first.id) { try $0.submit() }
        }
        _ = try await scene.versions.addBuild(
            "1", id: .fresh(), to: first.id, digest: String(repeating: "a", count: 64), size: 1,
            by: scene.admin)
        try await expectRefusal("versionIncomplete", in: scene) {
            try await scene.take(first.id) { try $0.submit() }
        }
        try await scene.database.write { try $0.completeApp(app.app.id) }
        try await scene.sell(first.id)
        let second = try await scene.version("1.1", of: app)
        try await expectRefusal("whatsNewMissing", in: scene) {
            try await scene.take(second.id) { try $0.submit() }
        }
        _ = try await scene.versions.update(
            second.id, AppVersionChange(versionString: "1.2", whatsNew: "Much\nmore"),
            by: scene.admin)
        try await scene.take(second.id) { try $0.submit() }
        try await expectRefusal("versionState", in: scene) {
            _ = try await scene.versions.update(
                second.id, AppVersionChange(whatsNew: "x"), by: scene.admin)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `an app has one version on its way for each platform`(driver: StoreDriver) async throws {
        let scene = try await ConnectScene(driver)
        let app = try await scene.app()
        let first = try await scene.version("1.0", of: app)
        func create(_ number: String, _ platform: AppPlatform) async throws -> AppVersion {
            try await scene.versions.create(
                number, id: .fresh(), of: app.app.id, platform: platform, by: scene.admin)
        }
        try await expectRefusal("versionAhead", in: scene) { _ = try await create("1.1", .linux) }
        let mac = try await create("1.0", .macOS)
        try await scene.sell(first.id)
        try await expectRefusal("versionOlder", in: scene) { _ = try await create("0.9", .linux) }
        try await expectRefusal("versionTaken", in: scene) { _ = try await create("1.0", .linux) }
        let second = try await create("1.1", .linux)
        try await expectRefusal("versionOlder", in: scene) {
            _ = try await scene.versions.update(
                second.id, AppVersionChange(versionString: "0.1"), by: scene.admin)
        }
        try await expectRefusal("versionState", in: scene) {
            try await scene.versions.delete(first.id, by: scene.admin)
        }
        for id in [mac.id, second.id] { try await scene.versions.delete(id, by: scene.admin) }
        #expect(
            try await scene.versions.versions(of: app.app.id, by: scene.admin).map(\.id)
                == [first.id])
        #expect(try await scene.log().last?.action == "version.delete")
    }

    @Test(arguments: StoreDriver.all)
    func `builds ascend, and belong to one version`(driver: StoreDriver) async throws {
        let scene = try await ConnectScene(driver)
        let app = try await scene.app()
        let version = try await scene.version("1.0", of: app)
        let other = try await scene.version(
            "1.0", of: try await scene.app("com.example.other", sku: "OTHER"))
        let good = String(repeating: "a", count: 64)
        let cases: [(String, String, String, Int64)] = [
            ("buildNumberTaken", "1", good, 1), ("buildNumberTaken", "0.9", good, 1),
            ("buildNumber", "x", good, 1), ("buildNumber", "1.2.3.4", good, 1),
            ("checksum", "2", "abc", 1), ("checksum", "2", good + "a", 1),
            ("buildSize", "2", good, 0), ("buildSize", "2", good, Int64.max),
        ]
        for (rule, number, digest, size) in cases {
            try await expectRefusal(rule, in: scene) {
                _ = try await scene.versions.addBuild(
                    number, id: .fresh(), to: version.id, digest: digest, size: size,
                    by: scene.admin)
            }
        }
        let builds = try await scene.versions.version(other.id, by: scene.admin).builds
        let theirs = try #require(builds.first).id
        try await expectRefusal("buildUnknown", in: scene) {
            _ = try await scene.versions.choose(theirs, of: version.id, by: scene.admin)
        }
        #expect(try await scene.versions.build(theirs, by: scene.admin).version == other)
        try await expectRefusal("notFound", in: scene) {
            _ = try await scene.versions.build(theirs, by: scene.stranger)
        }
        try await scene.take(version.id) { try $0.submit() }
        try await expectRefusal("versionState", in: scene) {
            _ = try await scene.versions.addBuild(
                "2", id: .fresh(), to: version.id, digest: good, size: 1, by: scene.admin)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `another team's version isn't there, and a role has to allow the step`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ConnectScene(driver)
        let app = try await scene.app()
        let id = try await scene.version("1.0", of: app).id
        let steps: [@Sendable (ConnectActor) async throws -> Void] = [
            { _ = try await scene.versions.update(id, AppVersionChange(whatsNew: "x"), by: $0) },
            { try await scene.versions.delete(id, by: $0) },
            { _ = try await scene.versions.release(id, by: $0) },
            { _ = try await scene.versions.setSale(false, of: id, by: $0) },
            { _ = try await scene.versions.choose(nil, of: id, by: $0) },
            {
                _ = try await scene.versions.addBuild(
                    "9", id: .fresh(), to: id, digest: String(repeating: "a", count: 64), size: 1,
                    by: $0)
            },
            {
                _ = try await scene.versions.create(
                    "9", id: .fresh(), of: app.app.id, platform: .iOS, by: $0)
            },
        ]
        for step in steps {
            try await expectRefusal("notFound", in: scene) { try await step(scene.stranger) }
            try await expectRefusal("role", in: scene) { try await step(scene.member(.finance)) }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `two versions on the way are refused by the schema as well`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ConnectScene(driver)
        let app = try await scene.app()
        _ = try await scene.version("1.0", of: app)
        let second = AppVersion(
            id: .fresh(), app: app.app.id, platform: .linux, version: ContentVersion("1.1")!,
            created: SeededShop.date)
        await #expect(throws: SQLError.self) {
            try await scene.database.write { try $0.appVersions.insert(second) }
        }
    }
}
