import Foundation
import StoreModel

/// Makes, advances and deletes clocks of the sandbox.
package struct SandboxClockService: Sendable {
    /// The answer to an advance waits so long for notifications to be sent.
    private static let patience: Duration = .seconds(10)
    private static let pause: Duration = .milliseconds(50)

    private let shop: Shop
    private let latest: @Sendable () throws -> Date
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter latest: until when what the store signs can be verified.
    package init(
        database: any ShopDatabase, clock: any StoreClock,
        latest: @escaping @Sendable () throws -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        shop = Shop(database: database, clock: clock)
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

    /// The clocks of the actor's team, the first made first, without notifications.
    ///
    /// - Throws: `ConnectRefusal`, as all methods do.
    package func clocks(
        _ page: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<Shown> {
        try await shop.read(as: actor, requiring: .manageTesters) { work in
            try work.sandboxClocks.clocks(of: actor.team, page)
                .map { try Self.shown($0, work) }
        }
    }

    package func clock(_ id: Int64, by actor: ConnectActor) async throws -> Shown {
        try await shop.read(as: actor, requiring: .manageTesters) { work in
            try Self.shown(
                Self.known(id, work), work,
                after: NotificationID(number: 0))
        }
    }

    private static func known(_ id: Int64, _ work: UnitOfWork) throws -> SandboxClock {
        guard let clock = try work.sandboxClocks.find(id), work.actor.sees(team: clock.team)
        else { throw ConnectRefusal.notFound("sandbox clock", String(id)) }
        return clock
    }

    /// - Parameter last: notifications behind this one are shown; none for nil.
    private static func shown(
        _ clock: SandboxClock, _ work: UnitOfWork, after last: NotificationID? = nil
    ) throws -> Shown {
        let clocks = work.sandboxClocks
        return Shown(
            clock: clock, testers: try clocks.testers(of: clock), apps: try clocks.apps(of: clock),
            undelivered: try last.map { try clocks.undelivered(of: clock, after: $0) } ?? [])
    }

    // MARK: Changing

    /// Makes a clock that shows the store's time, and advances it to the date that is wanted. It does
    /// not begin before a clock that one of the testers has followed until now.
    package func create(_ draft: SandboxClockDraft, by actor: ConnectActor) async throws -> Shown {
        try actor.require(.manageTesters)
        let (name, latest) = (try SandboxClockRules.name(draft.name), try latest())
        guard !draft.followers.isEmpty else {
            throw ConnectRefusal(
                .invalid, rule: "clockFollowers", field: "testers",
                "Nobody follows the clock.", help: "Name testers, or an app.")
        }
        let made = try await shop.write(as: actor) { work in
            let clocks = work.sandboxClocks
            let team = try work.team(for: draft.team)
            guard try clocks.count(of: team) < SandboxClockRules.limit else {
                throw ConnectRefusal(
                    .state, rule: "clockLimit",
                    "The team has \(SandboxClockRules.limit) sandbox clocks.",
                    help: "Delete one.")
            }
            guard try !clocks.isTaken(name, in: team) else {
                throw ConnectRefusal(
                    .taken, rule: "clockNameTaken", field: "name",
                    "The team has a clock with the name \(quoted(name)).",
                    help: "Choose another name.")
            }
            var start = work.now
            for case .tester(let id) in draft.followers {
                if let date = try clocks.latest(of: id) { start = max(start, date) }
            }
            try SandboxClockRules.check(draft.date ?? start, from: start, to: latest)
            let clock = try clocks.insert(
                SandboxClock(id: 0, team: team, name: name, date: start, created: work.now))
            for follower in draft.followers {
                let words = try Self.check(follower, of: team, work)
                guard try !clocks.isFollowing(follower) else {
                    throw ConnectRefusal(
                        .taken, rule: "clockFollowed", field: words.field,
                        "\(words.name) follows another sandbox clock.",
                        help: "Delete that clock first.")
                }
                try clocks.follow(clock, follower)
            }
            try Self.note("sandboxClock.create", clock, work)
            try Self.tellDevices(of: clock, work)
            return try Self.shown(clock, work)
        }
        guard let date = draft.date, date > made.clock.date else { return made }
        return try await advance(made.clock.id, to: date, by: actor)
    }

    /// - Returns: how a refusal names the follower.
    private static func check(
        _ follower: SandboxClockFollower, of team: Int64, _ work: UnitOfWork
    ) throws -> (field: String, name: String) {
        switch follower {
        case .tester(let id):
            let tester = try work.tester(id)
            guard tester.team == team else {
                throw ConnectRefusal.notFound("sandbox tester", String(id.number))
            }
            try TesterRules.status(after: .change, of: tester.status, email: tester.email)
            return ("testers", tester.email)
        case .app(let id):
            let app = try work.app(id)
            guard app.teamID == team else {
                throw ConnectRefusal.notFound("app", String(id.number))
            }
            return ("apps", app.bundleID.text)
        }
    }

    /// Lets the devices of a clock's followers ask for the history anew, and so for the time.
    private static func tellDevices(of clock: SandboxClock, _ work: UnitOfWork) throws {
        for device in try work.sandboxClocks.devices(of: clock) {
            try work.events.append(
                DeviceEventDraft(account: device.account, app: device.app, kind: .transactions),
                at: work.now)
        }
    }

    /// What came of one step of an advance.
    private enum Step: Sendable {
        /// A subscription was renewed, tried again or ended.
        case taken
        /// A subscription can't be read or written.
        case setAside(TransactionID, reason: String)
        /// Nothing is due until the date, which the clock shows now.
        case over
    }

    /// Advances a clock: what falls due for its followers happens at its date, one after the other,
    /// and publishers' servers are told.
    ///
    /// Each step is on disk by itself. If the store ends meanwhile, the clock shows how far it came,
    /// and can be advanced further.
    ///
    /// - Returns: the clock, after the notifications were sent; `undelivered` says which did not
    ///   arrive.
    package func advance(_ id: Int64, to date: Date, by actor: ConnectActor) async throws -> Shown {
        let (before, last) = try await shop.read(as: actor, requiring: .manageTesters) { work in
            (try Self.known(id, work), try work.sandboxClocks.lastNotification())
        }
        try SandboxClockRules.check(date, from: before.date, to: try latest())
        var problems: [String] = []
        advancing: while true {
            switch try await step(before, to: date, by: actor) {
            case .taken: continue
            case .setAside(let original, let reason):
                try await shop.write(as: actor) {
                    try $0.renewals.setAside(original, because: reason)
                }
                problems.append("\(original): \(reason)")
            case .over: break advancing
            }
        }
        let shown = try await whenTold(id, after: last, by: actor)
        guard problems.isEmpty else {
            throw ConnectRefusal(
                .state, rule: "clockSetAside",
                "The clock was advanced, but \(RowsSetAside(what: "subscriptions", problems: problems))",
                help: "Tell whoever operates the store.")
        }
        return shown
    }

    /// Does what is due first, and moves the clock to its date; or moves it to the end.
    private func step(
        _ before: SandboxClock, to end: Date, by actor: ConnectActor
    ) async throws -> Step {
        let taken: @Sendable (UnitOfWork) throws -> Step = { work in
            var clock = try Self.known(before.id, work)
            let due = try work.sandboxClocks.nextDue(of: clock)
            let date = due.map { min($0.date, end) } ?? end
            if date > clock.date {
                clock.date = date
                try work.sandboxClocks.update(clock)
            }
            guard let due, due.date <= end else {
                try Self.note("sandboxClock.advance", clock, before: before, work)
                try Self.tellDevices(of: clock, work)
                return .over
            }
            do {
                return try work.at(due.date).takeDueStep(of: due.original)
                    ? .taken : .setAside(due.original, reason: "not due")
            } catch {
                guard let reason = SettingAside.reason(for: error) else { throw error }
                throw UnreadableSubscription(original: due.original, reason: reason)
            }
        }
        do {
            return try await shop.write(as: actor, taken)
        } catch let failure as UnreadableSubscription {
            return .setAside(failure.original, reason: failure.reason)
        }
    }

    /// A clock when each notification behind one was sent once, or `patience` is over.
    private func whenTold(
        _ id: Int64, after last: NotificationID, by actor: ConnectActor
    ) async throws -> Shown {
        var waits = Int(Self.patience / Self.pause)
        while true {
            let (shown, isTold) = try await shop.read(as: actor) { work in
                let clock = try Self.known(id, work)
                return (
                    try Self.shown(clock, work, after: last),
                    try !work.sandboxClocks.hasUnsent(of: clock, after: last)
                )
            }
            guard waits > 0, !isTold else { return shown }
            waits -= 1
            try await sleep(Self.pause)
        }
    }

    /// Deletes a clock: its followers go by the store's time again. Their purchase history is cleared,
    /// and what waits is declined, for both may lie in the future.
    package func delete(_ id: Int64, by actor: ConnectActor) async throws {
        try await shop.write(as: actor, requiring: .manageTesters) { work in
            let clock = try Self.known(id, work)
            let devices = try work.sandboxClocks.devices(of: clock)
            let accounts = Set(devices.map(\.account)).sorted { $0.number < $1.number }
            for account in accounts {
                let waiting = try work.testers.undecided(
                    of: account, team: clock.team, limit: Self.waitingLimit)
                for purchase in waiting where purchase.order.date > work.now {
                    try work.decline(purchase.id)
                }
                try work.testers.recordClearing(of: account, at: work.now)
            }
            try Self.tellDevices(of: clock, work)
            try work.sandboxClocks.deleteWithFollowers(clock)
            try Self.note("sandboxClock.delete", clock, work)
        }
    }

    private static let waitingLimit = 1000

    private static func note(
        _ action: String, _ clock: SandboxClock, before: SandboxClock? = nil, _ work: UnitOfWork
    ) throws {
        try work.note(
            action, on: clock.name, of: clock.team, before: before?.date.formatted(.iso8601),
            after: clock.date.formatted(.iso8601))
    }
}

/// A subscription whose step failed, with all that the step had written taken back.
private struct UnreadableSubscription: Error {
    let original: TransactionID
    let reason: String
}
