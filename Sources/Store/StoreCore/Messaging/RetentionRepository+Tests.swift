import Foundation
import StoreModel

extension RetentionRepository {
    // MARK: Review

    /// What waits for the store's staff, the oldest first.
    package func submissions(limit: Int) throws -> [RetentionSubmission] {
        let messages = try connection.rows(
            """
            SELECT m.number, m.app, m.environment, a.bundle_id, m.id, m.content, m.state, m.date
            FROM retention_message m JOIN app a ON a.id = m.app
            WHERE m.state = 'PENDING' ORDER BY m.number LIMIT ?1
            """, [.integer(limit)], readMessageSubmission)
        let images = try connection.rows(
            """
            SELECT i.number, i.app, i.environment, a.bundle_id, i.id, i.size, i.state, i.digest,
                i.date
            FROM retention_image i JOIN app a ON a.id = i.app
            WHERE i.state = 'PENDING' ORDER BY i.number LIMIT ?1
            """, [.integer(limit)], readImageSubmission)
        return messages + images
    }

    /// A message or an image, whatever its state.
    package func submission(_ number: RetentionNumber) throws -> RetentionSubmission? {
        switch number.kind {
        case .message:
            try connection.row(
                """
                SELECT m.number, m.app, m.environment, a.bundle_id, m.id, m.content, m.state, m.date
                FROM retention_message m JOIN app a ON a.id = m.app WHERE m.number = ?1
                """, [.integer(number.number)], readMessageSubmission)
        case .image:
            try connection.row(
                """
                SELECT i.number, i.app, i.environment, a.bundle_id, i.id, i.size, i.state, i.digest,
                    i.date
                FROM retention_image i JOIN app a ON a.id = i.app WHERE i.number = ?1
                """, [.integer(number.number)], readImageSubmission)
        }
    }

    private func readMessageSubmission(_ row: any SQLRow) throws -> RetentionSubmission {
        try Self.readSubmission(row, .message, .message(try Self.readMessage(row, 4)))
    }

    private func readImageSubmission(_ row: any SQLRow) throws -> RetentionSubmission {
        try Self.readSubmission(row, .image, .image(try Self.readImage(row, 4)))
    }

    private static func readSubmission(
        _ row: any SQLRow, _ kind: RetentionNumber.Kind, _ subject: RetentionSubmission.Subject
    ) throws -> RetentionSubmission {
        RetentionSubmission(
            number: RetentionNumber(kind, row.integer(0)),
            scope: AppScope(
                app: AppID(number: row.integer(1)),
                environment: try row.value(2, StoreEnvironment.init(rawValue:))),
            bundleID: try row.value(3) { BundleID($0) }, subject: subject)
    }

    package func set(_ state: RetentionState, of number: RetentionNumber) throws {
        let parameters: [SQLValue] = [.integer(number.number), .text(state.rawValue)]
        switch number.kind {
        case .message:
            try connection.run(
                "UPDATE retention_message SET state = ?2 WHERE number = ?1", parameters)
        case .image:
            try connection.run(
                "UPDATE retention_image SET state = ?2 WHERE number = ?1", parameters)
        }
    }

    // MARK: Address

    package func realtimeURL(of scope: AppScope) throws -> String? {
        try connection.row(
            "SELECT url FROM retention_url WHERE app = ?1 AND environment = ?2",
            Self.parameters(scope)
        ) { $0.text(0) }
    }

    /// - Parameter url: nil takes it away.
    package func setRealtimeURL(_ url: String?, of scope: AppScope, at date: Date) throws {
        guard let url else {
            return try connection.run(
                "DELETE FROM retention_url WHERE app = ?1 AND environment = ?2",
                Self.parameters(scope))
        }
        try connection.run(
            """
            INSERT INTO retention_url (app, environment, url, date) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (app, environment)
                DO UPDATE SET url = excluded.url, date = excluded.date
            """, Self.parameters(scope, [.text(url), .date(date)]))
    }

    // MARK: Tests

    package func insert(_ test: PerformanceTest) throws {
        let plan = String(decoding: try JSONEncoder().encode(test.plan), as: UTF8.self)
        try connection.run(
            """
            INSERT INTO performance_test (app, environment, id, url, original, plan, date)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            Self.parameters(
                test.scope,
                [
                    .text(test.id), .text(test.url), .integer(test.original.number), .text(plan),
                    .date(test.date),
                ]))
    }

    package func performanceTest(_ id: String, of scope: AppScope) throws -> PerformanceTest? {
        try connection.row(
            """
            SELECT id, app, environment, url, original, plan, date, answered, result
            FROM performance_test WHERE app = ?1 AND environment = ?2 AND id = ?3
            """, Self.parameters(scope, [.text(id)]), readTest)
    }

    /// Whether one of an app is not at its end.
    package func isTestRunning(of scope: AppScope) throws -> Bool {
        try connection.row(
            """
            SELECT 1 FROM performance_test
            WHERE app = ?1 AND environment = ?2 AND result IS NULL
            """, Self.parameters(scope)
        ) { _ in true } ?? false
    }

    package func hasPassedTest(_ app: AppID) throws -> Bool {
        try connection.row(
            "SELECT 1 FROM performance_test WHERE app = ?1 AND is_passed = 1 LIMIT 1",
            [.integer(app.number)]
        ) { _ in true } ?? false
    }

    /// The oldest test that is not at its end, and that nobody runs.
    package func waitingTest(at date: Date) throws -> PerformanceTest? {
        try connection.row(
            """
            SELECT id, app, environment, url, original, plan, date, answered, result
            FROM performance_test
            WHERE result IS NULL AND (taken IS NULL OR taken <= ?1) ORDER BY number LIMIT 1
            """, [.date(date)], readTest)
    }

    /// Keeps a test from being run by somebody else for a while.
    package func take(_ test: PerformanceTest, until: Date) throws {
        try connection.run(
            "UPDATE performance_test SET taken = ?2 WHERE id = ?1", [.text(test.id), .date(until)])
    }

    /// Records how many requests were sent, and how a test ended.
    ///
    /// - Returns: whether it still runs, and was taken until that date by nobody else since.
    package func update(_ test: PerformanceTest, takenUntil end: Date) throws -> Bool {
        let result = try test.result.map {
            String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
        }
        return try connection.row(
            """
            UPDATE performance_test SET answered = ?2, result = ?3, is_passed = ?4
            WHERE id = ?1 AND result IS NULL AND taken = ?5 RETURNING 1
            """,
            [
                .text(test.id), .integer(test.answered), .text(result),
                test.result.map { .integer($0.isPassed) } ?? .noInteger, .date(end),
            ]
        ) { _ in true } ?? false
    }

    private func readTest(_ row: any SQLRow) throws -> PerformanceTest {
        PerformanceTest(
            id: row.text(0),
            scope: AppScope(
                app: AppID(number: row.integer(1)),
                environment: try row.value(2, StoreEnvironment.init(rawValue:))),
            url: row.text(3), original: TransactionID(number: row.integer(4)),
            plan: try JSONDecoder().decode(PerformanceTest.Plan.self, from: row.data(5)),
            date: row.date(6), answered: Int(row.integer(7)),
            result: row.isNull(8)
                ? nil
                : try JSONDecoder().decode(PerformanceTest.Result.self, from: row.data(8)))
    }
}
