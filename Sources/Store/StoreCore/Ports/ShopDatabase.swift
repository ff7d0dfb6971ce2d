import Foundation
import StoreModel

/// Where the store keeps its rows.
package protocol ShopDatabase: Sendable {
    /// Reads a consistent picture.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result

    /// As `read`, at once and on the caller's own thread: for a few rows by their keys.
    ///
    /// - Returns: nil where another machine would have to be waited for.
    func lookUp<Result>(_ body: (StoreRepositories) throws -> Result) throws -> Result?

    /// Runs one transaction. When it returns, what was written is on disk; when it
    /// throws, nothing was written.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result

    /// A number that grows with every change to the catalog, whoever made it. Cheap
    /// enough to ask with each request.
    ///
    /// What this object has written is in it when `write` returns. SQLite has what others have
    /// written with the next question. PostgreSQL tells of it by a message, some milliseconds
    /// after the commit; where the message is lost, it is found ten seconds later at most. The
    /// same holds for all the numbers below.
    func catalogGeneration() async throws -> Int64

    /// The catalog's generation, where nobody has to be waited for to tell it.
    func knownCatalogGeneration() -> Int64?

    /// A number that grows with every change to what customers see on the storefront's pages,
    /// whoever made it. Cheap enough to ask with each request.
    func storefrontGeneration() async throws -> Int64

    /// The storefront's generation, where nobody has to be waited for to tell it.
    func knownStorefrontGeneration() -> Int64?

    /// A number that is another one after every commit, whoever made it. Cheap enough to ask with
    /// each request.
    func changes() throws -> Int64

    /// The number of the last device event, whoever added it. Cheap enough to ask every
    /// second.
    func lastEvent() async throws -> DeviceEventID

    /// Calls something after each transaction of this process that left a notification to be sent.
    func whenNotified(_ ring: @escaping @Sendable () -> Void)

    /// What the clock of the database's server shows; nil where there is no server.
    func serverTime() async throws -> Date?

    /// Seconds that the clock of the database's server is ahead of this machine's; 0 for less than a
    /// second, and where there is no server.
    func clockLead() async throws -> TimeInterval

    /// The names of transactions, of all processes, that have written a notification and have not
    /// committed it.
    func notificationWriters() async throws -> Set<String>
}

extension ShopDatabase {
    /// A database that can't tell is looked into from time to time.
    package func whenNotified(_ ring: @escaping @Sendable () -> Void) {}

    /// A database in this machine has this machine's clock.
    package func serverTime() async throws -> Date? { nil }

    package func clockLead() async throws -> TimeInterval { 0 }

    /// A database with one writer at a time: this one comes after all that were there before.
    package func notificationWriters() async throws -> Set<String> {
        try await write { _ in }
        return []
    }
}
