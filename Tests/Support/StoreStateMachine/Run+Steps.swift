import Foundation
import StoreCore
import StoreKit
import StoreModel
import StoreTestSupport

/// What can happen next.
extension Run {
    func possibleSteps() -> [Step] {
        var steps = storeSteps() + networkSteps()
        if let launch {
            steps += appSteps(launch) + customerSteps(launch)
        } else {
            steps += idleSteps()
        }
        return steps
    }

    // MARK: The app

    private func appSteps(_ launch: Launch) -> [Step] {
        var steps = [
            Step(weight: view.payments.count < 12 ? 8 : 1, name: "add a payment") { [self] in
                addPayment(launch)
            },
            Step(weight: 2, name: "restore") { [self] in restore(launch) },
            Step(weight: 1, name: "redeem a code") {
                launch.act { $0.presentCodeRedemptionSheet() }
            },
            Step(weight: 1, name: Step.crash) { [self] in crash() },
            Step(weight: 1, name: "close") { [self] in try close() },
        ]
        if launch.crashPoint == nil {
            let point = CrashPoint.random(&random, usesUpdates: usesUpdates)
            steps.append(
                Step(weight: 2, name: "crash at: \(point)") { launch.crashPoint = point })
        }
        if launch.isDiskFull {
            steps.append(
                Step(weight: 5, name: "the disk has room") { launch.isDiskFull = false })
        } else if hasFullDisks {
            steps.append(
                Step(weight: 6, name: "the disk is full") { [self] in
                    launch.isDiskFull = true
                    view.hasFullDisk = true
                })
        }
        if hasFullDisks, view.shown.contains(where: { $0.sight.state == .deferred }) {
            steps.append(
                Step(weight: 12, name: "decline on a full disk") { [self] in
                    try declineOnFullDisk(launch)
                })
        }
        if launch.watchers.count < 3 {
            steps.append(
                Step(weight: 1, name: "add an observer") { [self] in addWatcher(to: launch) })
        }
        if launch.watchers.count > 1 {
            steps.append(
                Step(weight: 1, name: "remove an observer") { [self] in
                    let watcher = launch.watchers.remove(
                        at: random.below(launch.watchers.count))
                    launch.act { $0.remove(watcher) }
                })
        }
        steps += updateSteps(launch)
        for item in view.shown {
            guard view.isFinishable(item.sight) else { continue }
            // What could not be written down and is not finished may come from the store again.
            let isLate = item.isFinishing || hasFullDisks && item.sight.state == .failed
            steps.append(
                Step(weight: isLate ? 1 : 4, name: "finish \(item.sight)") { [self] in
                    finish(item.transaction, in: launch)
                    if random.once(in: 6) { finish(item.transaction, in: launch) }
                })
        }
        for (kind, weight) in [(Timers.Kind.retry, 5), (.idle, 3)] {
            let count = timers.count(kind, of: launch.owner)
            guard count > 0 else { continue }
            steps.append(
                Step(weight: weight, name: "a wait ends: \(kind)") { [self] in
                    timers.fire(kind, of: launch.owner, at: random.below(count))
                })
        }
        return steps
    }

    func restore(_ launch: Launch) {
        view.askToRestore()
        launch.act { $0.restoreCompletedTransactions() }
    }

    private func addPayment(_ launch: Launch) {
        let products = [
            (SampleShop.credits, true), (SampleShop.credits, true), (SampleShop.badge, false),
            (SampleShop.chapter, false), (SampleShop.season, true),
            ("com.example.shop.unknown", true), (SampleShop.monthly, false),
        ]
        let pick = random.chance(90) ? random.below(5) : 5 + random.below(2)
        let (product, isCounted) = products[pick]
        let quantity = isCounted && random.chance(40) ? 1 + random.below(11) : 1
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        payment.quantity = quantity
        payment.simulatesAskToBuyInSandbox = random.chance(20)
        let tag = random.uuid().uuidString.lowercased()
        payment.applicationUsername = tag
        view.payments[tag] = AppView.Payment(product: product, quantity: quantity)
        note("   \(quantity) \(product) \(tag.prefix(8))")
        launch.act { $0.add(payment) }
    }

    // MARK: The customer

    private func customerSteps(_ launch: Launch) -> [Step] {
        let customer = launch.customer
        switch customer.prompt {
        case nil: return []
        case .confirm:
            return [
                Step(weight: 40, name: "agree") { customer.answerConfirmation(true) },
                Step(weight: 2, name: "cancel") { customer.answerConfirmation(false) },
            ]
        case .signIn:
            let first = accounts[0].email
            let second = accounts[1].email
            return [
                Step(weight: 40, name: "sign in") { customer.answerSignIn(email: first) },
                Step(weight: 2, name: "sign in the other") { customer.answerSignIn(email: second) },
                Step(weight: 1, name: "type a wrong password") {
                    customer.answerSignIn(email: first, password: "wrong-password")
                },
                Step(weight: 1, name: "don't sign in") { customer.answerSignIn(email: nil) },
            ]
        case .redeem:
            return [
                Step(weight: 8, name: "type a code") { [self] in
                    customer.answerRedemption(try makeCode())
                },
                Step(weight: 2, name: "type no code") { customer.answerRedemption(nil) },
            ]
        }
    }

    // MARK: While the app is not running

    private func idleSteps() -> [Step] {
        var steps = [
            Step(weight: 40, name: "launch") { [self] in begin(observers: 1 + random.below(3)) },
            Step(weight: 3, name: "another app signs in") { [self] in
                try signIn(accounts[random.chance(75) ? 0 : 1])
            },
        ]
        if random.once(in: 4) {
            steps.append(Step(weight: 3, name: "lose the journal") { [self] in try loseJournal() })
        }
        return steps
    }
}
