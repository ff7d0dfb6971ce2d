import Foundation
import StoreModel

/// Writes how subscriptions stand, and tells devices, inside a transaction.
struct SubscriptionWriter {
    private let repositories: StoreRepositories
    private let date: Date

    init(_ repositories: StoreRepositories, at date: Date) {
        self.repositories = repositories
        self.date = date
    }

    /// Saves a subscription, and tells the devices of who pays for it.
    ///
    /// - Parameter isShared: whether those hear of it too with whom the running period is shared;
    ///   false where it is a new period, or a period that ends, for sharing and its end tell them.
    ///   Nothing is read then: on PostgreSQL, reading among the newest rows would be in the way of
    ///   all who add one beside them.
    func save(_ subscription: Subscription, isShared: Bool) throws {
        try repositories.renewals.save(subscription)
        try tell(subscription.account, in: subscription.app)
        guard isShared else { return }
        for share in try repositories.families.shares(of: subscription.latest) {
            try tell(share.details.account, in: subscription.app)
        }
    }

    /// Tells the devices of an account that a subscription of an app stands otherwise.
    func tell(_ account: AccountID, in app: AppID) throws {
        try repositories.events.append(
            DeviceEventDraft(account: account, app: app, kind: .subscription), at: date)
    }
}
