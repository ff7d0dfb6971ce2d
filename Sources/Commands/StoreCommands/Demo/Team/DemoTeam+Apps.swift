import Foundation
import StoreCore
import StoreModel

/// Bundle identifiers, profiles, apps, and their versions.
extension DemoTeam {
    mutating func makeApps() async throws {
        wait(until: 44)
        let bookshop = try await register(Self.bundleID, "Bookshop")
        let stargazer = try await register("com.example.stargazer", "Stargazer")
        let tides = try await register("com.example.tidetables", "Tide Tables")
        let prototypes = try await register("com.example.prototypes.*", "Prototypes")
        let identifiers = store.services.bundleIdentifiers
        let admin = try actor(.admin)
        for type in [CapabilityType.pushNotifications, .associatedDomains] {
            _ = try await identifiers.add(Capability(type: type), to: bookshop, by: admin)
        }
        _ = try await identifiers.add(
            Capability(
                type: .iCloud,
                settings: [CapabilitySetting(key: "ICLOUD_VERSION", options: ["XCODE_6"])]),
            to: stargazer, by: admin)
        _ = try await identifiers.add(
            Capability(type: .networkExtensions), to: prototypes, by: admin)

        let developer = try actor(.developer)
        try await makeProfile("Bookshop development", .linuxDevelopment, bookshop, by: developer)
        try await makeProfile("Bookshop store", .linuxStore, bookshop, by: admin)
        try await makeProfile("Stargazer development", .linuxDevelopment, stargazer, by: developer)
        try await makeProfile("Stargazer store", .linuxStore, stargazer, by: admin)
        try await makeProfile("Prototypes", .linuxDevelopment, prototypes, by: developer)
        // In-app purchase goes off and on again, so this one is out of date.
        try await makeProfile("Tide Tables development", .linuxDevelopment, tides, by: developer)
        _ = try await identifiers.remove(.inAppPurchase, of: tides, by: admin)
        _ = try await identifiers.add(Capability(type: .inAppPurchase), to: tides, by: admin)

        wait(until: 44, hour: 2)
        apps["bookshop"] = try await makeApp(bookshop, "Bookshop", sku: "BOOKS-1")
        apps["stargazer"] = try await makeApp(stargazer, "Stargazer", sku: "STARS-1")
        apps["tidetables"] = try await makeApp(tides, "Tide Tables", sku: "TIDES-1")
        try await makeStorePages()
    }

    private func register(
        _ identifier: String, _ name: String
    ) async throws -> BundleIdentifierID {
        try await store.services.bundleIdentifiers.register(
            BundleIdentifierDraft(identifier: identifier, name: name, platform: .linux),
            by: try actor(.admin)
        ).id
    }

    private mutating func makeProfile(
        _ name: String, _ type: ProfileType, _ identifier: BundleIdentifierID,
        by actor: ConnectActor
    ) async throws {
        _ = try await store.services.profiles.create(
            ProfileDraft(name: name, type: type, bundleIdentifier: identifier),
            uuid: random.uuid(), address: address, by: actor)
    }

    private func makeApp(
        _ identifier: BundleIdentifierID, _ name: String, sku: String
    ) async throws -> App {
        let manager = try actor(.appManager)
        let made = try await store.services.apps.create(
            AppCreation(identifier: identifier, sku: sku, name: name, primaryLocale: "en-US"),
            by: manager)
        var change = AppChange()
        change.contentRights = ContentRights.none
        return try await store.services.apps.update(made.app.id, change, by: manager).app
    }

    // MARK: Versions

    /// Makes a version with its builds, the last of which is chosen.
    mutating func makeVersion(
        _ number: String, of name: String, builds: Int, new text: String,
        release: AppReleaseType = .afterApproval, note: String = ""
    ) async throws -> AppVersionID {
        let manager = try actor(.appManager)
        let developer = try actor(.developer)
        let id = AppVersionID(random.uuid())
        _ = try await store.services.appVersions.create(
            number, id: id, of: try app(name).id, platform: .linux,
            AppVersionChange(releaseType: release, whatsNew: text, reviewNote: note), by: manager)
        for build in 1...builds {
            let (file, folder) = try makeFile(of: try app(name), version: number, build: build)
            defer { try? FileManager.default.removeItem(at: folder) }
            try await store.handIn(build: file, of: id, by: developer)
        }
        let newest = try await store.services.appVersions.version(id, by: manager).builds.first
        _ = try await store.services.appVersions.choose(newest?.id, of: id, by: manager)
        return id
    }
}
