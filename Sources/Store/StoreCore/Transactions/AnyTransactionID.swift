import StoreModel

/// A number by which servers name a customer: that of any transaction, or of an app transaction.
package enum AnyTransactionID: Sendable, Hashable {
    case transaction(TransactionID)
    case app(AppTransactionID)

    /// Nil for a text that is no number of a transaction.
    package init?(_ text: String) {
        guard let id = TransactionID(text), id.number > 0 else { return nil }
        self =
            id.number > AppTransactionID.beginning
            ? .app(AppTransactionID(number: id.number)) : .transaction(id)
    }
}

extension AppTransactionID {
    /// Numbers of app transactions lie above, those of transactions below.
    package static let beginning: Int64 = 700_000_000_000_000_000
}

/// Why a publisher's server gets no answer about a transaction.
package enum TransactionRefusal: Error, Sendable, Hashable {
    /// There is none with this number, or of another app, or it is cleared.
    case notFound
    /// The account was deleted.
    case accountNotFound
    case notOriginal
    case shared
}

/// Finds what publishers' servers ask about, inside a transaction of the database.
package struct TransactionSearch {
    private let scope: AppScope
    private let repositories: StoreRepositories

    package init(_ scope: AppScope, _ repositories: StoreRepositories) {
        self.scope = scope
        self.repositories = repositories
    }

    /// A transaction that servers may see: what repeats or restores another too.
    ///
    /// - Throws: `TransactionRefusal`.
    package func record(_ id: TransactionID) throws -> TransactionRecord {
        guard let record = try repositories.transactions.record(id),
            record.entry.details.app == scope.app,
            record.entry.details.environment == scope.environment, try isVisible(record)
        else { throw TransactionRefusal.notFound }
        return record
    }

    private func isVisible(_ record: TransactionRecord) throws -> Bool {
        if try repositories.transactions.isInHistory(record.id) { return true }
        guard record.entry.details.original != nil else { return false }
        return try repositories.transactions.isInHistory(record.entry.original.id)
    }

    /// The customer that a number belongs to.
    ///
    /// - Throws: `TransactionRefusal`.
    package func subject(of id: AnyTransactionID) throws -> HistorySubject {
        let account: AccountID
        switch id {
        case .transaction(let id): account = try record(id).entry.details.account
        case .app(let id): account = try appTransaction(id).account
        }
        if scope.environment == .sandbox,
            try repositories.testers.status(of: account) == .deleted
        {
            throw TransactionRefusal.accountNotFound
        }
        return HistorySubject(account: account, app: scope.app)
    }

    /// - Throws: `TransactionRefusal`.
    package func appTransaction(_ id: AppTransactionID) throws -> AppTransaction {
        guard let found = try repositories.transactions.appTransaction(id),
            found.app == scope.app, found.environment == scope.environment
        else { throw TransactionRefusal.notFound }
        return found
    }
}
