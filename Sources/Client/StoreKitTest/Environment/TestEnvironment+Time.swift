import StoreAPI
import StoreCore
import StoreKit
import StoreServer

/// The session's time, and what the app has heard by then.
extension TestEnvironment {
    /// Sessions of customers end some day, which no test is about.
    private func keepAlive() async throws {
        let last = state.withLock { $0.signInDate }
        if shop.clock.now().timeIntervalSince(last) > AccountService.sessionDuration / 2 {
            try await signIn()
        }
    }

    /// Moves the clock forward. The app has heard of what was due before the next is done.
    ///
    /// - Throws: `SKTestError`, or what breaks in the store.
    func advance(by seconds: TimeInterval) async throws {
        try await perform { shop in
            // What the app has not fetched yet would be signed at a later date.
            try await heard()
            try await shop.advance(by: seconds, moved: keepAlive, done: heard)
        }
    }

    /// Returns when the app has heard of everything that has happened in the store.
    ///
    /// - Throws: `SKTestError.serviceUnavailable` if its device does not get through to the store.
    func heard() async throws {
        guard let engine else { return }
        let (tester, app) = (shop.tester, shop.app.id)
        let known = state.withLock { $0.event }
        let last = try await shop.store.database.read { repositories -> DeviceEventID? in
            var last = known
            while let next = try repositories.events.events(
                account: tester, in: .sandbox, app: app,
                after: last ?? DeviceEventID(number: 0), limit: 1000
            ).last { last = next.id }
            return last
        }
        state.withLock { $0.event = last }
        // The store does not wake a device for what the device bought itself, but for subscriptions.
        if last != known { shop.services.events.nudge(tester) }
        guard await engine.hear(of: last?.number ?? 0) else {
            throw SKTestError(
                .serviceUnavailable,
                "The app has not heard of everything within half a minute: its device does not get "
                    + "through to the session's store.")
        }
    }

    // MARK: A clock that runs

    /// Lets the clock run and does what becomes due, or lets it stand.
    func setRunning(_ isRunning: Bool) {
        shop.clock.set(running: isRunning)
        let former = state.withLock { state in
            let former = state.work.take()
            if isRunning, !state.isOver { state.work = Task { [weak self] in await self?.work() } }
            return former
        }
        former?.cancel()
    }

    /// Purchases become due between two looks at the latest.
    private static let look: Duration = .milliseconds(250)

    private func work() async {
        let clock = shop.clock
        while !Task.isCancelled {
            try? await shop.catchUp(to: clock.now())
            _ = try? shop.store.keys.renewDue(at: clock.now())
            try? await keepAlive()
            let due = try? await shop.nextDue()
            let wait = due.map { Duration.seconds($0.timeIntervalSince(clock.now())) }
            let pause = min(max(wait ?? Self.look, .milliseconds(1)), Self.look)
            guard (try? await Task.sleep(for: pause)) != nil else { return }
        }
    }
}
