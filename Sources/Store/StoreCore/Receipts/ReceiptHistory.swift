import Foundation
import StoreModel

/// Whose receipt it is, as the receipt itself says.
package enum ReceiptHolder: Sendable, Hashable {
    case appTransaction(AppTransactionID)
    /// Of receipts that say no more: somebody who has bought something.
    case transaction(TransactionID)
}

/// What a publisher's server asks about a receipt whose signature is right.
package struct ReceiptQuestion: Sendable {
    package var bundleID: BundleID
    package var environment: StoreEnvironment
    /// Nil where the receipt does not say.
    package var holder: ReceiptHolder?
    /// Whether subscriptions are in the receipt: then everything is told that the account has,
    /// to whoever knows a secret.
    package var hasSubscriptions: Bool
    /// Whether older transactions of each subscription are left out.
    package var withoutOld: Bool
    /// Whether the question came with one of these secrets; nil for a question without any.
    package var opens: (@Sendable ([String]) -> Bool)?

    package init(
        bundleID: BundleID, environment: StoreEnvironment, holder: ReceiptHolder?,
        hasSubscriptions: Bool, withoutOld: Bool, opens: (@Sendable ([String]) -> Bool)?
    ) {
        self.bundleID = bundleID
        self.environment = environment
        self.holder = holder
        self.hasSubscriptions = hasSubscriptions
        self.withoutOld = withoutOld
        self.opens = opens
    }
}

/// Why a publisher's server is told nothing about a receipt.
package enum ReceiptRefusal: Error, Sendable, Hashable {
    case wrongSecret
    /// The account was deleted, or the store does not know it.
    case accountNotFound
    /// The store has signed the receipt, and has no such app.
    case appNotFound
}

/// What an account has in an app today.
package struct ReceiptHistory: Sendable, Hashable {
    /// What receipts show now, oldest first.
    package let purchases: [TransactionRecord]
    /// The same, newest first, without what the question leaves out.
    package let latest: [TransactionRecord]
    package let renewals: [RenewalInformation]
}

/// How a transaction stands today.
package struct TransactionStatus: Sendable, Hashable {
    package let record: TransactionRecord
    /// The subscription that it belongs to.
    package let subscription: SubscriptionStatus?
}

extension SubscriptionStatus {
    /// Whether the customer has it, also where a payment has failed that the store still tries to
    /// get.
    package var isEntitled: Bool { status == 1 || status == 4 }
}

/// Answers questions about receipts, inside a transaction of the database.
package struct ReceiptLookup {
    private let work: UnitOfWork

    package init(_ work: UnitOfWork) {
        self.work = work
    }

    /// What there is to say beside the receipt itself; nil where it has no subscriptions.
    ///
    /// - Throws: `ReceiptRefusal`.
    package func history(for question: ReceiptQuestion) throws -> ReceiptHistory? {
        let app = try app(for: question)
        guard let holder = question.holder else { return nil }
        let account = try account(of: holder, in: app, question.environment)
        guard question.hasSubscriptions else { return nil }
        return try history(
            of: HistorySubject(account: account, app: app.id), withoutOld: question.withoutOld)
    }

    /// How the one transaction of a receipt stands.
    ///
    /// - Throws: `ReceiptRefusal`.
    package func status(
        of id: TransactionID, for question: ReceiptQuestion
    ) throws -> TransactionStatus {
        let app = try app(for: question)
        _ = try account(of: .transaction(id), in: app, question.environment)
        guard let record = try work.transactions.record(id) else {
            throw ReceiptRefusal.accountNotFound
        }
        return TransactionStatus(record: record, subscription: try subscription(of: record))
    }

    /// The date of the sandbox clock that the account follows; nil for none.
    package func time(of question: ReceiptQuestion) throws -> Date? {
        switch question.holder {
        case .appTransaction(let id): try work.sandboxClocks.date(for: .holder(of: id))
        case .transaction(let id): try work.sandboxClocks.date(for: .buyer(of: id))
        case nil: nil
        }
    }

    // MARK: Parts

    /// The app of a receipt, for whoever knows a secret where it takes one.
    private func app(for question: ReceiptQuestion) throws -> App {
        guard let app = try work.catalog.app(question.bundleID) else {
            throw ReceiptRefusal.appNotFound
        }
        if let opens = question.opens {
            guard opens(try work.sharedSecrets.secrets(opening: app.id)) else {
                throw ReceiptRefusal.wrongSecret
            }
        } else if question.hasSubscriptions {
            throw ReceiptRefusal.wrongSecret
        }
        return app
    }

    private func account(
        of holder: ReceiptHolder, in app: App, _ environment: StoreEnvironment
    ) throws -> AccountID {
        let found: (account: AccountID, app: AppID, environment: StoreEnvironment)?
        switch holder {
        case .appTransaction(let id):
            found = try work.transactions.appTransaction(id)
                .map { ($0.account, $0.app, $0.environment) }
        case .transaction(let id):
            found = try work.ledger.entry(id)
                .map { ($0.details.account, $0.details.app, $0.details.environment) }
        }
        guard let found, found.app == app.id, found.environment == environment,
            try environment == .production
                || work.testers.status(of: found.account) == .active
        else { throw ReceiptRefusal.accountNotFound }
        return found.account
    }

    private func history(of subject: HistorySubject, withoutOld: Bool) throws -> ReceiptHistory {
        let purchases = ReceiptRules.latest(
            try work.transactions.recordsInUse(
                of: subject, limit: ReceiptRules.limit))
        let newest = Array(purchases.reversed())
        return ReceiptHistory(
            purchases: purchases,
            latest: withoutOld ? ReceiptRules.withoutOld(newest) : newest,
            renewals: try statuses(of: subject).compactMap(\.information))
    }

    private func subscription(of record: TransactionRecord) throws -> SubscriptionStatus? {
        guard let group = record.group else { return nil }
        let details = record.entry.details
        let subject = HistorySubject(account: details.account, app: details.app)
        // Nothing is known of the renewal of what was cleared.
        return try statuses(of: subject)
            .first { $0.record.entry.original.id == record.entry.original.id }
            ?? SubscriptionStatus(
                group: group,
                status: SubscriptionStatus.status(
                    of: record, from: nil, at: try atTime(of: subject).now),
                record: record, information: nil)
    }

    private func statuses(of subject: HistorySubject) throws -> [SubscriptionStatus] {
        try atTime(of: subject).subscriptionStatuses(of: subject)
    }

    private func atTime(of subject: HistorySubject) throws -> UnitOfWork {
        try work.at(.account(subject.account, app: subject.app))
    }
}
