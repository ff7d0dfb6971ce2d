import Foundation
import StoreCore
import StoreModel
import Testing

@Suite(.usesDrivers) struct ProfileContractTests {
    private static let address = "https://store.example"

    private func make(
        _ type: ProfileType, _ identifier: BundleIdentifier, _ name: String = "Profile",
        in scene: ConnectScene, by actor: ConnectActor? = nil
    ) async throws -> Profile {
        try await scene.profiles.create(
            ProfileDraft(name: name, type: type, bundleIdentifier: identifier.id), uuid: UUID(),
            address: Self.address, by: actor ?? scene.admin)
    }

    @Test(arguments: StoreDriver.one, ProfileType.allCases)
    func `the type of a profile says what an app talks to`(
        driver: StoreDriver, type: ProfileType
    ) async throws {
        let scene = try await ConnectScene(driver)
        let identifier = try await scene.register("com.example.shop")
        let profile = try await make(type, identifier, in: scene)
        let environment: StoreEnvironment =
            type.rawValue.hasSuffix("_DEVELOPMENT") || type.rawValue.hasSuffix("_ADHOC")
            ? .sandbox : .production
        #expect(
            profile.content
                == "\(ProfileContent(name: "Profile", applicationIdentifier: identifier.identifier, environment: environment, address: Self.address, allowsInAppPurchase: true, generation: 1, created: scene.clock.now(), expires: scene.clock.now().addingTimeInterval(365 * 86_400)))"
        )
        #expect(profile.flaw(at: scene.clock.now()) == nil)
        #expect(try await scene.profiles.profile(profile.id, by: scene.admin) == profile)
    }

    @Test(arguments: StoreDriver.one)
    func `no profile leads to an address that only its maker has said`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ConnectScene(driver)
        let identifier = try await scene.register("com.example.shop")
        try await expectRefusal("addressUnknown", in: scene) {
            _ = try await scene.profiles.create(
                ProfileDraft(
                    name: "Profile", type: .iOSDevelopment, bundleIdentifier: identifier.id),
                uuid: UUID(), address: nil, by: scene.admin)
        }
    }

    @Test(arguments: StoreDriver.one, ProfileType.allCases)
    func `a wildcard has development profiles only`(
        driver: StoreDriver, type: ProfileType
    ) async throws {
        let scene = try await ConnectScene(driver)
        let wildcard = try await scene.register("com.example.*")
        if type.isDevelopment {
            let profile = try await make(type, wildcard, in: scene)
            #expect(profile.content.contains("allowsInAppPurchase: false"))
        } else {
            try await expectRefusal("profileExplicit", in: scene) {
                _ = try await make(type, wildcard, in: scene)
            }
        }
        let service = try await scene.register("com.example.web", .services)
        try await expectRefusal("profileServices", in: scene) {
            _ = try await make(type, service, in: scene)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `developers make development profiles, managers all`(driver: StoreDriver) async throws {
        let scene = try await ConnectScene(driver)
        let identifier = try await scene.register("com.example.shop")
        let developer = scene.member(.developer)
        let own = try await make(.macDevelopment, identifier, "Own", in: scene, by: developer)
        try await expectRefusal("role", in: scene) {
            _ = try await make(.macStore, identifier, "Store", in: scene, by: developer)
        }
        let store = try await make(
            .macStore, identifier, "Store", in: scene, by: scene.member(.appManager))
        for step: @Sendable () async throws -> Void in [
            { try await scene.profiles.delete(store.id, by: developer) },
            {
                _ = try await scene.profiles.renew(
                    store.id, uuid: UUID(), address: Self.address, by: developer)
            },
            { _ = try await scene.profiles.delete(own.id, by: scene.member(.marketing)) },
        ] {
            try await expectRefusal("role", in: scene) { try await step() }
        }
        for id in [own.id, store.id] {
            try await expectRefusal("notFound", in: scene) {
                try await scene.profiles.delete(id, by: scene.stranger)
            }
            try await expectRefusal("notFound", in: scene) {
                _ = try await scene.profiles.profile(id, by: scene.stranger)
            }
        }
        try await expectRefusal("notFound", in: scene) {
            _ = try await make(.macStore, identifier, "Theirs", in: scene, by: scene.stranger)
        }
        try await scene.profiles.delete(own.id, by: developer)
        try await expectRefusal("notFound", in: scene) {
            _ = try await scene.profiles.profile(own.id, by: developer)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a profile is out of date when its identifier changes, until it is made anew`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ConnectScene(driver)
        let identifier = try await scene.register("com.example.shop")
        let profile = try await make(.iOSStore, identifier, in: scene)
        try await expectRefusal("profileNameTaken", in: scene) {
            _ = try await make(.iOSDevelopment, identifier, in: scene)
        }
        _ = try await scene.identifiers.remove(
            .inAppPurchase, of: identifier.id, by: scene.admin)
        let stale = try await scene.profiles.profile(profile.id, by: scene.admin)
        #expect(stale.flaw(at: scene.clock.now()) == .identifierChanged)
        func inForce(_ wanted: Bool) async throws -> [ProfileID] {
            var query = ProfileQuery()
            query.isInForce = wanted
            return try await scene.profiles.profiles(query, PageRequest(limit: 50), by: scene.admin)
                .items.map(\.id)
        }
        #expect(try await inForce(true) == [])
        #expect(try await inForce(false) == [profile.id])
        let renewed = try await scene.profiles.renew(
            profile.id, uuid: UUID(), address: Self.address, by: scene.admin)
        #expect(renewed.id == profile.id && renewed.uuid != profile.uuid)
        #expect(renewed.flaw(at: scene.clock.now()) == nil)
        #expect(renewed.content.contains("allowsInAppPurchase: false"))
        #expect(try await inForce(true) == [profile.id])
        scene.clock.advance(by: 365 * 86_400)
        let late = try await scene.profiles.profile(profile.id, by: scene.admin)
        #expect(late.flaw(at: scene.clock.now()) == .expired)
        #expect(try await inForce(true) == [])
        // Nothing in force is left to keep the identifier.
        try await scene.identifiers.delete(identifier.id, by: scene.admin)
        try await expectRefusal("profileIdentifierDeleted", in: scene) {
            _ = try await scene.profiles.renew(
                profile.id, uuid: UUID(), address: Self.address, by: scene.admin)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `profiles are found by name, type and identifier`(driver: StoreDriver) async throws {
        let scene = try await ConnectScene(driver)
        let shop = try await scene.register("com.example.shop")
        let other = try await scene.register("com.example.other")
        _ = try await make(.iOSStore, shop, "b", in: scene)
        _ = try await make(.iOSDevelopment, shop, "a", in: scene)
        _ = try await make(.macStore, other, "c", in: scene)
        func names(_ change: (inout ProfileQuery) -> Void) async throws -> [String] {
            var query = ProfileQuery()
            change(&query)
            return try await scene.profiles.profiles(query, PageRequest(limit: 50), by: scene.admin)
                .items.map(\.name)
        }
        #expect(try await names { _ in } == ["a", "b", "c"])
        #expect(try await names { $0.order = ListOrder(.id) } == ["b", "a", "c"])
        #expect(
            try await names { $0.order = ListOrder(.profileType, isDescending: true) }
                == ["c", "b", "a"])
        #expect(try await names { $0.types = [.iOSStore, .macStore] } == ["b", "c"])
        #expect(try await names { $0.names = ["c", "none"] } == ["c"])
        #expect(try await names { $0.bundleIdentifier = shop.id } == ["a", "b"])
    }
}
