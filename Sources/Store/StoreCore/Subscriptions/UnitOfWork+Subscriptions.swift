import Foundation
import StoreModel

extension UnitOfWork {
    /// Saves a subscription, and tells the devices of who pays for it.
    ///
    /// - Parameter isShared: whether those hear of it too with whom the running period is shared;
    ///   false where it is a new period, or a period that ends, for sharing and its end tell them.
    ///   Nothing is read then: on PostgreSQL, reading among the newest rows would be in the way of
    ///   all who add one beside them.
    func save(_ subscription: Subscription, isShared: Bool) throws {
        try renewals.save(subscription)
        try tellDevicesOfSubscription(of: subscription.account, in: subscription.app)
        guard isShared else { return }
        for share in try families.shares(of: subscription.latest) {
            try tellDevicesOfSubscription(of: share.details.account, in: subscription.app)
        }
    }

    /// The account token of what a subscription goes on with: of the last change of plan, of the publisher's
    /// server, or of the order of the last period.
    ///
    /// - Parameter last: the transaction of that period, where it was read already.
    func nextAccountToken(of subscription: Subscription, after last: LedgerEntry? = nil) throws
        -> String?
    {
        if let token = subscription.accountToken { return token }
        if let token = try transactions.accountToken(of: subscription.latest) { return token }
        return try (last ?? ledger.entry(subscription.latest))?.details.applicationUsername
    }

    /// Notes that the account token of a new period is the publisher's server's, where that of the period
    /// before was: who restores it gets no other.
    func keepAccountToken(of earlier: Subscription, for entry: LedgerEntry) throws {
        guard let token = try transactions.accountToken(of: earlier.latest),
            token == entry.details.applicationUsername
        else { return }
        try transactions.setAccountToken(token, of: entry.id, at: now)
    }

    /// Tells whom the last period was shared with, and the publisher's server, that it ends for them: the
    /// subscription goes on with a product that is not shared.
    ///
    /// - Parameter earlier: as the subscription was then.
    func endShares(of earlier: Subscription) throws {
        for share in try families.shares(of: earlier.latest) {
            try notify(.expired, of: share)
            try tellDevicesOfSubscription(of: share.details.account, in: earlier.app)
        }
    }

    /// Tells the devices of an account that a subscription of an app stands otherwise.
    func tellDevicesOfSubscription(of account: AccountID, in app: AppID) throws {
        try events.append(
            DeviceEventDraft(account: account, app: app, kind: .subscription), at: now)
    }
}
