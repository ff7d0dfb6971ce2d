import Foundation
import StoreModel

/// Requests for refunds, and what publishers' servers say about them.
package struct RefundRepository {
    let connection: any SQLConnection

    package func request(_ id: RefundRequestID) throws -> RefundRequest? {
        try connection.row(
            "SELECT * FROM refund_request WHERE id = ?1", [.integer(id.number)], read)
    }

    /// The last request for a transaction.
    package func lastRequest(for transaction: TransactionID) throws -> RefundRequest? {
        try connection.row(
            """
            SELECT * FROM refund_request WHERE transaction_id = ?1 ORDER BY id DESC LIMIT 1
            """, [.integer(transaction.number)], read)
    }

    /// The request's number is ignored; the repository gives it one.
    package func insert(_ request: RefundRequest) throws -> RefundRequest {
        let made = try connection.row(
            """
            INSERT INTO refund_request (transaction_id, account, app, environment, reason, comment,
                date, deadline)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING *
            """,
            [
                .integer(request.transaction.number), .integer(request.account.number),
                .integer(request.app.number), .text(request.environment.rawValue),
                .text(request.reason.rawValue), .text(request.comment), .date(request.date),
                .date(request.deadline),
            ], read)
        guard let made else {
            throw SQLError(code: .corrupt, "the database lost a request for a refund")
        }
        return made
    }

    package func record(_ decision: RefundRequest.Decision, on id: RefundRequestID) throws {
        var percentage: SQLValue = .noInteger
        if case .refunded(let part) = decision.outcome { percentage = .integer(part) }
        try connection.run(
            """
            UPDATE refund_request SET outcome = ?2, percentage = ?3, grounds = ?4, decided = ?5
            WHERE id = ?1
            """,
            [
                .integer(id.number),
                .text(decision.outcome == .declined ? "DECLINED" : "REFUNDED"), percentage,
                .text(decision.grounds), .date(decision.date),
            ])
    }

    /// Those whose time is over, without those that were set aside.
    package func due(at date: Date, limit: Int) throws -> [RefundRequestID] {
        try connection.rows(
            """
            SELECT id FROM refund_request
            WHERE outcome IS NULL AND deadline <= ?1 AND set_aside IS NULL
            ORDER BY deadline LIMIT ?2
            """, [.date(date), .integer(limit)]
        ) { RefundRequestID(number: $0.integer(0)) }
    }

    /// Keeps a request that the store can't decide from keeping others waiting: it is left to
    /// people, and has the reason with it.
    package func setAside(_ id: RefundRequestID, because reason: String) throws {
        try connection.run(
            "UPDATE refund_request SET set_aside = ?2 WHERE id = ?1 AND outcome IS NULL",
            [.integer(id.number), .text(reason)])
    }

    /// When the next one is to be decided; nil for none, and for those that were set aside.
    package func nextDue() throws -> Date? {
        try connection.row(
            """
            SELECT deadline FROM refund_request WHERE outcome IS NULL AND set_aside IS NULL
            ORDER BY deadline LIMIT 1
            """, []
        ) { $0.date(0) }
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
        let apps = try connection.rows(
            "SELECT id FROM app WHERE team = ?1 AND (?2 IS NULL OR id = ?2)",
            [.integer(team), query.app.map { .integer($0.number) } ?? .noInteger]
        ) { AppID(number: $0.integer(0)) }
        let found = try apps.flatMap {
            try requests(query, of: $0, before: before, limit: limit)
        }
        return Array(found.sorted { $0.id.number > $1.id.number }.prefix(limit))
    }

    private func requests(
        _ query: RefundQuery, of app: AppID?, before: RefundRequestID?, limit: Int
    ) throws -> [RefundRequest] {
        try connection.rows(
            Self.list(isOfApp: app != nil, onlyWaiting: query.isWaiting == true),
            [
                app.map { .integer($0.number) } ?? .noInteger,
                .text(query.environment?.rawValue),
                .integer(query.isWaiting == false), .integer(before?.number ?? .max),
                .integer(limit),
            ], read)
    }

    /// What is literal here is so for the sake of an index.
    static func list(isOfApp: Bool, onlyWaiting: Bool) -> StaticString {
        switch (isOfApp, onlyWaiting) {
        case (true, true):
            """
            SELECT * FROM refund_request
            WHERE app = ?1 AND (?2 IS NULL OR environment = ?2) AND ?3 = 0 AND outcome IS NULL
                AND id < ?4
            ORDER BY id DESC LIMIT ?5
            """
        case (true, false):
            """
            SELECT * FROM refund_request
            WHERE app = ?1 AND (?2 IS NULL OR environment = ?2)
                AND (?3 = 0 OR outcome IS NOT NULL) AND id < ?4
            ORDER BY id DESC LIMIT ?5
            """
        case (false, true):
            // Few wait: they are sorted.
            """
            SELECT * FROM refund_request
            WHERE id IN (SELECT w.id FROM refund_request w WHERE w.outcome IS NULL)
                AND ?1 IS NULL AND (?2 IS NULL OR environment = ?2) AND ?3 = 0 AND id < ?4
            ORDER BY id DESC LIMIT ?5
            """
        case (false, false):
            """
            SELECT * FROM refund_request
            WHERE ?1 IS NULL AND (?2 IS NULL OR environment = ?2)
                AND (?3 = 0 OR outcome IS NOT NULL) AND id < ?4
            ORDER BY id DESC LIMIT ?5
            """
        }
    }

    /// How often an account was given money back since a date.
    package func refunds(of account: AccountID, since date: Date) throws -> Int {
        try connection.row(
            """
            SELECT count(*) FROM refund_request
            WHERE account = ?1 AND date >= ?2 AND outcome = 'REFUNDED'
            """, [.integer(account.number), .date(date)]
        ) { Int($0.integer(0)) } ?? 0
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
            WHERE transaction_id = ?1
                AND date > COALESCE((
                    SELECT max(decided) FROM refund_request WHERE transaction_id = ?1), -1)
                AND NOT EXISTS (
                    SELECT 1 FROM refund_request WHERE transaction_id = ?1 AND outcome IS NULL)
            """, [.integer(transaction.number)])
        try connection.run(
            """
            INSERT INTO consumption_information (transaction_id, facts, date)
            VALUES (?1, ?2, ?3)
            """, [.integer(transaction.number), .text(facts), .date(date)])
    }

    /// What was said last, since a date.
    package func information(
        on transaction: TransactionID, since date: Date
    ) throws -> ConsumptionInformation? {
        try connection.row(
            """
            SELECT facts FROM consumption_information WHERE transaction_id = ?1 AND date >= ?2
            ORDER BY id DESC LIMIT 1
            """, [.integer(transaction.number), .date(date)]
        ) { try JSONDecoder().decode(ConsumptionInformation.self, from: $0.data(0)) }
    }

    private func read(_ row: any SQLRow) throws -> RefundRequest {
        var decision: RefundRequest.Decision?
        if let outcome = row.optionalText(9) {
            decision = RefundRequest.Decision(
                outcome: outcome == "DECLINED"
                    ? .declined : .refunded(percentage: Int(row.integer(10))),
                grounds: row.text(11), date: row.date(12))
        }
        return RefundRequest(
            id: RefundRequestID(number: row.integer(0)),
            transaction: TransactionID(number: row.integer(1)),
            account: AccountID(number: row.integer(2)), app: AppID(number: row.integer(3)),
            environment: try row.value(4, StoreEnvironment.init(rawValue:)),
            reason: try row.value(5, RefundReason.init(rawValue:)), comment: row.text(6),
            date: row.date(7), deadline: row.date(8), decision: decision)
    }
}
