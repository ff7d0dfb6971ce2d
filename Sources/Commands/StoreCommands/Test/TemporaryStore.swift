import Foundation
import StoreCore
import StoreKit
import StoreModel
import StoreServer

/// A store for one command: with the products of a file, a tester who is signed in, and a clock and a
/// control that tests reach over HTTP.
final class TemporaryStore: Sendable {
    static let email = EphemeralStore.email

    private let ephemeral: EphemeralStore
    private let clock: TestClock
    private let settings: CurrentTestSettings
    private let jobs: StoreJobs

    /// What the command works with.
    struct Prepared: Sendable {
        /// What it gets beside its environment.
        let variables: [String: String]
        let report: CatalogImportReport
        let description: TestDescription
        let control: TestControl
    }

    /// Starts a store on a free port of this machine, over a new folder.
    ///
    /// - Parameters:
    ///   - storefront: the tester's.
    ///   - schedule: how long periods of subscriptions last; `nil` for as long as in the sandbox.
    ///   - hostsContent: whether it is to have packages, for which memory may be too small.
    init(
        storefront: StoreModel.Storefront, schedule: RenewalSchedule?, hostsContent: Bool
    ) async throws {
        var settings = TestSettings()
        settings.storefront = storefront
        settings.schedule = schedule
        let (current, clock) = (CurrentTestSettings(settings), TestClock(Date()))
        (self.settings, self.clock) = (current, clock)
        clock.set(running: true)
        ephemeral = try EphemeralStore(
            in: hostsContent ? FileManager.default.temporaryDirectory : EphemeralStore.memory,
            clock: clock,
            // The one password is random, and ends with the store.
            vault: OpenSSLVault(logN: 10), sandbox: { current.value.rules })
        await ephemeral.store.prepareCertificates(answeringAt: ephemeral.address)
        jobs = StoreJobs(store: ephemeral.store, address: ephemeral.address)
    }

    var address: String { ephemeral.address }

    /// Ends the store, and takes everything away that it has left.
    func remove() { ephemeral.remove() }

    /// Runs the store's background jobs until `body` returns.
    func working<Value>(_ body: () async throws -> Value) async throws -> Value {
        let work = Task { [jobs] in await jobs.run() }
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        work.cancel()
        await work.value
        return try result.get()
    }

    /// Imports the products, and signs the tester in on a device that is as new as the store.
    ///
    /// - Parameter notifications: where the app's server takes notifications; `nil` for nowhere.
    func prepare(
        configuration: Data, content: URL?, bundleID: BundleID?, isOneDevice: Bool,
        notifications: String?
    ) async throws -> Prepared {
        let shop = try await ephemeral.open(
            configuration: configuration, content: content, bundleID: bundleID,
            storefront: settings.value.storefront)
        let services = ephemeral.store.services
        if let notifications {
            var change = AppChange()
            change.sandboxStatusURL = notifications
            change.sandboxStatusURLVersion = .v2
            _ = try await services.apps.update(shop.report.app.id, change, by: .machine)
        }
        // With it, commands of openstore that the command calls work on this store.
        guard let (key, file) = try await ephemeral.store.makeFirstAPIKey() else {
            throw TestRefusal(.invalidAction, "The new store has a key of the API already.")
        }
        let secret = try await services.sharedSecrets.generate(
            for: .app(shop.report.app.id), by: .machine)
        let folder = ephemeral.folder
        let profile = folder.appendingPathComponent("test.storeprofile")
        try Data(shop.profile.utf8).write(to: profile)
        let control = try TestControl(
            shop: TestShop(ephemeral, shop, clock: clock), settings: settings,
            delivery: jobs.delivery)
        let description = TestDescription(
            address: ephemeral.address, control: control.address,
            bundleId: shop.report.app.bundleID.text, appAppleId: shop.report.app.id.number,
            environment: ephemeral.store.services.environmentNames.sandbox,
            rootCertificate: try ephemeral.store.keys.root.der().base64EncodedString(),
            apiKey: TestDescription.Key(
                keyId: key.id.description, issuerId: key.issuer.description,
                privateKey: try String(contentsOf: file.url, encoding: .utf8)),
            sharedSecret: secret.text, profile: profile.path,
            tester: TestDescription.Tester(email: Self.email, password: shop.password))
        let variables = try variables(profile, isOneDevice, description)
        let device = try StoreDevice(
            profile: DeviceProfile(text: shop.profile, source: profile.path),
            environment: variables)
        try await device.signIn(email: Self.email, password: shop.password)
        return Prepared(
            variables: variables, report: shop.report, description: description, control: control)
    }

    private func variables(
        _ profile: URL, _ isOneDevice: Bool, _ description: TestDescription
    ) throws -> [String: String] {
        let folder = ephemeral.folder
        var variables = [
            "OPENSTORE_PROFILE": profile.path, "OPENSTORE_URL": ephemeral.address,
            "OPENSTORE_DATA": ephemeral.store.directory.path,
            // For a test that signs out.
            "OPENSTORE_TESTER": "\(Self.email):\(description.tester.password)",
            // Nothing goes on when the store has ended.
            "OPENSTORE_DOWNLOADS": "inside",
            // The session, and no session of openstore login.
            "XDG_CONFIG_HOME": folder.appendingPathComponent("config").path,
            "OPENSTORE_TEST": try description.json(),
        ]
        if isOneDevice {
            variables["XDG_STATE_HOME"] = folder.appendingPathComponent("state").path
            variables["XDG_CACHE_HOME"] = folder.appendingPathComponent("cache").path
        } else {
            variables["OPENSTORE_DEVICES"] = folder.appendingPathComponent("devices").path
        }
        return variables
    }
}
