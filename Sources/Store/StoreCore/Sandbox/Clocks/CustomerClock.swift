import Foundation
import StoreDatabase
import StoreModel

/// The time for customers and testers: the store's, or that of a sandbox clock while a task does
/// something for somebody who follows it.
///
/// What belongs to the machine keeps the store's clock: sessions, limits, links, deliveries.
package struct CustomerClock: StoreClock {
    /// The date that this task works at; nil for the store's time.
    @TaskLocal package static var date: Date?
    /// The store's own clock.
    package let store: any StoreClock

    package init(_ store: any StoreClock) {
        self.store = store
    }

    package func now() -> Date { Self.date ?? store.now() }
    package func storeTime() -> Date { store.storeTime() }
    package func uptime() -> ContinuousClock.Instant { store.uptime() }
    package func callerTime() -> Date { store.callerTime() }

    /// Does something at a date; at the time that it is already where there is none.
    package static func at<Value>(
        _ date: Date?, _ body: () async throws -> Value
    ) async rethrows -> Value {
        guard let date else { return try await body() }
        return try await $date.withValue(date, operation: body)
    }

    package static func at<Value>(_ date: Date?, _ body: () throws -> Value) rethrows -> Value {
        guard let date else { return try body() }
        return try $date.withValue(date, operation: body)
    }
}

/// Whose time it is.
package enum TimedCustomer: Sendable, Hashable {
    case account(AccountID, app: AppID)
    /// The account that has a transaction.
    case buyer(of: TransactionID)
    /// The account that has an app.
    case holder(of: AppTransactionID)
    /// The account that waits with a purchase.
    case asker(of: PendingPurchaseID)
}

extension Records<SandboxClock> {
    /// The date of the clock that somebody follows; nil if they follow none.
    package func date(for customer: TimedCustomer) throws -> Date? {
        switch customer {
        case .account(let account, let app): try clock(of: account, in: app)?.date
        case .buyer(let id): try date(where: "FROM ledger l WHERE l.id = \(id)")
        case .holder(let id): try date(where: "FROM app_transaction l WHERE l.id = \(id.number)")
        case .asker(let id): try date(where: "FROM pending_purchase l WHERE l.id = \(id)")
        }
    }

    /// - Parameter rows: the row, called `l`, that has the account and the app.
    private func date(where rows: SQL) throws -> Date? {
        try connection.value(
            Date.self,
            """
            SELECT c.date FROM (SELECT l.account, l.app \(rows) AND l.environment = 'Sandbox') l
                JOIN sandbox_time f ON f.account = l.account AND f.app = l.app
                JOIN sandbox_clock c ON c.id = f.clock
            """)
    }
}

extension ShopDatabase {
    /// The date of the clock that somebody follows; the store's time if they follow none.
    func time(of customer: TimedCustomer, _ clock: any StoreClock) async throws -> Date {
        try await read { try $0.sandboxClocks.date(for: customer) } ?? clock.now()
    }

    /// Does something at the time of an account in an app.
    package func atTime<Value: Sendable>(
        of account: Account, in app: AppID, _ body: () async throws -> Value
    ) async throws -> Value {
        guard account.environment == .sandbox else { return try await body() }
        return try await atTime(of: .account(account.id, app: app), body)
    }

    package func atTime<Value: Sendable>(
        of customer: TimedCustomer, _ body: () async throws -> Value
    ) async throws -> Value {
        try await CustomerClock.at(
            try await read { try $0.sandboxClocks.date(for: customer) }, body)
    }
}
