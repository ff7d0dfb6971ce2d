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
        let now = try await database.time(of: .buyer(of: id), clock)
        return try await database.write { repositories in
            guard let entry = try repositories.ledger.entry(id) else { return nil }
            guard try !repositories.transactions.isReversed(entry.revocable) else {
                throw RefundRefusal.reversed
            }
            try Self.revoke(entry, reason: reason, at: now, repositories)
            return entry
        }
    }

    /// As `revoke`, inside a transaction.
    ///
    /// - Returns: whether it was the first time.
    @discardableResult
    static func revoke(
        _ entry: LedgerEntry, reason: Revocation.Reason, at date: Date,
        _ repositories: StoreRepositories
    ) throws -> Bool {
        // Who did not pay for it gets nothing back.
        let kind: Revocation.Kind =
            try repositories.families.isShared(entry.revocable) ? .family : .full
        return try revoke(
            entry,
            Revocation(transaction: entry.revocable, reason: reason, date: date, kind: kind),
            repositories)
    }

    /// Takes a purchase back, with what the family got of it, and tells devices and the publisher's
    /// server.
    ///
    /// - Returns: whether it was the first time.
    @discardableResult
    static func revoke(
        _ entry: LedgerEntry, _ revocation: Revocation, _ repositories: StoreRepositories
    ) throws -> Bool {
        let revocation = try rest(of: revocation, repositories)
        guard try repositories.ledger.recordRevocation(revocation) else { return false }
        let date = revocation.date
        if let request = try repositories.refunds.lastRequest(for: revocation.transaction),
            request.decision == nil
        {
            // Its customer has nothing left to ask for.
            try repositories.refunds.record(.taken(revocation, at: date), on: request)
        }
        var subscription = try repositories.renewals.subscription(entry.original.id)
        if var ended = subscription, ended.latest == revocation.transaction,
            ended.state != .cleared
        {
            // A refusal of a higher price holds when the refund is reversed.
            ended.end(.revoked, ended.intent == .priceIncreaseRefused ? nil : .other)
            try SubscriptionWriter(repositories, at: date).save(ended, isShared: false)
            subscription = ended
        } else if revocation.kind == .family,
            entry.details.productType == .autoRenewableSubscription
        {
            try SubscriptionWriter(repositories, at: date)
                .tell(entry.details.account, in: entry.details.app)
        }
        try repositories.events.append(
            DeviceEventDraft(
                account: entry.details.account, app: entry.details.app,
                kind: try loss(of: entry, repositories, at: date)), at: date)
        try Outbox(repositories, at: date).tell(
            revocation.kind == .family ? .revoke : .refund, of: revocation.transaction,
            subscription: subscription)
        for share in try repositories.families.shares(of: revocation.transaction) {
            try FamilySharing(repositories, at: date).end(share)
        }
        return true
    }

    /// A revocation of what has not come back before, as a better product began.
    private static func rest(
        of revocation: Revocation, _ repositories: StoreRepositories
    ) throws -> Revocation {
        guard revocation.kind != .family,
            let record = try repositories.transactions.record(revocation.transaction)
        else { return revocation }
        var rest = revocation
        rest.percentage = record.refundable(of: revocation.percentage)
        if rest.percentage < Revocation.everything { rest.kind = .prorated }
        return rest
    }

    /// What devices hear of a purchase that was taken back: that the product goes with it, unless
    /// the account has it by something else. What can be used up counts each time.
    private static func loss(
        of entry: LedgerEntry, _ repositories: StoreRepositories, at date: Date
    ) throws -> DeviceEventDraft.Kind {
        let details = entry.details
        let isKept =
            try details.productType.isRestorable
            && repositories.transactions.isEntitled(
                HistorySubject(account: details.account, app: details.app),
                to: details.productID, at: date)
        return isKept ? .transactions : .revocation(details.productID)
    }
}
