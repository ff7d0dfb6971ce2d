import Foundation
import StoreModel

/// What families share.
extension UnitOfWork {
    /// What the publisher's server is told of a purchase.
    typealias NotificationTypes = (type: NotificationType, subtype: NotificationSubtype?)

    /// Gives a purchase to everybody in the buyer's family.
    ///
    /// - Parameter types: the notification that tells of the buyer. Members who had the subscription before
    ///   get the same type; other members get that of a new share.
    func shareWithFamily(_ entry: LedgerEntry, as types: NotificationTypes? = nil) throws {
        guard let family = try families.family(of: entry.details.account) else {
            return
        }
        for member in family.everybody where member != entry.details.account {
            try share(entry, with: member, as: types)
        }
    }

    /// Gives a purchase to one account of the buyer's family, which may have had it before.
    func share(_ entry: LedgerEntry, with member: AccountID, as types: NotificationTypes? = nil)
        throws
    {
        guard let record = try transactions.record(entry.id),
            record.facts.revocation == nil, !record.facts.isUpgraded, record.shared == nil,
            try accounts.account(member) != nil
        else { return }
        switch entry.details.productType {
        case .consumable, .nonRenewingSubscription: return
        case .nonConsumable:
            guard entry.details.original == nil else { return }
        case .autoRenewableSubscription:
            guard record.isPaidPeriod, let end = record.facts.expiration, end > now else { return }
        }
        guard try !families.shares(of: entry.id).contains(where: { $0.details.account == member })
        else { return }
        let times = try families.shareCount(of: entry.id, with: member)
        let types = try memberTypes(of: record, with: member, types)
        var draft = entry.details
        draft.account = member
        draft.key = "family-share.\(entry.id)" + (times == 0 ? "" : ".\(times + 1)")
        // No device has asked for it: members restore it.
        draft.device = "family"
        draft.charged.thousandths = 0
        draft.applicationUsername = nil
        draft.date = now
        draft.original = try earlierShare(of: entry, by: member)
        let shared = try ledger.insert(draft)
        try families.recordShare(shared.id, of: entry.id)
        if let group = record.group, let end = record.facts.expiration,
            var subscription = try renewals.subscription(entry.original.id)
        {
            subscription = Subscription(
                original: shared.original, account: member, environment: draft.environment,
                app: draft.app, group: group, product: draft.productID,
                renewalProduct: subscription.renewalProduct, renews: subscription.renews,
                state: .active, latest: shared.id, start: subscription.start, expiration: end,
                due: end, chosen: now)
            try renewals.insertPeriod(
                shared.id, of: subscription, end: end, reason: record.reason)
            try tellDevicesOfSubscription(of: member, in: draft.app)
        }
        try events.append(
            DeviceEventDraft(account: member, app: draft.app, kind: .transactions), at: now)
        try notify(types.type, types.subtype, of: shared.id)
    }

    /// What the publisher's server is told where a member is about to get a purchase.
    private func memberTypes(
        of record: TransactionRecord, with member: AccountID, _ types: NotificationTypes?
    ) throws -> NotificationTypes {
        guard let group = record.group else { return (.oneTimeCharge, nil) }
        let (original, app) = (record.entry.original.id, record.entry.details.app)
        let shared = try families.sharedSubscriptions(
            of: HistorySubject(account: member, app: app))
        let goesOn = try shared.contains { share in
            guard share.facts.revocation == nil, let bought = share.shared else { return false }
            return try ledger.entry(bought)?.original.id == original
        }
        if goesOn, let types { return types }
        let own = try renewals.subscription(of: member, app: app, group: group)
        let isKnown = own != nil || shared.contains { $0.group == group }
        return (.subscribed, isKnown ? .resubscribe : .initialBuy)
    }

    /// The first period of the same subscription that the member got.
    private func earlierShare(
        of entry: LedgerEntry, by member: AccountID
    ) throws -> LedgerOriginal? {
        guard entry.details.productType == .autoRenewableSubscription else { return nil }
        return try families.firstShare(
            ofSubscription: entry.original.id, with: member)?.original
    }

    /// Takes from an account what it got through its family.
    func endSharing(of share: LedgerEntry) throws {
        try revoke(
            share, Revocation(transaction: share.id, reason: .other, date: now, kind: .family))
    }
}
