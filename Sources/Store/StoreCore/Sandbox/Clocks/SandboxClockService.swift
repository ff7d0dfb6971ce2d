import Foundation
import StoreModel

/// Makes, advances and deletes clocks of the sandbox.
package struct SandboxClockService: Sendable {
    /// The answer to an advance waits so long for notifications to be sent.
    private static let patience: Duration = .seconds(10)
    private static let pause: Duration = .milliseconds(50)

    private let database: any StoreDatabase
    private let clock: any StoreClock
    private let changed: @Sendable (AccountID) -> Void
    private let latest: @Sendable () throws -> Date
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - changed: hears of accounts whose devices have news.
    ///   - latest: until when what the store signs can be verified.
    package init(
        database: any StoreDatabase, clock: any StoreClock,
        changed: @escaping @Sendable (AccountID) -> Void,
        latest: @escaping @Sendable () throws -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.database = database
        self.clock = clock
        self.changed = changed
        self.latest = latest
        self.sleep = sleep
    }

    /// A clock with those who follow it.
    package struct Shown: Sendable, Hashable {
        package let clock: SandboxClock
        package let testers: [AccountID]
        package let apps: [AppID]
        /// Notifications about them that have not arrived; of an advance, those that it has made.
        package var undelivered: [StoreNotification] = []
    }

    // MARK: Looking

    /// The clocks of the actor's team, the first made first.
    ///
    /// - Throws: `ConnectRefusal`, as all methods do.
    package func clocks(
        _ page: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<Shown> {
        try actor.require(.manageTesters)
        return try await database.read { repositories in
            try repositories.sandboxClocks.clocks(of: actor.team, page)
                .map { try Self.shown($0, repositories) }
        }
    }

    package func clock(_ id: Int64, by actor: ConnectActor) async throws -> Shown {
        try await clock(id, after: NotificationID(number: 0), by: actor)
    }

    /// - Parameter last: later notifications are shown.
    private func clock(
        _ id: Int64, after last: NotificationID, by actor: ConnectActor
    ) async throws -> Shown {
        try actor.require(.manageTesters)
        return try await database.read { repositories in
            try Self.shown(Self.known(id, for: actor, repositories), repositories, after: last)
        }
    }

    private static func known(
        _ id: Int64, for actor: ConnectActor, _ repositories: StoreRepositories
    ) throws -> SandboxClock {
        guard let clock = try repositories.sandboxClocks.clock(id), actor.sees(team: clock.team)
        else { throw ConnectRefusal.notFound("sandbox clock", String(id)) }
        return clock
    }

    private static func shown(
        _ clock: SandboxClock, _ repositories: StoreRepositories,
        after last: NotificationID = NotificationID(number: 0)
    ) throws -> Shown {
        Shown(
            clock: clock, testers: try repositories.sandboxClocks.testers(of: clock),
            apps: try repositories.sandboxClocks.apps(of: clock),
            undelivered: try repositories.sandboxClocks.undelivered(of: clock, after: last))
    }

    // MARK: Changing

    /// Makes a clock. Who follows it goes on by it from then on.
    package func create(
        _ draft: SandboxClockDraft, by actor: ConnectActor
    ) async throws -> Shown {
        try actor.require(.manageTesters)
        let (name, now) = (try SandboxClockRules.name(draft.name), clock.now())
        let date = draft.date ?? now
        try SandboxClockRules.check(date, from: now, to: try latest())
        guard !draft.followers.isEmpty else {
            throw ConnectRefusal(
                .invalid, rule: "clockFollowers", field: "testers",
                "Nobody follows the clock.", help: "Name testers, or an app.")
        }
        return try await database.write { repositories in
            let team = try TeamChoice.team(draft.team, for: actor, repositories)
            guard try repositories.sandboxClocks.count(of: team) < SandboxClockRules.limit else {
                throw ConnectRefusal(
                    .state, rule: "clockLimit",
                    "The team has \(SandboxClockRules.limit) sandbox clocks.",
                    help: "Delete one.")
            }
            let clock = try repositories.sandboxClocks.insert(
                SandboxClock(id: 0, team: team, name: name, date: date, created: now))
            for follower in draft.followers {
                let words = try Self.check(follower, of: team, for: actor, repositories)
                guard try !repositories.sandboxClocks.isFollowing(follower) else {
                    throw ConnectRefusal(
                        .taken, rule: "clockFollowed", field: words.field,
                        "\(words.name) follows another sandbox clock.",
                        help: "Delete that clock first.")
                }
                try repositories.sandboxClocks.follow(clock, follower)
            }
            try Self.note("sandboxClock.create", clock, actor, repositories, at: now)
            return try Self.shown(clock, repositories)
        }
    }

    /// - Returns: how a refusal names the follower.
    private static func check(
        _ follower: SandboxClockFollower, of team: Int64, for actor: ConnectActor,
        _ repositories: StoreRepositories
    ) throws -> (field: String, name: String) {
        switch follower {
        case .tester(let id):
            let tester = try TesterService.tester(id, for: actor, repositories)
            guard tester.team == team else {
                throw ConnectRefusal.notFound("sandbox tester", String(id.number))
            }
            try TesterRules.standing(after: .change, of: tester.standing, email: tester.email)
            return ("testers", tester.email)
        case .app(let id):
            guard let app = try repositories.catalog.app(id), app.teamID == team else {
                throw ConnectRefusal.notFound("app", String(id.number))
            }
            return ("app", app.bundleID.text)
        }
    }

    /// Advances a clock: what falls due for its followers happens at its date, one after the other,
    /// and publishers' servers are told.
    ///
    /// Each step is on disk by itself. If the store ends meanwhile, the clock shows how far it came,
    /// and can be advanced further.
    ///
    /// - Returns: the clock, after the notifications were sent; `undelivered` says which did not
    ///   arrive.
    package func advance(
        _ id: Int64, to date: Date, by actor: ConnectActor
    ) async throws -> Shown {
        try actor.require(.manageTesters)
        let (before, last) = try await database.read { repositories in
            (
                try Self.known(id, for: actor, repositories),
                try repositories.sandboxClocks.lastNotification()
            )
        }
        try SandboxClockRules.check(date, from: before.date, to: try latest())
        while let due = try await database.read({ try $0.sandboxClocks.nextDue(of: before) }),
            due.date <= date
        {
            let (accounts, _) = try await SettingAside.each([due.original]) { original in
                try await database.write { repositories -> AccountID? in
                    // Somebody may have deleted it meanwhile.
                    guard let clock = try repositories.sandboxClocks.clock(id) else { return nil }
                    let now = try Self.move(clock, to: due.date, repositories).date
                    return try RenewalService.advance(original, at: now, repositories)
                }
            } setAside: { original, reason in
                try await database.write { try $0.renewals.setAside(original, because: reason) }
            }
            accounts.forEach(changed)
        }
        let now = clock.now()
        try await database.write { repositories in
            let clock = try Self.known(id, for: actor, repositories)
            let moved = try Self.move(clock, to: date, repositories)
            try Self.note(
                "sandboxClock.advance", moved, before: before, actor, repositories, at: now)
        }
        return try await whenTold(id, after: last, by: actor)
    }

    private static func move(
        _ clock: SandboxClock, to date: Date, _ repositories: StoreRepositories
    ) throws -> SandboxClock {
        guard date > clock.date else { return clock }
        var moved = clock
        moved.date = date
        try repositories.sandboxClocks.update(moved)
        return moved
    }

    /// A clock when each notification behind one was sent once, or `patience` is over.
    private func whenTold(
        _ id: Int64, after last: NotificationID, by actor: ConnectActor
    ) async throws -> Shown {
        var waits = Int(Self.patience / Self.pause)
        while true {
            let shown = try await clock(id, after: last, by: actor)
            guard waits > 0, shown.undelivered.contains(where: { $0.standing.attempts == 0 })
            else { return shown }
            waits -= 1
            try await sleep(Self.pause)
        }
    }

    /// Deletes a clock: its followers go by the store's time again. The purchase history of who has
    /// bought something at the clock's time is cleared, for it lies in the future.
    package func delete(_ id: Int64, by actor: ConnectActor) async throws {
        try actor.require(.manageTesters)
        let now = clock.now()
        let cleared = try await database.write { repositories in
            let clock = try Self.known(id, for: actor, repositories)
            let buyers = try repositories.sandboxClocks.buyers(at: clock)
            for buyer in buyers { try repositories.testers.recordClearing(of: buyer, at: now) }
            try repositories.sandboxClocks.delete(clock)
            try Self.note("sandboxClock.delete", clock, actor, repositories, at: now)
            return buyers
        }
        cleared.forEach(changed)
    }

    private static func note(
        _ action: String, _ clock: SandboxClock, before: SandboxClock? = nil,
        _ actor: ConnectActor, _ repositories: StoreRepositories, at date: Date
    ) throws {
        try repositories.audit.append(
            AuditEntry(
                team: clock.team, actor: actor, action: action, subject: clock.name,
                before: before?.date.formatted(.iso8601), after: clock.date.formatted(.iso8601)),
            at: date)
    }
}
