import Foundation
import StoreCore
import StoreKernel
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// A store for the time of a test: over a folder of its own, on a free port of this machine, with
/// the products of a file and a tester.
///
/// ```swift
/// let store = try EphemeralStore(in: EphemeralStore.memory)
/// let shop = try await store.open(configuration: data)
/// // … until the test is over
/// store.remove()
/// ```
///
/// `openstore test` and the framework's test sessions are fronts of it. It ends with `remove()`
/// only: nothing of it is left then.
package final class EphemeralStore: Sendable {
    /// The address of the tester.
    package static let email = "tester@example.com"

    /// Holds the store's files, and whatever else ends with it.
    package let folder: URL
    package let store: Store
    private let server: StoreServer
    /// Says that a process uses the folder.
    private let lock: FolderLock
    private let offerKeys = OfferKeys()

    /// Public keys by which promotional offers are signed for: PEM by identifier.
    private final class OfferKeys: Sendable {
        private let keys = Mutex<[String: String]>([:])

        var value: [String: String] {
            get { keys.withLock { $0 } }
            set { keys.withLock { $0 = newValue } }
        }
    }

    /// What a test begins with.
    package struct Shop: Sendable {
        package let report: CatalogImportReport
        package let tester: Account
        /// The tester's.
        package let password: String
        /// The provisioning profile of the app, as its file has it.
        package let profile: String
    }

    /// Starts a store.
    ///
    /// - Parameters:
    ///   - place: where its folder is made.
    ///   - clock: what it goes by.
    ///   - vault: how it hashes passwords.
    ///   - names: how its statements name the sandbox.
    ///   - makeNonce: makes what binds a statement to a device.
    ///   - sandbox: the rules of the sandbox.
    ///   - isPrepared: whether the store gets copies of a database and of keys (all but the one for
    ///     receipts) that the process has made once for all such stores.
    /// - Throws: as `Store` and `StoreServer`; nothing is left then.
    package init(
        in place: URL, clock: any StoreClock = SystemClock(),
        vault: any CredentialVault = OpenSSLVault(), names: EnvironmentNames = .standard,
        makeNonce: @escaping @Sendable () -> UUID = { UUID() },
        sandbox: @escaping @Sendable () -> SandboxRules = { .standard }, isPrepared: Bool = false
    ) throws {
        Self.removeLeftoversOnce(in: place)
        (folder, lock) = try Self.makeFolder(in: place)
        do {
            let directory = folder.appendingPathComponent("store")
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            if isPrepared { try PreparedStoreFiles.install(into: directory, at: clock.now()) }
            store = try Store(
                directory: directory,
                database: try SQLiteDatabase(
                    path: Self.database(in: folder),
                    uptime: clock.uptime,
                    sandbox: { [offerKeys] in
                        var rules = sandbox()
                        rules.offerKeys = offerKeys.value
                        return rules
                    }),
                clock: clock, vault: vault, log: .silent, environmentNames: names,
                makeNonce: makeNonce,
                makeReceiptKey: PreparedStoreFiles.receiptKey,
                notificationTargets: .anywhere, believesClock: true)
            server = try StoreServer(store: store, logsRequests: false)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    /// Starts a thread that makes the RSA key for receipts, which all stores of the process share. The
    /// first store of a process waits longest for this key.
    package static func prepare() {
        Thread.detachNewThread { _ = try? PreparedStoreFiles.receiptKey() }
    }

    // MARK: Its folder

    /// A place in memory, which may be small, where the system has one and nobody has chosen another
    /// by TMPDIR; else that of temporary files.
    package static var memory: URL {
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let isChosen = ProcessInfo.processInfo.environment["TMPDIR"] != nil
        return !isChosen && FileManager.default.isWritableFile(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
    }

    private static let prefix = "openstore-test-"
    private static let lockName = "lock"

    /// Makes a folder that nobody takes for one that was left.
    private static func makeFolder(in place: URL) throws -> (URL, FolderLock) {
        while true {
            let folder = place.appendingPathComponent(prefix + UUID().uuidString.lowercased())
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            // Between file and lock another process may have taken it for one that was left.
            do {
                if let lock = try FolderLock.take(folder.appendingPathComponent(lockName)) {
                    return (folder, lock)
                }
            } catch  where !FileManager.default.fileExists(atPath: folder.path) {}
        }
    }

    /// Places where this process has looked for what was left.
    private static let swept = Mutex<Set<URL>>([])

    /// Removes what processes have left that were killed, the first time that this one makes a store
    /// in a place.
    private static func removeLeftoversOnce(in place: URL) {
        guard swept.withLock({ $0.insert(place).inserted }) else { return }
        removeLeftovers(in: place)
    }

    /// Removes the folders of stores whose processes have ended without removing them.
    package static func removeLeftovers(in place: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        for name in names where name.hasPrefix(scalars: prefix) {
            let folder = place.appendingPathComponent(name)
            let file = folder.appendingPathComponent(lockName)
            guard FileManager.default.fileExists(atPath: file.path),
                let lock = try? FolderLock.take(file)
            else { continue }
            withExtendedLifetime(lock) { try? FileManager.default.removeItem(at: folder) }
        }
    }

    /// Scheme, host and port.
    package var address: String { server.address }

    /// Imports products, and makes the tester and the app's profile.
    ///
    /// - Parameters:
    ///   - configuration: a `.storekit` file.
    ///   - content: holds a folder for each product with hosted content; `nil` for none.
    ///   - bundleID: of the app; `nil` for what the product identifiers begin with in common.
    ///   - storefront: of the tester.
    /// - Throws: `StoreKitConfigurationError`, also for a key of offers that is none, or `StoreRefusal`.
    package func open(
        configuration: Data, content: URL? = nil, bundleID: BundleID? = nil,
        storefront: StoreModel.Storefront = .unitedStates
    ) async throws -> Shop {
        offerKeys.value = try Self.offerKeys(of: StoreKitConfiguration(data: configuration))
        let report = try await store.importCatalog(
            configuration: configuration, content: content, bundleID: bundleID, isForTests: true)
        let password = UUID().uuidString
        let tester = try await store.services.accounts.create(
            email: Self.email, password: password, storefront: storefront, environment: .sandbox)
        _ = try await store.services.testers.adopt(
            tester.id, for: report.app.teamID, by: .machine)
        let profile = try await store.makeProfile(
            bundleID: report.app.bundleID, environment: .sandbox, address: address,
            days: Self.profileDays)
        return Shop(report: report, tester: tester, password: password, profile: profile)
    }

    private static func offerKeys(
        of configuration: StoreKitConfiguration
    ) throws -> [String: String] {
        guard let pair = configuration.offerKey else { return [:] }
        guard let key = try? SigningKey(pem: pair.pem) else {
            throw StoreKitConfigurationError([
                "subscriptionOffersKeyPair.privateKey: is no private key of the curve P-256 (PKCS #8 in "
                    + "Base64); let Xcode make a new one, or remove subscriptionOffersKeyPair"
            ])
        }
        return [pair.identifier: try key.publicPEM()]
    }

    /// A profile is valid for longer than a test turns its clock.
    private static let profileDays = 50 * 365

    private static func database(in folder: URL) -> String {
        folder.appendingPathComponent("store/store.sqlite").path
    }

    /// What deletes transactions.
    ///
    /// - Throws: `SQLError`.
    package func transactionDeletion() throws -> TransactionDeletion {
        try TransactionDeletion(database: Self.database(in: folder))
    }

    /// Ends the store, and takes everything away that it has left.
    package func remove() {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
