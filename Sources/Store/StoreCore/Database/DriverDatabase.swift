import Foundation
import StoreDatabase
import StoreKernel
import StoreModel

/// The shop's database on one of the drivers.
package final class DriverDatabase<Driver: DatabaseDriver>: ShopDatabase {
    private let driver: Driver
    private let sandbox: @Sendable () -> SandboxRules
    private let wakes = Listener<Set<AccountID>>()

    private init(driver: Driver, sandbox: @escaping @Sendable () -> SandboxRules) {
        (self.driver, self.sandbox) = (driver, sandbox)
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        try await driver.read { [sandbox] connection in
            try body(StoreRepositories(connection: connection, sandbox: sandbox()))
        }
    }

    package func lookUp<Result>(_ body: (StoreRepositories) throws -> Result) throws -> Result? {
        try driver.lookUp { connection in
            try body(StoreRepositories(connection: connection, sandbox: sandbox()))
        }
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        let (result, woken) = try await driver.write { [sandbox] transaction in
            let repositories = StoreRepositories(in: transaction, sandbox: sandbox())
            let result = try body(repositories)
            try repositories.finish()
            return (result, repositories.woken.accounts)
        }
        if !woken.isEmpty { wakes.tell(woken) }
        return result
    }

    package func catalogGeneration() async throws -> Int64 {
        try await driver.counters()[ChangeCounter.catalog.rawValue]
    }

    package func knownCatalogGeneration() -> Int64? {
        driver.knownCounters()?[ChangeCounter.catalog.rawValue]
    }

    package func storefrontGeneration() async throws -> Int64 {
        try await driver.counters()[ChangeCounter.storefront.rawValue]
    }

    package func knownStorefrontGeneration() -> Int64? {
        driver.knownCounters()?[ChangeCounter.storefront.rawValue]
    }

    package func changes() throws -> Int64 { try driver.changes() }

    package func lastEvent() async throws -> DeviceEventID {
        DeviceEventID(number: try await driver.counters()[ChangeCounter.event.rawValue])
    }

    package func whenDevicesHaveNews(_ wake: @escaping @Sendable (Set<AccountID>) -> Void) {
        wakes.set(wake)
    }

    package func whenNotified(_ ring: @escaping @Sendable () -> Void) {
        driver.whenAnnounced(ring)
    }

    package func serverTime() async throws -> Date? { try await driver.serverTime() }

    package func clockLead() async throws -> TimeInterval { try await driver.clockLead() }

    package func notificationWriters() async throws -> Set<String> {
        try await driver.writers(to: "notification")
    }

    package func close() { driver.close() }
}

/// The embedded database.
package typealias SQLiteDatabase = DriverDatabase<SQLiteDriver>

extension DriverDatabase<SQLiteDriver> {
    /// Opens the database of a store, creates it where there is none, and brings its schema up to
    /// date.
    ///
    /// - Parameters:
    ///   - uptime: measures how long transactions wait.
    ///   - sandbox: the rules of the sandbox, asked at the beginning of each unit of work.
    /// - Throws: `SQLError`, with the code `corrupt` for a file that is no store's.
    package convenience init(
        path: String, uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sandbox: @escaping @Sendable () -> SandboxRules = { .standard }
    ) throws {
        self.init(
            driver: try SQLiteDriver(path: path, schema: .store, uptime: uptime), sandbox: sandbox)
    }

    package var writeMetrics: WriteMetrics { driver.writeMetrics }
}

/// A database of a PostgreSQL server.
package typealias PostgresDatabase = DriverDatabase<PostgresDriver>

extension DriverDatabase<PostgresDriver> {
    package typealias Limits = PostgresDriver.Limits

    /// Opens the database of a store, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - sender: what the program is called among those on this database, without blanks.
    ///   - uptime: measures how long transactions wait.
    ///   - pause: lets some time go by before a transaction runs again, on its thread.
    /// - Throws: `SQLError`; with the code `corrupt` for a database that is no store's, and with
    ///   `unreachable` if no server answers, or the server refuses the connection.
    package convenience init(
        _ address: PostgresAddress, limits: Limits = Limits(),
        sender: String = UUID().uuidString,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        pause: @escaping @Sendable (_ attempt: Int) -> Void = PostgresDriver.wait
    ) throws {
        self.init(
            driver: try PostgresDriver(
                address, schema: .store, limits: limits, sender: sender, uptime: uptime,
                pause: pause),
            sandbox: { .standard })
    }
}
