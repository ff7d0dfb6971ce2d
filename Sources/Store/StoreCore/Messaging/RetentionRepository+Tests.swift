import Foundation
import StoreDatabase
import StoreModel

extension RetentionRepository {
    // MARK: Review

    /// A message or an image with whose it is.
    private struct Submitted<Subject: RecordPart>: RecordPart {
        let number: Int64
        let scope: AppScope
        let bundleID: BundleID
        let subject: Subject

        init(_ column: borrowing RecordColumns<Self>) throws {
            number = try column("number", \.number)
            scope = try column.part(\.scope)
            bundleID = try column("bundle_id", \.bundleID)
            subject = try column.part(\.subject)
        }

        func submission(
            _ kind: RetentionNumber.Kind, _ make: (Subject) -> RetentionSubmission.Subject
        ) -> RetentionSubmission {
            RetentionSubmission(
                number: RetentionNumber(kind, number), scope: scope, bundleID: bundleID,
                subject: make(subject))
        }
    }

    private func messages(_ rest: SQL) throws -> [RetentionSubmission] {
        try connection.records(
            Submitted<RetentionMessage>.self,
            """
            SELECT \(Submitted<RetentionMessage>.columns) FROM (
                SELECT m.*, a.bundle_id FROM retention_message m JOIN app a ON a.id = m.app) found
            \(rest)
            """
        ).map { $0.submission(.message, RetentionSubmission.Subject.message) }
    }

    private func images(_ rest: SQL) throws -> [RetentionSubmission] {
        try connection.records(
            Submitted<RetentionImage>.self,
            """
            SELECT \(Submitted<RetentionImage>.columns) FROM (
                SELECT i.*, a.bundle_id FROM retention_image i JOIN app a ON a.id = i.app) found
            \(rest)
            """
        ).map { $0.submission(.image, RetentionSubmission.Subject.image) }
    }

    /// What waits for the store's staff, the oldest first.
    package func submissions(limit: Int) throws -> [RetentionSubmission] {
        let waiting: SQL = "WHERE state = 'PENDING' ORDER BY number LIMIT \(limit)"
        return try messages(waiting) + images(waiting)
    }

    /// A message or an image, whatever its state.
    package func submission(_ number: RetentionNumber) throws -> RetentionSubmission? {
        let wanted: SQL = "WHERE number = \(number.number)"
        return switch number.kind {
        case .message: try messages(wanted).first
        case .image: try images(wanted).first
        }
    }

    package func set(_ state: RetentionState, of number: RetentionNumber) throws {
        let table: StaticString =
            switch number.kind {
            case .message: "retention_message"
            case .image: "retention_image"
            }
        try connection.run(
            "UPDATE \(raw: table) SET state = \(state) WHERE number = \(number.number)")
    }

    // MARK: Address

    package func realtimeURL(of scope: AppScope) throws -> String? {
        try connection.value(
            String.self, "SELECT url FROM retention_url WHERE \(Self.isOf(scope))")
    }

    /// - Parameter url: nil takes it away.
    package func setRealtimeURL(_ url: String?, of scope: AppScope, at date: Date) throws {
        guard let url else {
            return try connection.run("DELETE FROM retention_url WHERE \(Self.isOf(scope))")
        }
        try connection.run(
            """
            INSERT INTO retention_url (app, environment, url, date)
            VALUES (\(scope.app), \(scope.environment), \(url), \(date))
            ON CONFLICT (app, environment)
                DO UPDATE SET url = excluded.url, date = excluded.date
            """)
    }

    // MARK: Tests

    package func insert(_ test: PerformanceTest) throws { try connection.insert(test) }

    package func performanceTest(_ id: String, of scope: AppScope) throws -> PerformanceTest? {
        try connection.first(PerformanceTest.self, "WHERE \(Self.isOf(scope)) AND id = \(id)")
    }

    /// Whether one of an app is not at its end.
    package func isTestRunning(of scope: AppScope) throws -> Bool {
        try connection.exists("FROM performance_test WHERE \(Self.isOf(scope)) AND result IS NULL")
    }

    package func hasPassedTest(_ app: AppID) throws -> Bool {
        try connection.exists("FROM performance_test WHERE app = \(app) AND is_passed = 1")
    }

    /// The oldest test that is not at its end, and that nobody runs.
    package func waitingTest(at date: Date) throws -> PerformanceTest? {
        // None takes a day: the clock was ahead when it was taken.
        let longest = date.addingTimeInterval(86_400)
        return try connection.first(
            PerformanceTest.self,
            """
            WHERE result IS NULL AND (taken IS NULL OR taken <= \(date) OR taken > \(longest))
            ORDER BY number
            """)
    }

    /// Keeps a test from being run by somebody else for a while.
    package func take(_ test: PerformanceTest, until: Date) throws {
        try connection.run(
            "UPDATE performance_test SET taken = \(until) WHERE id = \(test.id)")
    }

    /// Records how many requests were sent, and how a test ended.
    ///
    /// - Returns: whether it still runs, and was taken until that date by nobody else since.
    package func update(_ test: PerformanceTest, takenUntil end: Date) throws -> Bool {
        let result = try test.result.map {
            String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
        }
        return try connection.value(
            Int.self,
            """
            UPDATE performance_test SET answered = \(test.answered), result = \(result),
                is_passed = \(test.result?.isPassed)
            WHERE id = \(test.id) AND result IS NULL AND taken = \(end) RETURNING 1
            """) != nil
    }
}
