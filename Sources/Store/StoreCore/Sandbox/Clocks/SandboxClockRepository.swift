import Foundation
import StoreModel

/// Clocks of the sandbox, and who follows them.
package struct SandboxClockRepository {
    let connection: any SQLConnection

    package func clock(_ id: Int64) throws -> SandboxClock? {
        try connection.find(SandboxClock.self, id)
    }

    /// The clocks of a team, or of all teams, the first made first.
    package func clocks(of team: Int64?, _ page: PageRequest) throws -> ListPage<SandboxClock> {
        let ofTeam: SQL? = team.map { "WHERE team = \($0)" }
        return try connection.page(SandboxClock.self, "\(ofTeam)", by: "id", page)
    }

    func count(of team: Int64) throws -> Int {
        try connection.value(
            Int.self, "SELECT count(*) FROM sandbox_clock WHERE team = \(team)") ?? 0
    }

    func insert(_ clock: SandboxClock) throws -> SandboxClock { try connection.inserted(clock) }

    func update(_ clock: SandboxClock) throws { try connection.update(clock) }

    /// Deletes a clock; nobody follows it any more.
    func delete(_ clock: SandboxClock) throws {
        try connection.run("DELETE FROM sandbox_clock_follower WHERE clock = \(clock.id)")
        try connection.delete(SandboxClock.self, clock.id)
    }

    /// What the clock shows that is farthest ahead, of the team that has an app.
    func latest(forAppOf app: AppID) throws -> Date? {
        try connection.value(
            Date?.self,
            """
            SELECT max(date) FROM sandbox_clock
            WHERE team = (SELECT team FROM app WHERE id = \(app))
            """) ?? nil
    }

    // MARK: Followers

    /// The clock that an account follows in an app; nil for the store's.
    ///
    /// - Parameter app: nil for what the account does in no app.
    package func clock(of account: AccountID, in app: AppID?) throws -> SandboxClock? {
        try connection.records(
            SandboxClock.self,
            """
            SELECT c.id, c.team, c.name, c.date, c.created
            FROM sandbox_clock_follower f JOIN sandbox_clock c ON c.id = f.clock
            WHERE f.account = \(account) OR f.app = \(app)
            ORDER BY f.account IS NULL LIMIT 1
            """
        ).first
    }

    func follow(_ clock: SandboxClock, _ follower: SandboxClockFollower) throws {
        let account: AccountID? = if case .tester(let id) = follower { id } else { nil }
        let app: AppID? = if case .app(let id) = follower { id } else { nil }
        try connection.run(
            """
            INSERT INTO sandbox_clock_follower (clock, account, app)
            VALUES (\(clock.id), \(account), \(app))
            """)
    }

    /// Whether somebody follows a clock by themselves.
    func isFollowing(_ follower: SandboxClockFollower) throws -> Bool {
        switch follower {
        case .tester(let id):
            try connection.exists("FROM sandbox_clock_follower WHERE account = \(id)")
        case .app(let id): try connection.exists("FROM sandbox_clock_follower WHERE app = \(id)")
        }
    }

    package func testers(of clock: SandboxClock) throws -> [AccountID] {
        try connection.values(
            AccountID.self,
            """
            SELECT account FROM sandbox_clock_follower
            WHERE clock = \(clock.id) AND account IS NOT NULL ORDER BY account
            """)
    }

    package func apps(of clock: SandboxClock) throws -> [AppID] {
        try connection.values(
            AppID.self,
            """
            SELECT app FROM sandbox_clock_follower
            WHERE clock = \(clock.id) AND app IS NOT NULL ORDER BY app
            """)
    }

    /// Accounts that have bought something at the time of a clock.
    func buyers(at clock: SandboxClock) throws -> [AccountID] {
        try connection.values(
            AccountID.self,
            """
            SELECT DISTINCT l.account FROM ledger l JOIN sandbox_clock_follower f
                ON f.clock = \(clock.id) AND (f.account = l.account OR f.app = l.app)
            WHERE l.environment = 'Sandbox' AND l.date >= \(clock.created)
                AND l.id > (
                    SELECT coalesce(max(h.last), 0) FROM history_clearing h
                    WHERE h.account = l.account)
            ORDER BY l.account
            """)
    }

    // MARK: What is due

    /// The subscription of a clock's followers that is due first.
    func nextDue(of clock: SandboxClock) throws -> (original: TransactionID, date: Date)? {
        try connection.rows(
            """
            SELECT s.original, s.due FROM subscription s
            WHERE s.environment = 'Sandbox' AND s.due IS NOT NULL AND s.set_aside IS NULL
                AND \(clock.id) = (
                    SELECT f.clock FROM sandbox_clock_follower f
                    WHERE f.account = s.account OR f.app = s.app
                    ORDER BY f.account IS NULL LIMIT 1)
            ORDER BY s.due, s.original LIMIT 1
            """
        ) { (TransactionID(number: $0.integer(0)), $0.date(1)) }.first
    }

    /// Notifications about a clock's followers, since it was made, that have not arrived. The sandbox
    /// sends each once.
    ///
    /// - Parameter after: only those behind this one.
    func undelivered(
        of clock: SandboxClock, after last: NotificationID
    ) throws -> [StoreNotification] {
        try connection.rows(
            """
            SELECT n.* FROM notification n
            WHERE n.id > \(last.number) AND n.state <> 'delivered' AND n.environment = 'Sandbox'
                AND n.date >= \(clock.created) AND EXISTS (
                    SELECT 1 FROM sandbox_clock_follower f
                    WHERE f.clock = \(clock.id) AND (f.account = n.account OR f.app = n.app))
            ORDER BY n.id LIMIT \(Self.shownNotifications)
            """, NotificationRow.read)
    }

    func lastNotification() throws -> NotificationID {
        let last = try connection.value(Int64?.self, "SELECT max(id) FROM notification")
        return NotificationID(number: (last ?? nil) ?? 0)
    }

    private static let shownNotifications = 100
}
