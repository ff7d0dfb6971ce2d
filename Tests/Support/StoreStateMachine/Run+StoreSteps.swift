import Foundation
import StoreCore
import StoreKit
import StoreModel
import StoreTestSupport

/// What happens in the store and between store and device.
extension Run {
    // MARK: The store

    func storeSteps() -> [Step] {
        var steps = [
            Step(weight: hasFullDisks ? 6 : 3, name: "decide on a purchase") { [self] in
                try decide()
            },
            Step(weight: usesUpdates ? 3 : 1, name: "revoke") { [self] in try revoke() },
            Step(weight: 2, name: "begin a payment in the store") { [self] in
                try beginStorePayment()
            },
            Step(weight: 1, name: "restart the store") { [self] in try shop.restart() },
            Step(weight: 1, name: "change a price") { [self] in try shop.changePrice() },
            Step(weight: 1, name: "change how the account buys") { [self] in
                let asks = random.chance(30)
                let interrupts = random.chance(30)
                try shop.change(accounts[0]) {
                    $0.asksToBuy = asks
                    $0.interruptsPurchases = interrupts
                }
            },
            Step(weight: 1, name: "end the session in the store") { [self] in
                guard let session = sessions.session else { return }
                let token = session.token
                try pool.complete { [shop] in
                    try await shop.services.accounts.signOut(token: token)
                }
                shop.clock.advance(by: 6)
            },
            Step(weight: 1, name: "another app signs out") { [self] in
                sessions.clear(sessions.session)
            },
            Step(weight: 2, name: "the clock goes on") { [self] in
                let spans: [TimeInterval] = [1, 10, 50, 50, 600, 25 * 3600]
                shop.clock.advance(by: spans[random.below(spans.count)])
            },
        ]
        if usesUpdates { steps += overtakingSteps() }
        if hasRestores {
            steps.append(Step(weight: 2, name: "back up the store") { [self] in try backUp() })
            if backup != nil {
                steps.append(
                    Step(weight: 3, name: "restore the older backup") { [self] in try goBack() })
            }
        }
        let looks = shop.timers.count(.retry, of: .store)
        if looks > 0 {
            steps.append(
                Step(weight: 4, name: "the store looks for events") { [self] in
                    shop.timers.fire(.retry, of: .store, at: random.below(looks))
                })
        }
        return steps
    }

    private func backUp() throws {
        backup = (try shop.backUp(), network.orders.refused)
    }

    /// The store forgets what has happened since its backup; the device does not.
    private func goBack() throws {
        guard let backup else { return }
        shop.stop()
        let before = try accounts.flatMap { try shop.ledger(of: $0) }
        try shop.restore(backup.kept)
        let after = try accounts.flatMap { try shop.ledger(of: $0) }
        let kept = Set(after.map(\.id))
        let lost = Set(before.map(\.id)).subtracting(kept)
        let finished = Set(before.filter(\.isFinished).map(\.id))
        note("   lost: \(lost.sorted())")
        let forgotten = network.orders.refused.subtracting(backup.refused)
        network.orders.refused = backup.refused
        view.goBack(
            lost: lost, refused: Set(forgotten.compactMap { network.orders.tags[$0] }),
            unfinished: Set(after.filter { !$0.isFinished && finished.contains($0.id) }.map(\.id)))
    }

    private func decide() throws {
        let waiting = try shop.waiting(for: accounts)
        guard !waiting.isEmpty else { return }
        let id = waiting[random.below(waiting.count)].id
        let isYes = random.chance(hasFullDisks ? 40 : 70)
        note("   \(id): \(isYes ? "yes" : "no")")
        try shop.decide(id, isYes: isYes)
    }

    func revoke() throws {
        let rows = try shop.ledger(of: accounts[0])
        guard !rows.isEmpty else { return }
        try revoke(rows[random.below(rows.count)].entry.id)
    }

    func revoke(_ id: TransactionID) throws {
        note("   \(id)")
        _ = try pool.complete { [shop] in
            try await shop.services.purchases.revoke(id, reason: .other)
        }
    }

    private func beginStorePayment() throws {
        let products = [SampleShop.credits, SampleShop.badge, "com.example.shop.monthly"]
        let product = ProductID(products[random.below(products.count)])!
        let account = accounts[0].id
        try pool.complete { [shop] in
            try await shop.services.offers.beginStorePayment(
                of: product, by: account, in: shop.app)
        }
    }

    // MARK: The network

    func networkSteps() -> [Step] {
        var steps = [
            network.isDown
                ? Step(weight: 24, name: "reconnect") { [self] in network.isDown = false }
                : Step(weight: 2, name: Step.disconnect) { [self] in
                    network.isDown = true
                    counts.disconnections += 1
                }
        ]
        for flight in network.flights {
            if network.isDown {
                steps.append(
                    Step(weight: 6, name: "\(flight.name): no network") { [self] in
                        network.fail(
                            flight, random.chance(50) ? .notConnectedToInternet : .timedOut)
                    })
            } else if flight.isSent {
                steps += [
                    Step(weight: flight.isSlow ? 3 : 40, name: "\(flight.name): arrives") {
                        [self] in
                        network.deliver(flight)
                    },
                    Step(weight: 2, name: "\(flight.name): arrives twice") { [self] in
                        network.duplicate(flight)
                    },
                    Step(weight: 2, name: "\(flight.name): is lost") { [self] in
                        network.fail(flight, .networkConnectionLost)
                    },
                    Step(weight: 1, name: "\(flight.name): bad gateway") { [self] in
                        network.answerByGateway(flight)
                    },
                ]
            } else if flight.isAnswered {
                steps += [
                    Step(weight: flight.isSlow ? 3 : 40, name: "\(flight.name): is answered") {
                        [self] in
                        network.answer(flight)
                    },
                    Step(weight: 2, name: "\(flight.name): answer is lost") { [self] in
                        network.fail(flight, .networkConnectionLost)
                    },
                    Step(weight: 1, name: "\(flight.name): answer becomes bad gateway") {
                        [self] in network.answerByGateway(flight)
                    },
                ]
            } else {
                steps.append(
                    // The device then asks for all that it may have missed.
                    Step(weight: hasFullDisks ? 5 : 1, name: "\(flight.name): is cut off") {
                        [self] in
                        network.fail(flight, .timedOut)
                    })
            }
        }
        for index in network.stray.indices {
            steps.append(
                Step(weight: 2, name: "a stray request arrives") { [self] in
                    network.deliverStray(at: index)
                })
        }
        return steps
    }
}
