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

    /// Tells the devices of an account that a subscription of an app stands otherwise.
    func tellDevicesOfSubscription(of account: AccountID, in app: AppID) throws {
        try events.append(
            DeviceEventDraft(account: account, app: app, kind: .subscription), at: now)
    }
}
