import Foundation
import StoreDatabase
import StoreModel

extension StoreRepositories {
    /// Clocks of the sandbox, and who follows them.
    package var sandboxClocks: Records<SandboxClock> { Records(connection) }
}

extension Records<SandboxClock> {
    /// The clocks of a team, or of all teams, the first made first.
    package func clocks(of team: Int64?, _ page: PageRequest) throws -> ListPage<SandboxClock> {
        let ofTeam: SQL? = team.map { "WHERE team = \($0)" }
        return try connection.page(SandboxClock.self, "\(ofTeam)", by: "id", page)
    }

    func count(of team: Int64) throws -> Int {
        try connection.value(
            Int.self, "SELECT count(*) FROM sandbox_clock WHERE team = \(team)") ?? 0
    }

    /// Lets an account follow no clock of its own any more.
    func release(_ account: AccountID) throws {
        try connection.run("DELETE FROM sandbox_clock_follower WHERE account = \(account)")
    }

    /// Lets the testers in an app follow no clock of the app any more.
    func release(_ app: AppID) throws {
        try connection.run("DELETE FROM sandbox_clock_follower WHERE app = \(app)")
    }

    /// Deletes a clock; nobody follows it any more.
    func deleteWithFollowers(_ clock: SandboxClock) throws {
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
    package func clock(of account: AccountID, in app: AppID) throws -> SandboxClock? {
        try connection.records(
            SandboxClock.self,
            """
            SELECT \(SandboxClock.columns, of: "c")
            FROM sandbox_time f JOIN sandbox_clock c ON c.id = f.clock
            WHERE f.account = \(account) AND f.app = \(app)
            """
        ).first
    }

    /// What the clock shows that is farthest ahead of those that a tester follows.
    func latest(of account: AccountID) throws -> Date? {
        try connection.value(
            Date?.self,
            """
            SELECT max(c.date) FROM sandbox_time f JOIN sandbox_clock c ON c.id = f.clock
            WHERE f.account = \(account)
            """) ?? nil
    }

    func isTaken(_ name: String, in team: Int64) throws -> Bool {
        try connection.exists("FROM sandbox_clock WHERE team = \(team) AND name = \(name)")
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

    /// Accounts that follow a clock in an app that they have, with the app.
    func devices(of clock: SandboxClock) throws -> [HistorySubject] {
        try connection.records(
            HistorySubject.self,
            """
            SELECT a.account, a.app FROM app_transaction a JOIN sandbox_time f
                ON f.account = a.account AND f.app = a.app
            WHERE f.clock = \(clock.id) ORDER BY a.account, a.app
            """
        )
    }

    // MARK: What is due

    /// The subscription of a clock's followers that is due first.
    func nextDue(of clock: SandboxClock) throws -> DueSubscription? {
        try connection.records(
            DueSubscription.self,
            """
            SELECT s.original, s.due FROM subscription s
            WHERE s.environment = 'Sandbox' AND s.due IS NOT NULL AND s.set_aside IS NULL
                AND EXISTS (
                    SELECT 1 FROM sandbox_time f
                    WHERE f.account = s.account AND f.app = s.app AND f.clock = \(clock.id))
            ORDER BY s.due, s.original LIMIT 1
            """
        ).first
    }

    struct DueSubscription: RecordPart {
        let original: TransactionID
        let date: Date

        init(_ column: borrowing RecordColumns<Self>) throws {
            original = try column("original", \.original)
            date = try column("due", \.date)
        }
    }

    /// Whether a notification about a clock's followers has not been sent yet.
    ///
    /// - Parameter after: only those behind this one.
    func hasUnsent(of clock: SandboxClock, after last: NotificationID) throws -> Bool {
        try connection.exists(
            "\(Self.undelivered(of: clock, after: last)) AND n.attempts = 0 AND n.due IS NOT NULL")
    }

    /// Notifications about a clock's followers, since it was made, that have not arrived, the oldest
    /// first. The sandbox sends each once.
    ///
    /// - Parameter after: only those behind this one.
    func undelivered(
        of clock: SandboxClock, after last: NotificationID
    ) throws -> [StoreNotification] {
        try connection.records(
            StoreNotification.self,
            """
            SELECT \(StoreNotification.columns, of: "n") \(Self.undelivered(of: clock, after: last))
            ORDER BY n.id LIMIT \(Self.shownNotifications)
            """)
    }

    private static func undelivered(of clock: SandboxClock, after last: NotificationID) -> SQL {
        """
        FROM notification n
        WHERE n.id > \(last.number) AND n.state <> 'delivered' AND n.environment = 'Sandbox'
            AND n.date >= \(clock.created) AND EXISTS (
                SELECT 1 FROM sandbox_time f
                WHERE f.account = n.account AND f.app = n.app AND f.clock = \(clock.id))
        """
    }

    func lastNotification() throws -> NotificationID {
        let last = try connection.value(Int64?.self, "SELECT max(id) FROM notification")
        return NotificationID(number: (last ?? nil) ?? 0)
    }

    private static let shownNotifications = 100
}

extension HistorySubject: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        account = try column("account", \.account)
        app = try column("app", \.app)
    }
}
