import Foundation
import StoreModel

/// Writes notifications inside a transaction: where an app's server wants none, nothing is written.
struct Outbox {
    private let repositories: StoreRepositories
    private let date: Date

    init(_ repositories: StoreRepositories, at date: Date) {
        self.repositories = repositories
        self.date = date
    }

    /// Tells of a transaction.
    ///
    /// - Parameters:
    ///   - subscription: as it stands after what happened; nil for what is no subscription, and
    ///     for what came through a family.
    ///   - consumptionReason: why a customer wants their money back.
    func tell(
        _ type: NotificationType, _ subtype: NotificationSubtype? = nil, of id: TransactionID,
        subscription: Subscription? = nil, consumptionReason: String? = nil
    ) throws {
        guard let entry = try repositories.ledger.entry(id) else { return }
        try tell(
            type, subtype, of: entry, subscription: subscription,
            consumptionReason: consumptionReason)
    }

    /// As above, of a transaction that was read already: nothing of it is read again where nobody
    /// wants to hear of it.
    func tell(
        _ type: NotificationType, _ subtype: NotificationSubtype? = nil, of entry: LedgerEntry,
        subscription: Subscription? = nil, consumptionReason: String? = nil
    ) throws {
        let details = entry.details
        guard try isWanted(AppScope(app: details.app, environment: details.environment)),
            let record = try repositories.transactions.record(entry.id)
        else { return }
        let renewal =
            try subscription.map {
                try SubscriptionReader(repositories, at: date).information(on: $0)
            } ?? SubscriptionStatusReader(repositories, at: date).information(ofShare: record)
        _ = try repositories.notifications.append(
            NotificationDraft(
                app: details.app, environment: details.environment, type: type, subtype: subtype,
                account: details.account, transaction: entry.id,
                facts: NotificationFacts(
                    transaction: record.facts, renewal: renewal,
                    consumptionReason: consumptionReason)), at: date)
    }

    /// Tells how a request to extend many subscriptions ended.
    func tell(_ extension: MassExtension) throws {
        guard
            try isWanted(
                AppScope(app: `extension`.app, environment: `extension`.environment))
        else { return }
        _ = try repositories.notifications.append(
            NotificationDraft(
                app: `extension`.app, environment: `extension`.environment,
                type: .renewalExtension, subtype: .summary,
                facts: NotificationFacts(summary: ExtensionSummary(`extension`))), at: date)
    }

    /// Tells an app's server that it is heard of.
    ///
    /// - Returns: nil where the app has no URL.
    func test(_ lane: AppScope) throws -> StoreNotification? {
        guard try isWanted(lane) else { return nil }
        return try repositories.notifications.append(
            NotificationDraft(app: lane.app, environment: lane.environment, type: .test), at: date)
    }

    /// Whether an app's server wants to hear of an environment, in this form.
    func isWanted(_ lane: AppScope) throws -> Bool {
        try repositories.notifications.target(of: lane.app, in: lane.environment)?.version == .v2
    }
}
