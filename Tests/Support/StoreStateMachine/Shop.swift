import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreKit
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire

/// The real store behind its router, without sockets. It serves many runs, each with
/// accounts of its own.
final class Shop: @unchecked Sendable {
    // Sendable: touched by the one thread that runs jobs.
    static let password = "correct-horse"

    let pool: JobPool
    let clock = SettableClock()
    let timers: Timers
    private(set) var services: APIServices
    let profile: DeviceProfile
    let app: AppID
    private(set) var router: Router
    private var database: TurnDatabase
    private var store: Store
    private let folder: URL
    private var count = 0
    private var hasHigherPrice = false

    /// - Parameter folder: where the store lies; made, and removed by `close`.
    init(folder: URL, pool: JobPool) throws {
        self.pool = pool
        self.folder = folder
        let timers = Timers(pool: pool)
        self.timers = timers
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try PreparedDatabase.install(into: folder)
        let (database, store) = try Self.open(folder, clock, timers, pool)
        let services = store.services
        (app, profile) = try pool.complete {
            let report = try await store.importCatalog(
                configuration: SampleShop.configuration, bundleID: SampleShop.bundleID)
            let text = try await store.makeProfile(
                bundleID: SampleShop.bundleID, environment: .sandbox,
                address: "http://store.test", days: 36_500)
            return (report.app.id, try DeviceProfile(text: text, source: "the machine's"))
        }
        router = try StoreRoutes(services: services).router()
        self.database = database
        self.store = store
        self.services = services
    }

    private static func open(
        _ folder: URL, _ clock: SettableClock, _ timers: Timers, _ pool: JobPool
    ) throws -> (TurnDatabase, Store) {
        let database = TurnDatabase(
            try SQLiteDatabase(path: file(in: folder).path, uptime: clock.uptime), pool: pool)
        let store = try Store(
            directory: folder, database: database, clock: clock,
            vault: OpenSSLVault(logN: 10, threads: nil),
            log: .silent, signingPool: .withoutThreads,
            sleep: { _ in try await timers.wait(.retry) })
        return (database, store)
    }

    private static func file(in folder: URL) -> URL {
        folder.appendingPathComponent("store.sqlite")
    }

    func close() {
        database.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// What a restart forgets: known profiles, sessions and catalogs.
    func restart() throws {
        router = try StoreRoutes(services: services).router()
    }

    /// Keeps what there is; the store goes on.
    func backUp() throws -> Backup {
        let file = folder.appendingPathComponent("backup-\(nextNumber())")
        try DatabaseSnapshot.take(of: .sqlite(path: Self.file(in: folder).path), into: file.path) {
            _, _ in
        }
        return Backup(file: file, date: clock.now(), hasHigherPrice: hasHigherPrice)
    }

    /// The requests that run come to their end, and nothing else happens until `restore`.
    func stop() {
        services.events.stop()
        pool.drain()
        timers.forget(.store)
    }

    /// The backup takes the place of what there is, and another process begins.
    func restore(_ backup: Backup) throws {
        database.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: Self.file(in: folder).path + suffix)
        }
        try FileManager.default.copyItem(at: backup.file, to: Self.file(in: folder))
        clock.advance(by: 10)
        try NumberAdvance(since: backup.date, now: clock.now())
            .run(on: .sqlite(path: Self.file(in: folder).path))
        (database, store) = try Self.open(folder, clock, timers, pool)
        services = store.services
        hasHigherPrice = backup.hasHigherPrice
        try restart()
    }

    /// A number that was not given before.
    func nextNumber() -> Int {
        count += 1
        return count
    }

    /// Undoes what a run has changed for all.
    func reset() throws {
        try changePrice(back: true)
        try restart()
    }

    // MARK: What happens in the store

    func makeAccount() throws -> Account {
        let email = "customer\(nextNumber())@example.com"
        return try pool.complete { [services] in
            try await services.accounts.create(
                email: email, password: Self.password, storefront: Storefront.named("USA")!,
                environment: .sandbox)
        }
    }

    /// Signs in, as an app of another developer on the device would.
    func session(of account: Account) throws -> SessionAnswer {
        let session = try pool.complete { [services] in
            try await services.accounts.signIn(
                email: account.email, password: Self.password, environment: .sandbox)
        }
        return SessionAnswer(
            token: session.token, email: account.email, storefront: account.storefront.code,
            storefrontId: account.storefront.identifier, expiresDate: session.end.milliseconds)
    }

    /// Purchases of some accounts that somebody can decide on.
    func waiting(for accounts: [Account]) throws -> [PendingPurchase] {
        let ids = Set(accounts.map(\.id))
        return try pool.complete { [services] in
            try await services.pending.waiting().filter { ids.contains($0.order.account) }
        }
    }

    func decide(_ id: PendingPurchaseID, isYes: Bool) throws {
        try pool.complete { [services] in
            if isYes {
                try await services.pending.approve(id)
            } else {
                try await services.pending.decline(id)
            }
        }
    }

    func change(
        _ account: Account, _ change: @escaping @Sendable (inout AccountSettings) -> Void
    ) throws {
        _ = try pool.complete { [services] in
            try await services.accounts.change(account.id, change)
        }
    }

    /// Adds a code that each account can redeem.
    func add(code: String, for product: String) throws {
        let offer = OfferCode(
            code: code, app: app, productID: ProductID(product)!, uses: 2,
            end: clock.now().addingTimeInterval(365 * 86_400))
        try pool.complete { [services] in try await services.offers.add([offer]) }
    }

    func ledger(of account: Account) throws -> [LedgerRow] {
        try pool.complete { [database, app] in
            try await database.read { repositories in
                let revoked = Set(
                    try repositories.ledger.revocations(account: account.id, app: app)
                        .map(\.transaction))
                return try repositories.ledger.entries(account: account.id, app: app).map {
                    LedgerRow(
                        entry: $0, isFinished: try repositories.ledger.isFinished($0.id),
                        isRevoked: revoked.contains($0.original.id))
                }
            }
        }
    }

    /// Sells credits at another price, or at the first one again.
    func changePrice(back: Bool = false) throws {
        guard !back || hasHigherPrice else { return }
        hasHigherPrice.toggle()
        let text = String(decoding: SampleShop.configuration, as: UTF8.self)
        let old = "\"displayPrice\" : \"0.99\", \"familyShareable\" : false"
        let new = "\"displayPrice\" : \"2.99\", \"familyShareable\" : false"
        let configuration = hasHigherPrice ? text.replacingOccurrences(of: old, with: new) : text
        _ = try pool.complete { [store] in
            try await store.importCatalog(
                configuration: Data(configuration.utf8), bundleID: SampleShop.bundleID)
        }
    }
}

/// What the store had at one moment.
struct Backup {
    let file: URL
    let date: Date
    let hasHigherPrice: Bool
}

/// A fact of the ledger, and what has become of it.
struct LedgerRow: Sendable {
    let entry: LedgerEntry
    let isFinished: Bool
    let isRevoked: Bool

    var key: String { entry.details.key }
    var id: String { entry.id.description }
}
