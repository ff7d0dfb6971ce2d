import Foundation
import StoreModel

/// The outbox of notifications: where an app's server wants none, nothing is written.
extension UnitOfWork {
    /// Notifies the app's server of a transaction.
    ///
    /// - Parameters:
    ///   - subscription: as it stands after what happened; nil for what is no subscription, and
    ///     for what came through a family.
    ///   - consumptionReason: why a customer wants their money back.
    func notify(
        _ type: NotificationType, _ subtype: NotificationSubtype? = nil, of id: TransactionID,
        subscription: Subscription? = nil, consumptionReason: String? = nil
    ) throws {
        guard let entry = try ledger.entry(id) else { return }
        try notify(
            type, subtype, of: entry, subscription: subscription,
            consumptionReason: consumptionReason)
    }

    /// As above, of a transaction that was read already: nothing of it is read again where nobody
    /// wants to hear of it.
    func notify(
        _ type: NotificationType, _ subtype: NotificationSubtype? = nil, of entry: LedgerEntry,
        subscription: Subscription? = nil, consumptionReason: String? = nil
    ) throws {
        let details = entry.details
        guard try wantsNotifications(AppScope(app: details.app, environment: details.environment)),
            let record = try transactions.record(entry.id)
        else { return }
        let renewal =
            try subscription.map {
                try renewalInformation(on: $0)
            } ?? renewalInformation(ofShare: record)
        _ = try notifications.append(
            NotificationDraft(
                app: details.app, environment: details.environment, type: type, subtype: subtype,
                account: details.account, transaction: entry.id,
                facts: NotificationFacts(
                    transaction: record.facts, renewal: renewal,
                    consumptionReason: consumptionReason)), at: now)
    }

    /// Notifies an app's server of what became of a subscription: once for who pays for it, and once for each
    /// member of the family with whom the running period is shared.
    func notifyWithFamily(
        _ type: NotificationType, _ subtype: NotificationSubtype?, of subscription: Subscription
    ) throws {
        try notify(type, subtype, of: subscription.latest, subscription: subscription)
        let lane = AppScope(app: subscription.app, environment: subscription.environment)
        guard try wantsNotifications(lane) else { return }
        for share in try families.shares(of: subscription.latest) {
            try notify(type, subtype, of: share)
        }
    }

    /// Notifies an app's server of how a request to extend many subscriptions ended.
    func notify(_ extension: MassExtension) throws {
        guard
            try wantsNotifications(
                AppScope(app: `extension`.app, environment: `extension`.environment))
        else { return }
        _ = try notifications.append(
            NotificationDraft(
                app: `extension`.app, environment: `extension`.environment,
                type: .renewalExtension, subtype: .summary,
                facts: NotificationFacts(summary: ExtensionSummary(`extension`))), at: now)
    }

    /// Sends an app's server a test notification.
    ///
    /// - Returns: nil where the app has no URL.
    func notifyOfTest(_ lane: AppScope) throws -> StoreNotification? {
        guard try wantsNotifications(lane) else { return nil }
        return try notifications.append(
            NotificationDraft(app: lane.app, environment: lane.environment, type: .test), at: now)
    }

    /// Whether an app's server wants to hear of an environment, in this form.
    func wantsNotifications(_ lane: AppScope) throws -> Bool {
        try notifications.target(of: lane.app, in: lane.environment)?.version == .v2
    }
}
