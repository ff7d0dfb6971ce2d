import Foundation

/// How a customer's subscription stands, whoever pays for it.
package struct SubscriptionStatus: Sendable, Hashable {
    package let group: String
    /// 1 active, 2 expired, 3 in billing retry, 4 in grace, 5 revoked.
    package let status: Int
    /// The running or last period.
    package let record: TransactionRecord
    /// Nil where nothing is known of a renewal.
    package let information: RenewalInformation?
}

extension SubscriptionStatus {
    /// The status of a period that a family shares.
    ///
    /// - Parameter sharer: the subscription that it comes from.
    package static func status(
        of share: TransactionRecord, from sharer: Subscription?, at now: Date
    ) -> Int {
        if share.facts.revocation != nil { return 5 }
        guard let sharer, sharer.latest == share.shared else {
            return share.facts.expiration.map { $0 > now } == true ? 1 : 2
        }
        switch sharer.state {
        case .active, .grace, .retry: return sharer.status
        case .expired, .revoked, .cleared: break
        }
        return share.facts.expiration.map { $0 > now } == true ? 1 : 2
    }
}

/// How an account's subscriptions stand.
extension UnitOfWork {
    /// Everything of an account in an app: what it bought first, then what its family shares.
    package func subscriptionStatuses(of subject: HistorySubject) throws -> [SubscriptionStatus] {
        try ownStatuses(of: subject) + sharedStatuses(with: subject)
    }

    private func ownStatuses(of subject: HistorySubject) throws -> [SubscriptionStatus] {
        let subscriptions = try renewals.subscriptions(
            of: subject.account, app: subject.app)
        return try subscriptions.compactMap { subscription in
            guard let record = try transactions.record(subscription.latest) else {
                return nil
            }
            return SubscriptionStatus(
                group: subscription.group, status: subscription.status, record: record,
                information: try renewalInformation(on: subscription))
        }
    }

    private func sharedStatuses(with subject: HistorySubject) throws -> [SubscriptionStatus] {
        try families.sharedSubscriptions(of: subject).compactMap { record in
            guard let group = record.group else { return nil }
            let sharer = try sharer(of: record)
            let status = SubscriptionStatus.status(of: record, from: sharer, at: now)
            return SubscriptionStatus(
                group: group, status: status, record: record,
                information: try sharer.map { try renewalInformation(on: record, from: $0, status) }
            )
        }
    }

    /// What renewal means for whom a period is shared with; nil for what is no such period.
    func renewalInformation(ofShare record: TransactionRecord) throws -> RenewalInformation? {
        guard record.group != nil, let sharer = try sharer(of: record) else { return nil }
        return try renewalInformation(
            on: record, from: sharer, SubscriptionStatus.status(of: record, from: sharer, at: now))
    }

    /// The subscription that a shared period comes from.
    private func sharer(of record: TransactionRecord) throws -> Subscription? {
        guard let shared = record.shared, let bought = try ledger.entry(shared) else {
            return nil
        }
        return try renewals.subscription(bought.original.id)
    }

    /// What renewal means for whom it is shared with: the same as for who pays, but for the price.
    private func renewalInformation(
        on record: TransactionRecord, from sharer: Subscription, _ status: Int
    ) throws -> RenewalInformation {
        var information = try renewalInformation(on: sharer)
        information.originalID = record.entry.original.id
        information.product = record.entry.details.productID
        information.renewalPrice = nil
        information.offer = nil
        information.winBackOffers = nil
        information.priceIncrease = nil
        information.accountToken = record.facts.accountToken
        information.status = status
        let isLeftBehind = status == 2 && sharer.latest != record.shared
        if record.facts.revocation != nil || isLeftBehind {
            // It is the sharer's own affair by now.
            information.renews = false
            information.isInRetry = false
            information.graceEnd = nil
            information.intent = .other
            information.renewalDate = record.facts.expiration ?? information.renewalDate
        }
        return information
    }
}
