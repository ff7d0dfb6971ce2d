import Foundation
import StoreCore
import StoreKit

/// The end of a run: the network holds, customers answer, everything comes to its end.
extension Run {
    private static let patience = 10_000

    /// Ends the launch in good order.
    func close() throws {
        guard let launch else { return }
        let end = TaskEnd<Void>()
        launch.crashPoint = nil
        launch.isDiskFull = false
        network.pool.acting(as: launch.owner) {
            _ = Task { [engine = launch.engine!] in
                await engine.close()
                end.result = .success(())
            }
        }
        var left = Self.patience
        while end.result == nil, !launch.isDead {
            left -= 1
            guard left > 0 else { throw Stuck(reason: "closing") }
            // One job at a time: the process ends as soon as it is closed.
            if moveOn(launch, jobs: 1) { continue }
            guard end.result != nil else {
                throw Stuck(reason: "closing, with nothing to wait for")
            }
        }
        counts.crashes -= 1
        crash()
    }

    /// Brings everything to its end.
    func settle() throws {
        if launch != nil { try close() }
        network.isDown = false
        try shop.reset()
        // Twice: what one account has begun goes on when it is its turn.
        for _ in 0..<2 {
            for account in accounts { try live(as: account) }
        }
    }

    /// A launch in which nothing goes wrong.
    private func live(as account: Account) throws {
        note("-- a quiet launch for \(account.email)")
        try signIn(account)
        begin(observers: 2)
        guard let launch else { return }
        if random.once(in: 3) { restore(launch) }
        if usesUpdates, random.chance(50) { buyProduct(launch) }
        try quiet(launch)
        view.rest()
        try close()
    }

    /// Goes on until nothing is left to do.
    func quiet(_ launch: Launch) throws {
        var looks = 4
        for _ in 0..<Self.patience {
            if moveOn(launch) { continue }
            view.checkPending()
            if !network.stray.isEmpty {
                network.deliverStray(at: 0)
            } else if let item = view.shown.first(where: { item in
                !item.isFinishing && view.isFinishable(item.sight)
            }) {
                finish(item.transaction, in: launch)
            } else if let waiting = try shop.waiting(for: accounts).first {
                try shop.decide(waiting.id, isYes: random.chance(50))
                looks = 4
            } else if looks > 0 {
                looks -= 1
                shop.clock.advance(by: 2)
                for kind in [Timers.Kind.idle] where timers.count(kind, of: launch.owner) > 0 {
                    timers.fire(kind, of: launch.owner, at: 0)
                }
                if shop.timers.count(.retry, of: .store) > 0 {
                    shop.timers.fire(.retry, of: .store, at: 0)
                }
            } else {
                return
            }
        }
        throw Stuck(reason: "a quiet launch does not become quiet")
    }

    /// Declines a payment that waits while its end can't be written down, and lets the device ask the
    /// store twice for what it has before the app hears of it.
    func declineOnFullDisk(_ launch: Launch) throws {
        guard let waiting = try shop.waiting(for: accounts).first else { return }
        note("   \(waiting.id)")
        network.isDown = false
        launch.isDiskFull = true
        view.hasFullDisk = true
        try shop.decide(waiting.id, isYes: false)
        for _ in 0..<2 {
            for flight in network.flights where !flight.isSent && !flight.isAnswered {
                network.fail(flight, .timedOut)
            }
            for _ in 0..<200 where !launch.isDead {
                guard moveOn(launch, isAppBusy: true) else { break }
            }
        }
    }

    /// Whatever goes on by itself, in good order; false where nothing does.
    private func moveOn(_ launch: Launch, jobs: Int = .max, isAppBusy: Bool = false) -> Bool {
        if pool.count > 0 || launch.hasCallback && !isAppBusy {
            work(jobs, isAppBusy: isAppBusy)
            return true
        }
        if let flight = nextFlight(isSlow: false) {
            moveOn(flight)
        } else if let prompt = launch.customer.prompt {
            switch prompt {
            case .confirm: launch.customer.answerConfirmation(true)
            case .signIn: launch.customer.answerSignIn(email: accounts[0].email)
            case .redeem: launch.customer.answerRedemption(nil)
            }
        } else if let flight = nextFlight(isSlow: true) {
            moveOn(flight)
        } else if case let waits = timers.count(.retry, of: launch.owner), waits > 0 {
            // The newest is what somebody waits for; older ones only begin something anew.
            timers.fire(.retry, of: launch.owner, at: waits - 1)
        } else {
            return false
        }
        return true
    }

    private func nextFlight(isSlow: Bool) -> Flight? {
        let flights = network.flights.filter { ($0.isSent || $0.isAnswered) && $0.isSlow == isSlow }
        return flights.isEmpty ? nil : flights[random.below(flights.count)]
    }

    private func moveOn(_ flight: Flight) {
        if flight.isAnswered {
            network.answer(flight)
        } else if network.isDown {
            network.fail(flight, .notConnectedToInternet)
        } else {
            network.deliver(flight)
        }
    }
}
