import StoreKit

/// What an app may see through StoreKit 2.
extension AppView {
    /// What the loops and purchases of all launches have had.
    struct Updates {
        /// Transactions that a loop has had, or a purchase has returned.
        var known: Set<String> = []
        /// Those of which a loop has said that they were revoked.
        var revoked: Set<String> = []
        /// What purchases of this launch have returned.
        var returned: Set<String> = []
        /// What this launch has finished, and the queue has not shown.
        var finished: Set<String> = []
        /// Purchases of this launch that have not ended.
        var open: Set<String> = []
    }

    /// A loop over updates has a transaction.
    func hearUpdate(_ result: VerificationResult<Transaction>) {
        guard case .verified(let transaction) = result else {
            return violate("an update is not verified: \(result)")
        }
        let id = transaction.id.description
        note("   app: update \(id)\(transaction.revocationDate == nil ? "" : ", revoked")")
        if transaction.revocationDate != nil {
            updates.revoked.insert(id)
        } else if updates.returned.contains(id) {
            violate("\(id) was returned by its purchase, and is an update, too")
        }
        updates.known.insert(id)
    }

    /// A purchase has ended.
    func hearPurchase(_ result: Product.PurchaseResult, tag: String) {
        updates.open.remove(tag)
        guard case .success(let signed) = result else {
            return note("   app: the purchase \(tag.prefix(8)) gives \(result)")
        }
        guard case .verified(let transaction) = signed else {
            return violate("a purchase is not verified: \(signed)")
        }
        let id = transaction.id.description
        note("   app: the purchase \(tag.prefix(8)) gives \(id)")
        if transaction.appAccountToken?.uuidString.lowercased() != tag {
            violate("the purchase \(tag) gives \(id), which is another's")
        }
        updates.returned.insert(id)
        updates.known.insert(id)
    }

    /// Nothing goes on by itself any more: what waits for somebody's decision has said so.
    func checkPending() {
        for item in shown where item.sight.state == .deferred {
            guard let tag = item.sight.tag, updates.open.contains(tag) else { continue }
            violate("the purchase \(tag) is pending, and gives nothing")
        }
    }

    /// A purchase was not made, or nobody can say.
    func hearError(_ error: any Error, tag: String) {
        updates.open.remove(tag)
        note("   app: the purchase \(tag.prefix(8)) fails: \(error)")
    }

    /// The app finishes a transaction of StoreKit 2.
    func askUpdate(_ transaction: Transaction) {
        let id = transaction.id.description
        if let index = shown.lastIndex(where: { $0.sight.identifier == id && !$0.isRemoved }) {
            ask(at: index)
        } else {
            // The history may be ahead of the queue, which finishes it when it has it.
            updates.finished.insert(id)
        }
    }

    /// The app may have finished what the queue shows only now.
    func askIfFinished(at index: Int) {
        guard shown[index].sight.state == .purchased, let id = shown[index].sight.identifier,
            updates.finished.remove(id) != nil
        else { return }
        ask(at: index)
    }
}
