import Foundation
import StoreCore
import StoreModel
import Testing

@Suite(.usesDrivers) struct ProfileContractTests {
    private static let address = "https://store.example"

    private func make(
        _ type: ProfileType, _ identifier: BundleIdentifier, _ name: String = "Profile",
        in fixture: ConnectFixture, by actor: ConnectActor? = nil
    ) async throws -> Profile {
        try await fixture.profiles.create(
            ProfileDraft(name: name, type: type, bundleIdentifier: identifier.id), uuid: UUID(),
            address: Self.address, by: actor ?? fixture.admin)
    }

    @Test(arguments: StoreDriver.one, ProfileType.allCases)
    func `the type of a profile says what an app talks to`(
        driver: StoreDriver, type: ProfileType
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let identifier = try await fixture.register("com.example.shop")
        let profile = try await make(type, identifier, in: fixture)
        let environment: StoreEnvironment =
            type.rawValue.hasSuffix("_DEVELOPMENT") || type.rawValue.hasSuffix("_ADHOC")
            ? .sandbox : .production
        #expect(
            profile.content
                == "\(ProfileContent(name: "Profile", applicationIdentifier: identifier.identifier, environment: environment, address: Self.address, allowsInAppPurchase: true, generation: 1, created: fixture.clock.now(), expires: fixture.clock.now().addingTimeInterval(365 * 86_400)))"
        )
        #expect(profile.flaw(at: fixture.clock.now()) == nil)
        #expect(try await fixture.profiles.profile(profile.id, by: fixture.admin) == profile)
    }

    @Test(arguments: StoreDriver.one)
    func `no profile leads to an address that only its maker has said`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let identifier = try await fixture.register("com.example.shop")
        try await expectRefusal("addressUnknown", in: fixture) {
            _ = try await fixture.profiles.create(
                ProfileDraft(
                    name: "Profile", type: .iOSDevelopment, bundleIdentifier: identifier.id),
                uuid: UUID(), address: nil, by: fixture.admin)
        }
    }

    @Test(arguments: StoreDriver.one, ProfileType.allCases)
    func `a wildcard has development profiles only`(
        driver: StoreDriver, type: ProfileType
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let wildcard = try await fixture.register("com.example.*")
        if type.isDevelopment {
            let profile = try await make(type, wildcard, in: fixture)
            #expect(profile.content.contains("allowsInAppPurchase: false"))
        } else {
            try await expectRefusal("profileExplicit", in: fixture) {
                _ = try await make(type, wildcard, in: fixture)
            }
        }
        let service = try await fixture.register("com.example.web", .services)
        try await expectRefusal("profileServices", in: fixture) {
            _ = try await make(type, service, in: fixture)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `developers make development profiles, managers all`(driver: StoreDriver) async throws {
        let fixture = try await ConnectFixture(driver)
        let identifier = try await fixture.register("com.example.shop")
        let developer = fixture.member(.developer)
        let own = try await make(.macDevelopment, identifier, "Own", in: fixture, by: developer)
        try await expectRefusal("role", in: fixture) {
            _ = try await make(.macStore, identifier, "Store", in: fixture, by: developer)
        }
        let store = try await make(
            .macStore, identifier, "Store", in: fixture, by: fixture.member(.appManager))
        for step: @Sendable () async throws -> Void in [
            { try await fixture.profiles.delete(store.id, by: developer) },
            {
                _ = try await fixture.profiles.renew(
                    store.id, uuid: UUID(), address: Self.address, by: developer)
            },
            { _ = try await fixture.profiles.delete(own.id, by: fixture.member(.marketing)) },
        ] {
            try await expectRefusal("role", in: fixture) { try await step() }
        }
        for id in [own.id, store.id] {
            try await expectRefusal("notFound", in: fixture) {
                try await fixture.profiles.delete(id, by: fixture.stranger)
            }
            try await expectRefusal("notFound", in: fixture) {
                _ = try await fixture.profiles.profile(id, by: fixture.stranger)
            }
        }
        try await expectRefusal("notFound", in: fixture) {
            _ = try await make(.macStore, identifier, "Theirs", in: fixture, by: fixture.stranger)
        }
        try await fixture.profiles.delete(own.id, by: developer)
        try await expectRefusal("notFound", in: fixture) {
            _ = try await fixture.profiles.profile(own.id, by: developer)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a profile is out of date when its identifier changes, until it is made anew`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ConnectFixture(driver)
        let identifier = try await fixture.register("com.example.shop")
        let profile = try await make(.iOSStore, identifier, in: fixture)
        try await expectRefusal("profileNameTaken", in: fixture) {
            _ = try await make(.iOSDevelopment, identifier, in: fixture)
        }
        _ = try await fixture.identifiers.remove(
            .inAppPurchase, of: identifier.id, by: fixture.admin)
        let stale = try await fixture.profiles.profile(profile.id, by: fixture.admin)
        #expect(stale.flaw(at: fixture.clock.now()) == .identifierChanged)
        func inForce(_ wanted: Bool) async throws -> [ProfileID] {
            var query = ProfileQuery()
            query.isInForce = wanted
            return try await fixture.profiles.profiles(
                query, PageRequest(limit: 50), by: fixture.admin
            )
            .items.map(\.id)
        }
        #expect(try await inForce(true) == [])
        #expect(try await inForce(false) == [profile.id])
        let renewed = try await fixture.profiles.renew(
            profile.id, uuid: UUID(), address: Self.address, by: fixture.admin)
        #expect(renewed.id == profile.id && renewed.uuid != profile.uuid)
        #expect(renewed.flaw(at: fixture.clock.now()) == nil)
        #expect(renewed.content.contains("allowsInAppPurchase: false"))
        #expect(try await inForce(true) == [profile.id])
        fixture.clock.advance(by: 365 * 86_400)
        let late = try await fixture.profiles.profile(profile.id, by: fixture.admin)
        #expect(late.flaw(at: fixture.clock.now()) == .expired)
        #expect(try await inForce(true) == [])
        // Nothing in force is left to keep the identifier.
        try await fixture.identifiers.delete(identifier.id, by: fixture.admin)
        try await expectRefusal("profileIdentifierDeleted", in: fixture) {
            _ = try await fixture.profiles.renew(
                profile.id, uuid: UUID(), address: Self.address, by: fixture.admin)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `profiles are found by name, type and identifier`(driver: StoreDriver) async throws {
        let fixture = try await ConnectFixture(driver)
        let shop = try await fixture.register("com.example.shop")
        let other = try await fixture.register("com.example.other")
        _ = try await make(.iOSStore, shop, "b", in: fixture)
        _ = try await make(.iOSDevelopment, shop, "a", in: fixture)
        _ = try await make(.macStore, other, "c", in: fixture)
        func names(_ change: (inout ProfileQuery) -> Void) async throws -> [String] {
            var query = ProfileQuery()
            change(&query)
            return try await fixture.profiles.profiles(
                query, PageRequest(limit: 50), by: fixture.admin
            )
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
