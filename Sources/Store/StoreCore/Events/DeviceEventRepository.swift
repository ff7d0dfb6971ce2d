import Foundation
import StoreDatabase
import StoreModel

/// What devices are told.
package struct DeviceEventRepository {
    let connection: any SQLConnection
    let woken: WokenAccounts

    /// Adds an event. Devices of its account that wait hear of it when it is on disk, those of everybody
    /// who has an app within a second.
    package func append(_ event: DeviceEventDraft, at date: Date) throws {
        try connection.insert(DeviceEventRow(event, at: date))
        if case .account(let account) = event.audience { woken.insert(account) }
    }

    /// Events of an account in an app, and of everybody who has it, behind a number, oldest
    /// first.
    ///
    /// - Parameter environment: the account's.
    package func events(
        account: AccountID, in environment: StoreEnvironment, app: AppID, after: DeviceEventID,
        limit: Int
    ) throws -> [DeviceEvent] {
        try connection.records(
            DeviceEventRow.self,
            """
            SELECT \(DeviceEventRow.columns) FROM device_event
            WHERE account = \(account) AND app = \(app) AND id > \(after)
            UNION ALL
            SELECT \(DeviceEventRow.columns) FROM device_event
            WHERE account IS NULL AND environment = \(environment) AND app = \(app)
                AND id > \(after)
            ORDER BY id LIMIT \(limit)
            """
        ).map { try $0.event() }
    }

    /// Who has events behind a number.
    package func latest(after: DeviceEventID) throws -> LatestEvents {
        let accounts = try connection.records(
            LatestAccountEvent.self,
            """
            SELECT account, max(id) AS id FROM device_event
            WHERE id > \(after) AND account IS NOT NULL GROUP BY account
            """)
        let places = try connection.records(
            LatestAppEvent.self,
            """
            SELECT app, environment, max(id) AS id FROM device_event
            WHERE id > \(after) AND account IS NULL GROUP BY app, environment
            """)
        return LatestEvents(
            accounts: Dictionary(accounts.map { ($0.account, $0.last) }) { _, last in last },
            places: Dictionary(places.map { ($0.place, $0.last) }) { _, last in last })
    }

    /// The event after which a device continues. A device that knows an event of another store, which this
    /// store has not reached, continues after the newest event here.
    ///
    /// - Parameter heard: the newest event that this process has heard of. Another process may have told the
    ///   device of a newer one.
    package func resumption(
        after number: DeviceEventID, heard: DeviceEventID
    ) throws -> DeviceEventID {
        var newest = heard
        if number > heard {
            let last = try connection.value(
                DeviceEventID?.self, "SELECT max(id) FROM device_event")
            newest = max(heard, (last ?? nil) ?? heard)
        }
        return min(newest, try resumption(after: number))
    }

    /// Where a device goes on that has heard everything up to a number: there, but for numbers that
    /// were given before the database went back to an earlier state. They go on with what that
    /// state had last; or begin anew, where another earlier state may have been here in between,
    /// which lacked some of that.
    package func resumption(after number: DeviceEventID) throws -> DeviceEventID {
        let last = try connection.value(
            DeviceEventID?.self,
            """
            SELECT min(CASE WHEN other_event > \(number) THEN last_event ELSE 0 END)
            FROM restoration WHERE last_event < \(number) AND next_event > \(number)
            """)
        return (last ?? nil) ?? number
    }
}

extension StoreRepositories {
    package var events: DeviceEventRepository {
        DeviceEventRepository(connection: connection, woken: woken)
    }
}

/// An event as its table has it.
private struct DeviceEventRow: Sendable {
    enum Name: String, CaseIterable, TextColumnValue {
        case transactions, revocation, storePayment, priceConsent, contentVersion
    }

    let id: DeviceEventID
    let account: AccountID?
    /// That of everybody's events; `nil` for those of an account.
    let environment: StoreEnvironment?
    let app: AppID
    let name: Name
    let product: ProductID?
    let date: Date
    let isSubscription: Bool?

    init(_ event: DeviceEventDraft, at date: Date) {
        id = DeviceEventID(number: 0)
        switch event.audience {
        case .account(let id): (account, environment) = (id, nil)
        case .everyone(let place): (account, environment) = (nil, place)
        }
        app = event.app
        (name, product) =
            switch event.kind {
            case .transactions, .subscription: (.transactions, nil)
            case .revocation(let id): (.revocation, id)
            case .storePayment(let id): (.storePayment, id)
            case .priceConsent: (.priceConsent, nil)
            case .contentVersion(let id): (.contentVersion, id)
            }
        isSubscription = event.kind == .subscription ? true : nil
        self.date = date
    }

    /// - Throws: `SQLError` for an event that lacks its product.
    func event() throws -> DeviceEvent {
        let kind: DeviceEventDraft.Kind? =
            switch name {
            case .transactions: isSubscription == nil ? .transactions : .subscription
            case .revocation: product.map { .revocation($0) }
            case .storePayment: product.map { .storePayment($0) }
            case .priceConsent: .priceConsent
            case .contentVersion: product.map { .contentVersion($0) }
            }
        guard let kind else { throw SQLError(code: .row, "event \(id.number) lacks its product") }
        return DeviceEvent(id: id, kind: kind)
    }
}

extension DeviceEventRow: Record {
    static let table: StaticString = "device_event"

    init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        account = try column("account", \.account)
        environment = try column("environment", \.environment)
        app = try column("app", \.app)
        name = try column("kind", \.name)
        product = try column("product_id", \.product)
        date = try column("date", \.date)
        isSubscription = try column("is_subscription", \.isSubscription)
    }
}

/// The last event of an account.
private struct LatestAccountEvent: RecordPart {
    let account: AccountID
    let last: DeviceEventID

    init(_ column: borrowing RecordColumns<Self>) throws {
        account = try column("account", \.account)
        last = try column("id", \.last)
    }
}

/// The last event of everybody who has an app.
private struct LatestAppEvent: RecordPart {
    let place: AppScope
    let last: DeviceEventID

    init(_ column: borrowing RecordColumns<Self>) throws {
        place = try column.part(\.place)
        last = try column("id", \.last)
    }
}
