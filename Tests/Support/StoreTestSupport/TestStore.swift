import Foundation
import StoreCore
import StoreHTTP
import StoreKernel
import StoreModel
import StoreServer
import Synchronization

/// A real store over a folder of its own, with the sample shop, an American and a Japanese tester.
package final class TestStore: Sendable {
    package static let password = "correct-horse"
    package static let american = "ada@example.com"
    package static let japanese = "haruki@example.com"

    package let folder: TemporaryFolder
    package let store: Store
    private let listening = Mutex<StoreServer?>(nil)

    /// What is in a shop before its first test step; shops that have the same are copies of one.
    private struct Contents: Hashable {
        let hasContent: Bool
        let isApproved: Bool
        let noiseBytes: Int
        /// When its clock begins; `nil` for the machine's.
        let start: Date?
    }

    private static let prepared = OnceEach<Contents, TemporaryFolder>()

    /// - Parameters:
    ///   - hasContent: whether the chapter has hosted content.
    ///   - isApproved: whether production sells the products.
    ///   - hasOwnKeys: whether no other test store signs with the same keys.
    ///   - passwords: the threads that hash passwords.
    ///   - notificationTargets: where publishers may have notifications sent to.
    package init(
        hasContent: Bool = true, isApproved: Bool = false,
        clock: any StoreClock = SystemClock(), noiseBytes: Int = 300_000,
        hasOwnKeys: Bool = false, passwords: BlockingPool = .passwordsOfTests,
        notificationTargets: NotificationTargets = .internet
    ) async throws {
        folder = try TemporaryFolder()
        let contents = Contents(
            hasContent: hasContent, isApproved: isApproved, noiseBytes: noiseBytes,
            start: clock is SystemClock ? nil : clock.now())
        let prepared = try await Self.prepared.value(for: contents) {
            try await Self.prepare(contents)
        }
        try FileManager.default.copyItem(
            at: prepared.file("store"), to: folder.file("store"))
        if hasOwnKeys { try FileManager.default.removeItem(at: folder.file("store/keys")) }
        store = try Store(
            directory: folder.file("store"), clock: clock,
            vault: OpenSSLVault(logN: 10, threads: passwords), log: .silent,
            notificationTargets: notificationTargets)
    }

    /// Makes the shop that others are copies of.
    private static func prepare(_ contents: Contents) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let clock: any StoreClock = contents.start.map { SettableClock($0) } ?? SystemClock()
        try PreparedDatabase.install(into: folder.file("store"))
        try await PreparedKeys.install(into: folder.file("store"), clock: clock)
        let store = try Store(
            directory: folder.file("store"), clock: clock, vault: OpenSSLVault.forTests,
            log: .silent)
        defer { store.close() }
        _ = try await store.importCatalog(
            configuration: SampleShop.configuration,
            content: contents.hasContent
                ? try SampleShop.writeContent(into: folder, noiseBytes: contents.noiseBytes) : nil,
            bundleID: SampleShop.bundleID, appName: "Sample shop",
            isApproved: contents.isApproved)
        for (email, storefront) in [(american, "USA"), (japanese, "JPN")] {
            for environment in StoreEnvironment.allCases {
                _ = try await store.services.accounts.create(
                    email: email, password: password,
                    storefront: Storefront.named(storefront)!, environment: environment)
            }
        }
        return folder
    }

    /// Listens on a free loopback port from the first look at it on: most tests ask the routes
    /// without one.
    package var server: StoreServer {
        listening.withLock { server in
            if let server { return server }
            var settings = ServingSettings()
            // Tests that share a machine are slow clients at times.
            settings.timeouts = RequestTimeouts(header: .seconds(3600), grace: .seconds(3600))
            do {
                let new = try StoreServer(store: store, logsRequests: false, settings: settings)
                server = new
                return new
            } catch {
                preconditionFailure("no server can listen on this machine: \(error)")
            }
        }
    }

    deinit {
        // Stopping waits for requests whose tasks may need this very thread.
        let server = listening.withLock { $0 }
        Thread.detachNewThread { [server, store, folder] in
            if let server {
                server.stop()
            } else {
                store.services.events.stop()
                store.services.promptWaiters.end()
                store.close()
            }
            _ = folder
        }
    }

    /// A profile of the sample shop's app for this store.
    package func profile(
        environment: StoreEnvironment = .sandbox,
        applicationIdentifier: ApplicationIdentifier? = nil, generation: Int? = nil,
        days: Int = 365, address: String? = nil
    ) async throws -> String {
        try await store.makeProfile(
            bundleID: SampleShop.bundleID, applicationIdentifier: applicationIdentifier,
            environment: environment, address: address ?? server.address, generation: generation,
            days: days)
    }

    /// Changes how the American tester buys.
    package func change(
        _ change: @escaping @Sendable (inout AccountSettings) -> Void
    ) async throws {
        let account = try await store.services.accounts.account(
            email: Self.american, environment: .sandbox)
        _ = try await store.services.accounts.change(account.id, change)
    }

    /// Sells a product of the sample shop in the United States at another price.
    package func setPrice(_ thousandths: Int64, of product: String) async throws {
        try await store.database.write { repositories in
            let app = try repositories.catalog.app(SampleShop.bundleID)!
            var changed = try repositories.catalog.product(ProductID(product)!, in: app.id)!.details
            changed.prices = ["USA": thousandths]
            try repositories.catalog.save(changed, in: app.id)
        }
    }

    /// What the ledger holds for an account, in order.
    package func ledger(
        of email: String = TestStore.american, in environment: StoreEnvironment = .sandbox
    ) async throws -> [LedgerEntry] {
        try await store.database.read { repositories in
            let account = try repositories.accounts.account(email: email, in: environment)!
            let app = try repositories.catalog.app(SampleShop.bundleID)!
            return try repositories.ledger.entries(account: account.id, app: app.id)
        }
    }
}
