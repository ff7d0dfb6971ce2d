import StoreKit

/// Which sights of a transaction are legal.
extension AppView {
    func update(_ transaction: SKPaymentTransaction) {
        let sight = ObservedTransaction(transaction)
        if let index = shown.firstIndex(where: { $0.transaction === transaction }) {
            let before = shown[index].sight
            if shown[index].isRemoved { violate("\(sight) is updated after it has left") }
            if shown[index].isFinishing { violate("\(sight) is updated after it was finished") }
            if !Self.follows(sight.state, before.state) {
                violate("\(before) becomes \(sight.state.name)")
            }
            shown[index].sight = sight
            askIfFinished(at: index)
        } else {
            appear(sight)
            shown.append(Shown(transaction: transaction, sight: sight))
            askIfFinished(at: shown.count - 1)
        }
        check(sight)
    }

    func remove(_ transaction: SKPaymentTransaction) {
        guard let index = shown.firstIndex(where: { $0.transaction === transaction }) else {
            return violate("\(ObservedTransaction(transaction)) leaves and was never there")
        }
        let sight = shown[index].sight
        if shown[index].isRemoved { violate("\(sight) leaves twice") }
        if !shown[index].isFinishing {
            if isFailedCall(sight) {
                ask(at: index)
            } else {
                violate("\(sight) leaves and was not finished")
            }
        }
        shown[index].isRemoved = true
        // Restored anew while it was being finished, it is there.
        if let identifier = sight.identifier,
            !shown.contains(where: { !$0.isRemoved && $0.sight.identifier == identifier })
        {
            finished.insert(identifier)
            if isRestoring, sight.isRestored { mayReturn.insert(identifier) }
        }
        // A late copy of its order may sell what the store has lost.
        if let tag = sight.tag, !sight.isResolution, !isLost(sight), !isLostRefusal(sight) {
            payments[tag]?.isRemoved = true
        }
    }

    /// Whether it is over with the answer of the call of StoreKit 2 that began it: nobody finishes it.
    private func isFailedCall(_ sight: ObservedTransaction) -> Bool {
        sight.state == .failed && sight.tag.flatMap { payments[$0]?.isFromProduct } ?? false
    }

    /// Whether the app is to finish it.
    func isFinishable(_ sight: ObservedTransaction) -> Bool {
        sight.state != .purchasing && sight.state != .deferred && !isFailedCall(sight)
    }

    /// What failed does not stay: the queue would show it at each launch.
    func checkFailedCalls() {
        for item in shown where !item.isRemoved && isFailedCall(item.sight) {
            violate("\(item.sight) stays in the queue")
        }
    }

    /// Whether one state may follow another in the same launch.
    private static func follows(
        _ new: SKPaymentTransactionState, _ old: SKPaymentTransactionState
    ) -> Bool {
        switch (old, new) {
        case (.purchasing, .purchased), (.purchasing, .failed), (.purchasing, .deferred),
            (.deferred, .purchased), (.deferred, .failed):
            true
        default: false
        }
    }

    /// Whether a payment may be in one state at a launch when it was in another before.
    private static func survives(
        _ new: SKPaymentTransactionState, _ old: SKPaymentTransactionState
    ) -> Bool {
        new == old || follows(new, old)
    }

    /// A transaction that this launch has not shown yet.
    private func appear(_ sight: ObservedTransaction) {
        // What was delivered before is no payment that was seen unsold.
        let isKnown = sight.identifier.map(delivered.contains) ?? false
        // Several payments of the store for one product look alike: the one that stands so.
        let alike = owed.indices.filter {
            owed[$0].isSame(as: sight) && (owed[$0].identifier != nil || !isKnown)
        }
        let fitting =
            alike.first { owed[$0].state == sight.state }
            ?? alike.first { Self.survives(sight.state, owed[$0].state) }
        if fitting == nil, let index = unwritten.firstIndex(where: { $0.isSame(as: sight) }) {
            unwritten.remove(at: index)
        } else if let index = fitting ?? alike.first {
            let before = owed.remove(at: index)
            if !Self.survives(sight.state, before.state) {
                violate("\(before) comes back as \(sight.state.name)")
            }
        }
        if let identifier = sight.identifier {
            // What is being finished may be restored meanwhile.
            if shown.contains(where: {
                $0.sight.identifier == identifier && !($0.isFinishing && sight.isRestored)
            }) {
                violate("\(sight) is shown twice")
            }
            if sight.isRestored { restored.insert(identifier) }
            if mayReturn.remove(identifier) != nil {
                finished.remove(identifier)
                if let tag = sight.tag, !sight.isResolution { payments[tag]?.isRemoved = false }
            }
            if finished.contains(identifier) { violate("\(sight) was finished and comes back") }
        }
        guard let tag = sight.tag, !sight.isResolution else { return }
        guard let payment = payments[tag] else { return violate("\(sight) was never added") }
        if payment.isRemoved {
            violate("\(sight) was finished and comes back")
        }
        if shown.contains(where: {
            $0.sight.tag == tag && !$0.sight.isResolution && !isLost($0.sight)
                && !isLostRefusal($0.sight)
        }) {
            violate("\(sight) is shown as a second transaction of its payment")
        }
        // A refusal that the store has lost stays beside what the store has sold since.
        if let before = payment.state, !isLostRefusal(sight),
            !Self.survives(sight.state, before)
        {
            violate("\(sight) was \(before.name) in an earlier launch")
        }
    }

    private func isLost(_ sight: ObservedTransaction) -> Bool {
        sight.identifier.map(lost.contains) ?? false
    }

    /// Whether the store has lost that it had refused the order.
    private func isLostRefusal(_ sight: ObservedTransaction) -> Bool {
        sight.state == .failed && sight.tag.flatMap { payments[$0]?.hasLostRefusal } ?? false
    }

    /// What a sight says about its payment.
    private func check(_ sight: ObservedTransaction) {
        let isSold = sight.state == .purchased || sight.state == .restored
        if isSold != (sight.identifier != nil) { violate("\(sight): an identifier is wrong") }
        if sight.isRestored != (sight.original != nil) { violate("\(sight): an original is wrong") }
        if let identifier = sight.identifier { delivered.insert(identifier) }
        guard let tag = sight.tag, var payment = payments[tag] else { return }
        defer { payments[tag] = payment }
        if payment.product != sight.product || payment.quantity != sight.quantity {
            violate("\(sight) is not what was added")
        }
        guard !sight.isResolution else {
            payment.resolutions.insert(sight.identifier ?? "")
            if payment.resolutions.count > 1 { violate("\(sight) is a second resolution") }
            return
        }
        payment.state = isLostRefusal(sight) ? nil : sight.state
        if sight.state == .failed, !payment.hasLostRefusal { payment.hasFailed = true }
        if let identifier = sight.identifier, lost.contains(identifier) {
            // Its answer was on its way while the store forgot it.
            payment.hasLostSale = true
            return
        }
        if sight.state == .purchased {
            payment.transactions.insert(sight.identifier ?? "")
            if payment.transactions.count > 1 { violate("\(sight) is a second transaction") }
            if payment.hasFailed { violate("\(sight) has failed before") }
        }
    }
}
