import Foundation
import StoreCore
import StoreModel

/// A test double: a database that does what another one does, but for what a test changes of it.
///
/// ```swift
/// struct ReadOnlyDatabase: ForwardingDatabase {
///     let inner: any ShopDatabase
///
///     func write<Result: Sendable>(
///         _ body: @escaping @Sendable (StoreRepositories) throws -> Result
///     ) async throws -> Result { throw DiskFull() }
/// }
/// ```
package protocol ForwardingDatabase: ShopDatabase {
    /// The database that does the work.
    var inner: any ShopDatabase { get }
}

extension ForwardingDatabase {
    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        try await inner.read(body)
    }

    package func lookUp<Result>(
        _ body: (StoreRepositories) throws -> Result
    ) throws -> Result? {
        try inner.lookUp(body)
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        try await inner.write(body)
    }

    package func catalogGeneration() async throws -> Int64 { try await inner.catalogGeneration() }
    package func knownCatalogGeneration() -> Int64? { inner.knownCatalogGeneration() }
    package func storefrontGeneration() async throws -> Int64 {
        try await inner.storefrontGeneration()
    }
    package func knownStorefrontGeneration() -> Int64? { inner.knownStorefrontGeneration() }
    package func changes() throws -> Int64 { try inner.changes() }
    package func lastEvent() async throws -> DeviceEventID { try await inner.lastEvent() }
    package func whenDevicesHaveNews(_ wake: @escaping @Sendable (Set<AccountID>) -> Void) {
        inner.whenDevicesHaveNews(wake)
    }
    package func whenNotified(_ ring: @escaping @Sendable () -> Void) { inner.whenNotified(ring) }
    package func serverTime() async throws -> Date? { try await inner.serverTime() }
    package func clockLead() async throws -> TimeInterval { try await inner.clockLead() }
    package func notificationWriters() async throws -> Set<String> {
        try await inner.notificationWriters()
    }
    package func close() { inner.close() }
}
