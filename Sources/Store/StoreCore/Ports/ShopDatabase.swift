import Foundation
import StoreModel

/// Where the store keeps its rows.
package protocol ShopDatabase: Sendable {
    /// Reads a consistent snapshot.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result

    /// As `read`, at once and on the caller's own thread: for a few rows by their keys.
    ///
    /// - Returns: nil if the answer would have to come from another machine.
    func lookUp<Result>(_ body: (StoreRepositories) throws -> Result) throws -> Result?

    /// Runs one transaction. When it returns, what was written is on disk; when it
    /// throws, nothing was written.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result

    /// A number that grows with every change to the catalog, whoever made it. Cheap
    /// enough to ask with each request.
    ///
    /// `DatabaseDriver.counters` says when others' changes are in it; the same holds for the storefront's
    /// generation and the last event.
    func catalogGeneration() async throws -> Int64

    /// The catalog's generation, where nobody has to be waited for to tell it.
    func knownCatalogGeneration() -> Int64?

    /// A number that grows with every change to what customers see on the storefront's pages (items,
    /// artists, pictures, reviews), whoever made it. A sale alone does not raise it; a popularity computed
    /// anew raises it if the order of searches changes. Cheap enough to ask with each request.
    func storefrontGeneration() async throws -> Int64

    /// The storefront's generation, where nobody has to be waited for to tell it.
    func knownStorefrontGeneration() -> Int64?

    /// A number that changes with every commit of any process. Cheap enough to ask with each request.
    func changes() throws -> Int64

    /// The number of the last device event, whoever added it. Cheap enough to ask every
    /// second.
    func lastEvent() async throws -> DeviceEventID

    /// Calls something with the accounts whose devices have news, after each transaction of this process
    /// that has told them something or ended their sessions. What comes last takes the place of what was
    /// there.
    func whenDevicesHaveNews(_ wake: @escaping @Sendable (Set<AccountID>) -> Void)

    /// Calls something after each transaction that left a notification to be sent: of this process, and
    /// where there is a server those of others.
    func whenNotified(_ ring: @escaping @Sendable () -> Void)

    /// The time by the clock of the database's server. SQLite has no server, and gives nil.
    func serverTime() async throws -> Date?

    /// Seconds that the clock of the database's server is ahead of this machine's; 0 for less than a
    /// second, and where there is no server.
    func clockLead() async throws -> TimeInterval

    /// The names of transactions, of all processes, that have written a notification and have not
    /// committed it.
    func notificationWriters() async throws -> Set<String>

    /// Commits what is waiting, lets what reads come to its end, and closes. Reading and writing throw
    /// `SQLError` with the code `closed` afterwards.
    func close()
}
