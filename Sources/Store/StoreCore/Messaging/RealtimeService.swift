import Foundation
import StoreModel

/// Where a publisher's server tells which message a customer gets, and tests of how fast.
package struct RealtimeService: Sendable {
    private let shop: Shop
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
        shop = Shop(database: database, clock: clock)
        self.targets = targets
        self.plan = plan
        self.makeID = makeID
    }

    // MARK: Address

    /// - Throws: `RetentionRefusal`.
    package func url(of scope: AppScope) async throws -> String {
        let url = try await shop.read { try $0.retention.realtimeURL(of: scope) }
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
        try await shop.write { work in
            if scope.environment == .production {
                guard try work.retention.hasPassedTest(scope.app) else {
                    throw RetentionRefusal.noPassedTest
                }
            }
            try work.retention.setRealtimeURL(url, of: scope, at: work.now)
        }
    }

    /// - Throws: `RetentionRefusal`.
    package func deleteURL(of scope: AppScope) async throws {
        try await shop.write { work in
            guard try work.retention.realtimeURL(of: scope) != nil else {
                throw RetentionRefusal.urlNotFound
            }
            try work.retention.setRealtimeURL(nil, of: scope, at: work.now)
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
        let id = makeID().uuidString.lowercased()
        return try await shop.write { work in
            let record = try TransactionSearch(scope, work).record(original)
            guard record.entry.details.original == nil else {
                throw TransactionRefusal.notOriginal
            }
            guard let subscription = try work.renewals.subscription(original),
                subscription.state.isEntitled
            else {
                throw RetentionRefusal.testNotPossible(
                    "The transaction is not that of a running subscription.")
            }
            guard let url = try work.retention.realtimeURL(of: scope) else {
                throw RetentionRefusal.urlNotFound
            }
            guard try !work.retention.isTestRunning(of: scope) else {
                throw RetentionRefusal.testRunning
            }
            let test = PerformanceTest(
                id: id, scope: scope, url: url, original: original, plan: plan, date: work.now)
            try work.retention.insert(test)
            return test
        }
    }

    /// - Throws: `RetentionRefusal`.
    package func test(_ id: UUID, of scope: AppScope) async throws -> PerformanceTest {
        let found = try await shop.read {
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
        try await shop.write { work in
            guard let test = try work.retention.waitingTest(at: work.now) else { return nil }
            let time = TimeInterval(test.plan.duration) / 1000 + Self.patience
            let end = work.now.addingTimeInterval(time)
            try work.retention.take(test, until: end)
            guard let subscription = try work.renewals.subscription(test.original),
                let app = try work.catalog.app(test.scope.app),
                let account = try work.accounts.account(subscription.account)
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
        try await shop.write { try $0.retention.update(test, takenUntil: assignment.end) }
    }
}
