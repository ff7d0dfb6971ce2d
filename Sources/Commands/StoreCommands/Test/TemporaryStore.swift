import Foundation
import StoreCore
import StoreKit
import StoreModel
import StoreServer

/// A store for one command: with the products of a file, and a tester who is signed in.
final class TemporaryStore: Sendable {
    static let email = "tester@example.com"

    private let folder: URL
    private let store: Store
    private let server: StoreServer

    /// Starts a store on a free port of this machine, over a new folder.
    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("openstore-test-\(UUID().uuidString.lowercased())")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        do {
            store = try Store(
                directory: folder.appendingPathComponent("store"), log: .silent,
                notificationTargets: .anywhere)
            server = try StoreServer(store: store, logsRequests: false)
            store.renewCertificates(answeringAt: server.address)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    var address: String { server.address }

    /// Ends the store, and takes everything away that it has left.
    func remove() {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Does what a running store does beside answering, until the task is cancelled.
    func work() async { await StoreJobs(store: store, address: server.address).run() }

    /// Imports the products, and signs the tester in on a device that is as new as the store.
    ///
    /// - Returns: what the command gets beside its environment, and what the import says.
    func prepare(
        configuration: Data, content: URL?, bundleID: BundleID?, storefront: StoreModel.Storefront,
        isOneDevice: Bool
    ) async throws -> (variables: [String: String], report: CatalogImportReport) {
        let report = try await store.importCatalog(
            configuration: configuration, content: content, bundleID: bundleID)
        let password = UUID().uuidString
        let account = try await store.services.accounts.create(
            email: Self.email, password: password, storefront: storefront, environment: .sandbox)
        _ = try await store.services.testers.adopt(
            account.id, for: report.app.teamID, by: .machine)
        // With it, commands of openstore that the command calls work on this store.
        _ = try await store.makeFirstAPIKey()
        let text = try await store.makeProfile(
            bundleID: report.app.bundleID, environment: .sandbox, address: server.address)
        let profile = folder.appendingPathComponent("test.storeprofile")
        try Data(text.utf8).write(to: profile)
        var variables = [
            "OPENSTORE_PROFILE": profile.path, "OPENSTORE_URL": server.address,
            "OPENSTORE_DATA": store.directory.path,
            // For a test that signs out.
            "OPENSTORE_TESTER": "\(Self.email):\(password)",
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
            profile: DeviceProfile(text: text, source: profile.path), environment: variables)
        try await device.signIn(email: Self.email, password: password)
        return (variables, report)
    }
}
