import Foundation
import StoreModel

/// Answers publishers' servers about what customers have bought.
package struct HistoryService: Sendable {
    /// As many transactions as a page has.
    package static let pageSize = 20
    /// The same for devices.
    package static let devicePageSize = 100
    private static let step = 200

    private let database: any ShopDatabase
    private let walkLimit: Int

    /// - Parameter walkLimit: the most transactions that are read for one page. A page whose filter
    ///   takes few of them ends there, with what was found.
    package init(database: any ShopDatabase, walkLimit: Int = 2000) {
        self.database = database
        self.walkLimit = walkLimit
    }

    /// One transaction.
    ///
    /// - Throws: `TransactionRefusal`.
    package func transaction(
        _ id: TransactionID, in scope: AppScope
    ) async throws -> TransactionRecord {
        try await database.read { try TransactionSearch(scope, $0).record(id) }
    }

    /// The customer that a number belongs to.
    ///
    /// - Throws: `TransactionRefusal`.
    package func subject(
        of id: AnyTransactionID, in scope: AppScope
    ) async throws -> HistorySubject {
        try await database.read { try TransactionSearch(scope, $0).subject(of: id) }
    }

    /// That the customer has the app, with all that a signed statement of it says.
    ///
    /// - Throws: `TransactionRefusal`.
    package func appTransaction(
        of id: AnyTransactionID, _ app: App, _ environment: StoreEnvironment
    ) async throws -> AppTransactionFacts {
        try await database.read { repositories in
            let search = TransactionSearch(
                AppScope(app: app.id, environment: environment), repositories)
            // Whose account is deleted has no apps.
            _ = try search.subject(of: id)
            let number =
                switch id {
                case .transaction(let id): try search.record(id).appTransaction
                case .app(let id): id
                }
            return try repositories.appTransactionFacts(
                of: try search.appTransaction(number), in: app)
        }
    }

    /// A page of a customer's transactions, in the order in which they last changed.
    ///
    /// - Parameter after: what the page before it ended with; nil for the first one.
    package func history(
        of subject: HistorySubject, _ query: HistoryQuery, after: HistoryRevision?
    ) async throws -> HistoryPage {
        try await database.read { repositories in
            try page(
                of: subject, query.order, onlyRevoked: query.isRevoked == true,
                after: try Self.known(after, of: subject, repositories),
                repositories.transactions, where: query.includes)
        }
    }

    /// A page of what a customer was given money back for.
    package func refunds(
        of subject: HistorySubject, after: HistoryRevision?
    ) async throws -> HistoryPage {
        try await database.read { repositories in
            try page(
                of: subject, .ascending, onlyRevoked: true,
                after: try Self.known(after, of: subject, repositories),
                repositories.transactions
            ) { record in
                record.facts.revocation.map { $0.kind != .family } ?? false
            }
        }
    }

    /// A page of an account's transactions for one of its devices, the oldest change first.
    ///
    /// - Parameter after: what the page before it ended with; nil for the first one.
    package func changes(
        of subject: HistorySubject, after: DeviceHistoryCursor?
    ) async throws -> DeviceHistoryPage {
        try await database.read { repositories in
            let cleared = try repositories.testers.lastCleared(of: subject.account)
            let restoration = try repositories.transactions.restorationMark()
            var revision = after.flatMap { cursor in
                cursor.cleared == cleared && cursor.restoration == restoration
                    ? cursor.revision : nil
            }
            // One from the future is one of another store.
            if let known = revision,
                try repositories.transactions.lastRevision(of: subject) < known
            {
                revision = nil
            }
            let page = try page(
                of: subject, .ascending, onlyRevoked: false, after: revision,
                repositories.transactions, size: Self.devicePageSize
            ) { _ in true }
            return DeviceHistoryPage(
                records: page.records,
                cursor: DeviceHistoryCursor(
                    revision: page.revision, cleared: cleared, restoration: restoration),
                hasMore: page.hasMore, startsOver: after != nil && revision == nil)
        }
    }

    /// The transaction of an order; nil for one that is none of the app's.
    package func order(_ id: OrderID, in scope: AppScope) async throws -> TransactionRecord? {
        try await database.read { repositories in
            do {
                let record = try TransactionSearch(scope, repositories).record(id.transaction)
                // What comes through a family, or is restored, nobody has ordered.
                guard record.shared == nil, record.entry.details.kind == .purchase else {
                    return nil
                }
                return record
            } catch is TransactionRefusal {
                return nil
            }
        }
    }

    /// A revision, unless it was lost: whoever has such a one reads everything again.
    private static func known(
        _ revision: HistoryRevision?, of subject: HistorySubject,
        _ repositories: StoreRepositories
    ) throws -> HistoryRevision? {
        try revision.flatMap {
            try repositories.transactions.isLost($0, of: subject) ? nil : $0
        }
    }

    private func page(
        of subject: HistorySubject, _ order: HistoryQuery.Order, onlyRevoked: Bool,
        after: HistoryRevision?, _ transactions: TransactionRepository,
        size: Int = HistoryService.pageSize, where isWanted: (TransactionRecord) -> Bool
    ) throws -> HistoryPage {
        var records: [TransactionRecord] = []
        var position = after
        var walked = 0
        // The first look takes a page and one more: most queries want everything.
        var limit = size + 1
        while true {
            let rows = try transactions.history(
                of: subject, after: position, order, onlyRevoked: onlyRevoked, limit: limit)
            for row in rows {
                if records.count == size || walked == walkLimit {
                    return HistoryPage(
                        records: records, revision: position ?? Self.beginning(of: order),
                        hasMore: true)
                }
                walked += 1
                position = row.revision
                if isWanted(row.record) { records.append(row.record) }
            }
            guard rows.count == limit else {
                return HistoryPage(
                    records: records, revision: position ?? Self.beginning(of: order),
                    hasMore: false)
            }
            limit = Self.step
        }
    }

    private static func beginning(of order: HistoryQuery.Order) -> HistoryRevision {
        HistoryRevision(number: order == .ascending ? 0 : .max)
    }
}
