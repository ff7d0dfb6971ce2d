import Foundation
import StoreModel

extension RenewalRepository {
    package func insert(_ renewal: RenewalExtension) throws {
        try connection.run(
            """
            INSERT INTO ledger_extension (period, original, app, expires, days, reason, request,
                date)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                .integer(renewal.period.number), .integer(renewal.original.number),
                .integer(renewal.app.number), .date(renewal.expiration), .integer(renewal.days),
                .integer(renewal.reason.rawValue), .text(renewal.request), .date(renewal.date),
            ])
    }

    /// What was extended under a request's identifier.
    package func `extension`(of original: TransactionID, request: String) throws
        -> RenewalExtension?
    {
        try connection.row(
            """
            SELECT original, period, app, expires, days, reason, request, date
            FROM ledger_extension WHERE original = ?1 AND request = ?2
            """, [.integer(original.number), .text(request)]
        ) { row in
            RenewalExtension(
                original: TransactionID(number: row.integer(0)),
                period: TransactionID(number: row.integer(1)), app: AppID(number: row.integer(2)),
                expiration: row.date(3), days: Int(row.integer(4)),
                reason: ExtensionReason(rawValue: Int(row.integer(5))) ?? .undeclared,
                request: row.text(6), date: row.date(7))
        }
    }

    /// How often a subscription was extended since a date.
    package func extensions(of original: TransactionID, since date: Date) throws -> Int {
        try connection.row(
            "SELECT count(*) FROM ledger_extension WHERE original = ?1 AND date >= ?2",
            [.integer(original.number), .date(date)]
        ) { Int($0.integer(0)) } ?? 0
    }

    // MARK: Many

    package func massExtension(
        _ request: String, app: AppID, in environment: StoreEnvironment
    ) throws -> MassExtension? {
        try connection.row(
            """
            SELECT app, environment, request, product_id, days, reason, storefronts, date, position,
                succeeded, failed, completed
            FROM mass_extension WHERE app = ?1 AND environment = ?2 AND request = ?3
            """, [.integer(app.number), .text(environment.rawValue), .text(request)], readMass)
    }

    /// The oldest that is not complete. One that can't be read keeps no other waiting.
    package func waitingMassExtension() throws -> MassExtension? {
        try connection.rows(
            """
            SELECT app, environment, request, product_id, days, reason, storefronts, date, position,
                succeeded, failed, completed
            FROM mass_extension WHERE completed IS NULL ORDER BY date LIMIT 100
            """, []
        ) { row -> MassExtension? in
            do {
                return try readMass(row)
            } catch {
                guard SettingAside.reason(for: error) != nil else { throw error }
                return nil
            }
        }.lazy.compactMap(\.self).first
    }

    package func unfinishedMassExtensions(of app: AppID, in environment: StoreEnvironment) throws
        -> Int
    {
        try connection.row(
            """
            SELECT count(*) FROM mass_extension
            WHERE app = ?1 AND environment = ?2 AND completed IS NULL
            """, [.integer(app.number), .text(environment.rawValue)]
        ) { Int($0.integer(0)) } ?? 0
    }

    /// When requests of an app came after a date, the newest first.
    package func massExtensions(
        of app: AppID, in environment: StoreEnvironment, since date: Date, limit: Int
    ) throws -> [Date] {
        try connection.rows(
            """
            SELECT date FROM mass_extension WHERE app = ?1 AND environment = ?2 AND date > ?3
            ORDER BY date DESC LIMIT ?4
            """,
            [.integer(app.number), .text(environment.rawValue), .date(date), .integer(limit)]
        ) { $0.date(0) }
    }

    package func insert(_ work: MassExtension) throws {
        try connection.run(
            """
            INSERT INTO mass_extension (app, environment, request, product_id, days, reason,
                storefronts, date)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                .integer(work.app.number), .text(work.environment.rawValue), .text(work.request),
                .text(work.product.text), .integer(work.days), .integer(work.reason.rawValue),
                .text(work.storefronts?.joined(separator: " ")), .date(work.date),
            ])
    }

    /// Records how far one has come.
    package func update(_ work: MassExtension) throws {
        try connection.run(
            """
            UPDATE mass_extension
            SET position = ?4, succeeded = ?5, failed = ?6, completed = ?7
            WHERE app = ?1 AND environment = ?2 AND request = ?3
            """,
            [
                .integer(work.app.number), .text(work.environment.rawValue), .text(work.request),
                .integer(work.position), .integer(work.succeeded), .integer(work.failed),
                .date(work.completion),
            ])
    }

    private func readMass(_ row: any SQLRow) throws -> MassExtension {
        MassExtension(
            app: AppID(number: row.integer(0)),
            environment: try row.value(1, StoreEnvironment.init(rawValue:)),
            request: row.text(2), product: try row.value(3) { ProductID($0) },
            days: Int(row.integer(4)),
            reason: ExtensionReason(rawValue: Int(row.integer(5))) ?? .undeclared,
            storefronts: row.optionalText(6)?.split(scalar: " ").map(String.init),
            date: row.date(7), position: row.integer(8), succeeded: Int(row.integer(9)),
            failed: Int(row.integer(10)), completion: row.isNull(11) ? nil : row.date(11))
    }
}
