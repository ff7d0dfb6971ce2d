import Foundation
import StoreModel

/// Takes purchases back.
extension PurchaseService {
    /// Ends the right to use what a transaction, or the purchase that it restored, was for,
    /// and tells the account's devices.
    ///
    /// - Returns: the product; nil where there is no such transaction.
    /// - Throws: `RefundRefusal.reversed` for what was taken back once, and given again.
    package func revoke(
        _ id: TransactionID, reason: Revocation.Reason
    ) async throws -> LedgerEntry? {
        try await shop.write(for: .buyer(of: id)) { work in
            guard let entry = try work.ledger.entry(id) else { return nil }
            guard try !work.transactions.isReversed(entry.revocable) else {
                throw RefundRefusal.reversed
            }
            try work.revoke(entry, reason: reason)
            return entry
        }
    }
}

extension UnitOfWork {
    /// Ends the right to use what a transaction, or the purchase that it restored, was for.
    ///
    /// - Returns: whether it was the first time.
    @discardableResult
    func revoke(_ entry: LedgerEntry, reason: Revocation.Reason) throws -> Bool {
        // Who did not pay for it gets nothing back.
        let kind: Revocation.Kind =
            try families.isShared(entry.revocable) ? .family : .full
        return try revoke(
            entry, Revocation(transaction: entry.revocable, reason: reason, date: now, kind: kind))
    }

    /// Takes a purchase back now, with what the family got of it, and tells devices and the publisher's
    /// server.
    ///
    /// - Returns: whether it was the first time.
    @discardableResult
    func revoke(_ entry: LedgerEntry, _ revocation: Revocation) throws -> Bool {
        var revocation = try rest(of: revocation)
        revocation.date = now
        guard try ledger.recordRevocation(revocation) else { return false }
        if let request = try refunds.lastRequest(for: revocation.transaction),
            request.decision == nil
        {
            // Its customer has nothing left to ask for.
            try refunds.record(.taken(revocation, at: now), on: request)
        }
        var subscription = try renewals.subscription(entry.original.id)
        if var ended = subscription, ended.latest == revocation.transaction,
            ended.state != .cleared
        {
            // A refusal of a higher price holds when the refund is reversed.
            ended.end(.revoked, ended.intent == .priceIncreaseRefused ? nil : .other)
            try save(ended, isShared: false)
            subscription = ended
        } else if revocation.kind == .family,
            entry.details.productType == .autoRenewableSubscription
        {
            try tellDevicesOfSubscription(of: entry.details.account, in: entry.details.app)
        }
        try events.append(
            DeviceEventDraft(
                account: entry.details.account, app: entry.details.app,
                kind: try loss(of: entry)), at: now)
        try notify(
            revocation.kind == .family ? .revoke : .refund, of: revocation.transaction,
            subscription: subscription)
        for share in try families.shares(of: revocation.transaction) {
            try endSharing(of: share)
        }
        return true
    }

    /// A revocation of what has not come back before, as a better product began.
    private func rest(of revocation: Revocation) throws -> Revocation {
        guard revocation.kind != .family,
            let record = try transactions.record(revocation.transaction)
        else { return revocation }
        var rest = revocation
        rest.percentage = record.refundable(of: revocation.percentage)
        if rest.percentage < Revocation.everything { rest.kind = .prorated }
        return rest
    }

    /// What devices hear of a purchase that was taken back: that the product goes with it, unless
    /// the account has it by something else. What can be used up counts each time.
    private func loss(of entry: LedgerEntry) throws -> DeviceEventDraft.Kind {
        let details = entry.details
        let isKept =
            try details.productType.isRestorable
            && transactions.isEntitled(
                HistorySubject(account: details.account, app: details.app),
                to: details.productID, at: now)
        return isKept ? .transactions : .revocation(details.productID)
    }
}
