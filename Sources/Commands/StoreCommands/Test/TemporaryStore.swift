import Foundation
import StoreKit
import StoreModel
import StoreServer

/// A store for one command: with the products of a file, and a tester who is signed in.
final class TemporaryStore: Sendable {
    static let email = EphemeralStore.email

    private let ephemeral: EphemeralStore

    /// Starts a store on a free port of this machine, over a new folder.
    init() throws {
        ephemeral = try EphemeralStore(in: FileManager.default.temporaryDirectory)
        ephemeral.store.renewCertificates(answeringAt: ephemeral.address)
    }

    var address: String { ephemeral.address }

    /// Ends the store, and takes everything away that it has left.
    func remove() { ephemeral.remove() }

    /// Does what a running store does beside answering, until the task is cancelled.
    func work() async { await ephemeral.work() }

    /// Imports the products, and signs the tester in on a device that is as new as the store.
    ///
    /// - Returns: what the command gets beside its environment, and what the import says.
    func prepare(
        configuration: Data, content: URL?, bundleID: BundleID?, storefront: StoreModel.Storefront,
        isOneDevice: Bool
    ) async throws -> (variables: [String: String], report: CatalogImportReport) {
        let shop = try await ephemeral.open(
            configuration: configuration, content: content, bundleID: bundleID,
            storefront: storefront)
        // With it, commands of openstore that the command calls work on this store.
        _ = try await ephemeral.store.makeFirstAPIKey()
        let folder = ephemeral.folder
        let profile = folder.appendingPathComponent("test.storeprofile")
        try Data(shop.profile.utf8).write(to: profile)
        var variables = [
            "OPENSTORE_PROFILE": profile.path, "OPENSTORE_URL": ephemeral.address,
            "OPENSTORE_DATA": ephemeral.store.directory.path,
            // For a test that signs out.
            "OPENSTORE_TESTER": "\(Self.email):\(shop.password)",
            // Nothing goes on when the store has ended.
            "OPENSTORE_DOWNLOADS": "inside",
            // The session, and no session of openstore login.
            "XDG_CONFIG_HOME": folder.appendingPathComponent("config").path,
        ]
        if isOneDevice {
            variables["XDG_STATE_HOME"] = folder.appendingPathComponent("state").path
            variables["XDG_CACHE_HOME"] = folder.appendingPathComponent("cache").path
        } else {
            variables["OPENSTORE_DEVICES"] = folder.appendingPathComponent("devices").path
        }
        let device = try StoreDevice(
            profile: DeviceProfile(text: shop.profile, source: profile.path),
            environment: variables)
        try await device.signIn(email: Self.email, password: shop.password)
        return (variables, shop.report)
    }
}
