import Foundation
import StoreDatabase
import StoreModel

/// Requests for refunds, and what publishers' servers say about them.
package struct RefundRepository {
    let connection: any SQLConnection

    package func request(_ id: RefundRequestID) throws -> RefundRequest? {
        try connection.find(RefundRequest.self, id)
    }

    /// The last request for a transaction.
    package func lastRequest(for transaction: TransactionID) throws -> RefundRequest? {
        try connection.first(
            RefundRequest.self, "WHERE transaction_id = \(transaction) ORDER BY id DESC")
    }

    /// Adds a request that nobody has decided.
    ///
    /// - Parameter request: its number is 0.
    /// - Returns: the request with the number that the repository gives it.
    package func insert(_ request: RefundRequest) throws -> RefundRequest {
        try connection.inserted(request)
    }

    package func record(_ decision: RefundRequest.Decision, on request: RefundRequest) throws {
        var decided = request
        decided.decision = decision
        try connection.update(decided)
    }

    /// Those whose time is over, without those that were set aside.
    package func due(at date: Date, limit: Int) throws -> [RefundRequestID] {
        try connection.values(
            RefundRequestID.self,
            """
            SELECT id FROM refund_request
            WHERE outcome IS NULL AND deadline <= \(date) AND set_aside IS NULL
            ORDER BY deadline LIMIT \(limit)
            """)
    }

    /// Keeps a request that the store can't decide from keeping others waiting: it is left to
    /// people, and has the reason with it.
    package func setAside(_ id: RefundRequestID, because reason: String) throws {
        try connection.run(
            """
            UPDATE refund_request SET set_aside = \(reason) WHERE id = \(id) AND outcome IS NULL
            """)
    }

    /// When the next one is to be decided; nil for none, and for those that were set aside.
    package func nextDue() throws -> Date? {
        try connection.value(
            Date.self,
            """
            SELECT deadline FROM refund_request WHERE outcome IS NULL AND set_aside IS NULL
            ORDER BY deadline LIMIT 1
            """)
    }

    /// A page of requests, the newest first.
    ///
    /// - Parameter before: gives older ones only.
    package func requests(
        _ query: RefundQuery, before: RefundRequestID?, limit: Int
    ) throws -> [RefundRequest] {
        guard let team = query.team else {
            return try requests(query, of: query.app, before: before, limit: limit)
        }
        // One look for each app, so that other teams' requests are not walked through.
        let wanted: SQL? = query.app.map { "AND id = \($0)" }
        let apps = try connection.values(
            AppID.self, "SELECT id FROM app WHERE team = \(team) \(wanted)")
        let found = try apps.flatMap {
            try requests(query, of: $0, before: before, limit: limit)
        }
        return Array(found.sorted { $0.id.number > $1.id.number }.prefix(limit))
    }

    private func requests(
        _ query: RefundQuery, of app: AppID?, before: RefundRequestID?, limit: Int
    ) throws -> [RefundRequest] {
        try connection.all(
            RefundRequest.self, Self.list(query, of: app, before: before, limit: limit))
    }

    static func list(
        _ query: RefundQuery, of app: AppID?, before: RefundRequestID?, limit: Int
    ) -> SQL {
        let ofApp: SQL? = app.map { "AND app = \($0)" }
        let inEnvironment: SQL? = query.environment.map { "AND environment = \($0)" }
        let decided: SQL? =
            switch query.isWaiting {
            case nil: nil
            case false?: "AND outcome IS NOT NULL"
            case true? where app != nil: "AND outcome IS NULL"
            // Few wait: they are sorted.
            case true?: "AND id IN (SELECT w.id FROM refund_request w WHERE w.outcome IS NULL)"
            }
        return """
            WHERE id < \(before?.number ?? .max) \([ofApp, inEnvironment, decided])
            ORDER BY id DESC LIMIT \(limit)
            """
    }

    /// How often an account was given money back since a date.
    package func refunds(of account: AccountID, since date: Date) throws -> Int {
        try connection.value(
            Int.self,
            """
            SELECT count(*) FROM refund_request
            WHERE account = \(account) AND date >= \(date) AND outcome = 'REFUNDED'
            """) ?? 0
    }

    /// Keeps what was said about a purchase: in the place of what was said before, where that has
    /// decided nothing and no request waits.
    package func insert(
        _ information: ConsumptionInformation, of transaction: TransactionID, at date: Date
    ) throws {
        let facts = String(decoding: try JSONEncoder().encode(information), as: UTF8.self)
        // What decided a refund stays; so does what was said before one that waits now.
        try connection.run(
            """
            DELETE FROM consumption_information
            WHERE transaction_id = \(transaction)
                AND date > COALESCE((
                    SELECT max(decided) FROM refund_request WHERE transaction_id = \(transaction)), -1)
                AND NOT EXISTS (
                    SELECT 1 FROM refund_request WHERE transaction_id = \(transaction) AND outcome IS NULL)
            """)
        try connection.run(
            """
            INSERT INTO consumption_information (transaction_id, facts, date)
            VALUES (\(transaction), \(facts), \(date))
            """)
    }

    /// What was said last, since a date.
    package func information(
        on transaction: TransactionID, since date: Date
    ) throws -> ConsumptionInformation? {
        try connection.value(
            String.self,
            """
            SELECT facts FROM consumption_information
            WHERE transaction_id = \(transaction) AND date >= \(date)
            ORDER BY id DESC LIMIT 1
            """
        ).map { try JSONDecoder().decode(ConsumptionInformation.self, from: Data($0.utf8)) }
    }
}

extension StoreRepositories {
    package var refunds: RefundRepository { RefundRepository(connection: connection) }
}
