import Foundation
import StoreModel

/// Where a publisher's server tells which message a customer gets, and tests of how fast.
package struct RealtimeService: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock
    private let targets: NotificationTargets
    /// How tests are done.
    package var plan: PerformanceTest.Plan
    private let makeID: @Sendable () -> UUID

    /// - Parameters:
    ///   - targets: where the store sends anything to.
    ///   - plan: how tests are done.
    package init(
        database: any ShopDatabase, clock: any StoreClock, targets: NotificationTargets,
        plan: PerformanceTest.Plan = .standard, makeID: @escaping @Sendable () -> UUID
    ) {
        self.database = database
        self.clock = clock
        self.targets = targets
        self.plan = plan
        self.makeID = makeID
    }

    // MARK: Address

    /// - Throws: `RetentionRefusal`.
    package func url(of scope: AppScope) async throws -> String {
        let url = try await database.read { try $0.retention.realtimeURL(of: scope) }
        guard let url else { throw RetentionRefusal.urlNotFound }
        return url
    }

    /// Sets the address; in production only for who has passed a test in the sandbox.
    ///
    /// - Throws: `RetentionRefusal`.
    package func setURL(_ url: String, of scope: AppScope) async throws {
        guard url.utf8.count <= 2000 else {
            throw RetentionRefusal.urlInvalid("It has more than 2000 bytes.")
        }
        if let (problem, help) = targets.problem(with: url) {
            throw RetentionRefusal.urlInvalid("It \(problem). \(help)")
        }
        let now = clock.now()
        try await database.write { repositories in
            if scope.environment == .production {
                guard try repositories.retention.hasPassedTest(scope.app) else {
                    throw RetentionRefusal.noPassedTest
                }
            }
            try repositories.retention.setRealtimeURL(url, of: scope, at: now)
        }
    }

    /// - Throws: `RetentionRefusal`.
    package func deleteURL(of scope: AppScope) async throws {
        let now = clock.now()
        try await database.write { repositories in
            guard try repositories.retention.realtimeURL(of: scope) != nil else {
                throw RetentionRefusal.urlNotFound
            }
            try repositories.retention.setRealtimeURL(nil, of: scope, at: now)
        }
    }

    // MARK: Tests

    /// Writes a test down, which the running store does.
    ///
    /// - Throws: `RetentionRefusal`, `TransactionRefusal`.
    package func begin(
        _ original: TransactionID, of scope: AppScope
    ) async throws -> PerformanceTest {
        guard scope.environment == .sandbox else {
            throw RetentionRefusal.testNotPossible("Tests are done in the sandbox only.")
        }
        let now = clock.now()
        let id = makeID().uuidString.lowercased()
        return try await database.write { repositories in
            let record = try TransactionSearch(scope, repositories).record(original)
            guard record.entry.details.original == nil else {
                throw TransactionRefusal.notOriginal
            }
            guard let subscription = try repositories.renewals.subscription(original),
                subscription.state.isEntitled
            else {
                throw RetentionRefusal.testNotPossible(
                    "The transaction is not that of a running subscription.")
            }
            guard let url = try repositories.retention.realtimeURL(of: scope) else {
                throw RetentionRefusal.urlNotFound
            }
            guard try !repositories.retention.isTestRunning(of: scope) else {
                throw RetentionRefusal.testRunning
            }
            let test = PerformanceTest(
                id: id, scope: scope, url: url, original: original, plan: plan, date: now)
            try repositories.retention.insert(test)
            return test
        }
    }

    /// - Throws: `RetentionRefusal`.
    package func test(_ id: UUID, of scope: AppScope) async throws -> PerformanceTest {
        let found = try await database.read {
            try $0.retention.performanceTest(id.uuidString.lowercased(), of: scope)
        }
        guard let found else { throw RetentionRefusal.testNotFound }
        return found
    }

    // MARK: Work

    /// A test to be done now, with everything that its requests say.
    package struct Assignment: Sendable {
        package var test: PerformanceTest
        package let subscription: Subscription
        package let app: App
        package let locale: String
        /// Until when nobody else does it.
        package let end: Date
    }

    /// Takes the next test; nil where nothing is to be done. A test whose store has died is done
    /// again from its beginning.
    package func take() async throws -> Assignment? {
        let now = clock.now()
        return try await database.write { repositories in
            guard let test = try repositories.retention.waitingTest(at: now) else { return nil }
            let time = TimeInterval(test.plan.duration) / 1000 + Self.patience
            let end = now.addingTimeInterval(time)
            try repositories.retention.take(test, until: end)
            guard let subscription = try repositories.renewals.subscription(test.original),
                let app = try repositories.catalog.app(test.scope.app),
                let account = try repositories.accounts.account(subscription.account)
            else { return nil }
            return Assignment(
                test: test, subscription: subscription, app: app,
                locale: account.storefront.locale.replacing(scalar: "_", with: "-"),
                end: end)
        }
    }

    /// Longer than any request takes, in seconds.
    private static let patience: TimeInterval = 60

    /// Records how far a test is, or its end.
    ///
    /// - Returns: false where somebody else does it by now, or has done it.
    package func record(_ test: PerformanceTest, of assignment: Assignment) async throws -> Bool {
        try await database.write { try $0.retention.update(test, takenUntil: assignment.end) }
    }
}
