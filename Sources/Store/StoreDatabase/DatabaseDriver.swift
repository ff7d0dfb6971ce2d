import Foundation

/// A database of one kind: transactions over its connections, and what is known of its changes.
///
/// Of the tables it knows what its `DatabaseSchema` says.
package protocol DatabaseDriver: Sendable {
    /// Reads a consistent snapshot.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result

    /// As `read`, at once and on the caller's own thread: for a few rows by their keys.
    ///
    /// - Returns: nil if the answer would have to come from another machine.
    func lookUp<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result?

    /// Runs one transaction. When it returns, what was written is on disk; when it throws, nothing
    /// was written. Where transactions collide, one of them runs again from its beginning.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Result
    ) async throws -> Result

    /// The schema's counters, in its order.
    ///
    /// What this driver has written is in them when `write` returns. SQLite has what others have
    /// written with the next question. PostgreSQL tells of it by a message, some milliseconds after
    /// the commit; where the message is lost, it is found ten seconds later at most.
    func counters() async throws -> [Int64]

    /// The counters, if the driver knows them without asking a server; nil otherwise.
    func knownCounters() -> [Int64]?

    /// A number that changes with every commit of any process.
    func changes() throws -> Int64

    /// Calls something after each announced transaction: of this process, and where there is a
    /// server those of others.
    func whenAnnounced(_ ring: @escaping @Sendable () -> Void)

    /// The time by the clock of the database's server. SQLite has no server, and gives nil.
    func serverTime() async throws -> Date?

    /// Seconds that the clock of the database's server is ahead of this machine's; 0 for less than a
    /// second, and where there is no server.
    func clockLead() async throws -> TimeInterval

    /// The names of transactions, of all processes, that have written to a table and have not
    /// committed it. None where there is one writer at a time: the call waits for those before it.
    func writers(to table: String) async throws -> Set<String>

    /// Commits what is waiting, lets what reads come to its end, and closes. Reading and writing throw
    /// `SQLError` with the code `closed` afterwards.
    func close()
}

/// A transaction that writes. Belongs to one thread.
package final class WriteTransaction {
    package let connection: any SQLConnection
    /// When somebody wanted it.
    package let asked: ContinuousClock.Instant
    /// Seconds that the clock of the database's server is ahead of this machine's.
    package let lead: TimeInterval
    /// The clock by which `asked` goes.
    package let uptime: @Sendable () -> ContinuousClock.Instant
    /// Whether `DatabaseDriver.whenAnnounced` rings after its commit.
    package var isAnnounced = false

    package init(
        on connection: any SQLConnection, asked: ContinuousClock.Instant, lead: TimeInterval = 0,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        (self.connection, self.asked, self.lead) = (connection, asked, lead)
        self.uptime = uptime
    }
}
