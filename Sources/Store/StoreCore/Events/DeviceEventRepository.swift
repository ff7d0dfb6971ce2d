import Foundation
import StoreModel

/// What devices are told.
package struct DeviceEventRepository {
    let connection: any SQLConnection

    package func append(_ event: DeviceEventDraft, at date: Date) throws {
        let kind: String
        var product: ProductID?
        var isSubscription = false
        switch event.kind {
        case .transactions: kind = "transactions"
        case .revocation(let id): (kind, product) = ("revocation", id)
        case .storePayment(let id): (kind, product) = ("storePayment", id)
        case .priceConsent: kind = "priceConsent"
        case .contentVersion(let id): (kind, product) = ("contentVersion", id)
        case .subscription: (kind, isSubscription) = ("transactions", true)
        }
        let account: SQLValue
        let environment: SQLValue
        switch event.audience {
        case .account(let id): (account, environment) = (.integer(id.number), .noText)
        case .everyone(let place): (account, environment) = (.noInteger, .text(place.rawValue))
        }
        try connection.run(
            """
            INSERT INTO device_event
                (account, environment, app, kind, product_id, date, is_subscription)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                account, environment, .integer(event.app.number), .text(kind),
                .text(product?.text), .date(date), isSubscription ? .integer(1) : .noInteger,
            ])
    }

    /// Events of an account in an app, and of everybody who has it, behind a number, oldest
    /// first.
    ///
    /// - Parameter environment: the account's.
    package func events(
        account: AccountID, in environment: StoreEnvironment, app: AppID, after: DeviceEventID,
        limit: Int
    ) throws -> [DeviceEvent] {
        try connection.rows(
            """
            SELECT id, kind, product_id, is_subscription FROM device_event
            WHERE account = ?1 AND app = ?2 AND id > ?3
            UNION ALL
            SELECT id, kind, product_id, is_subscription FROM device_event
            WHERE account IS NULL AND environment = ?5 AND app = ?2 AND id > ?3
            ORDER BY id LIMIT ?4
            """,
            [
                .integer(account.number), .integer(app.number), .integer(after.number),
                .integer(limit), .text(environment.rawValue),
            ]
        ) { row in
            let product = try row.optionalText(2).map { _ in try row.value(2) { ProductID($0) } }
            return DeviceEvent(
                id: DeviceEventID(number: row.integer(0)),
                kind: try row.value(1) { kind -> DeviceEventDraft.Kind? in
                    switch kind {
                    case "transactions": row.isNull(3) ? .transactions : .subscription
                    case "revocation": product.map { .revocation($0) }
                    case "storePayment": product.map { .storePayment($0) }
                    case "priceConsent": .priceConsent
                    case "contentVersion": product.map { .contentVersion($0) }
                    default: nil
                    }
                })
        }
    }

    /// Who has events behind a number.
    package func news(after: DeviceEventID) throws -> DeviceNews {
        let accounts = try connection.rows(
            """
            SELECT account, max(id) FROM device_event
            WHERE id > ?1 AND account IS NOT NULL GROUP BY account
            """, [.integer(after.number)]
        ) { (AccountID(number: $0.integer(0)), DeviceEventID(number: $0.integer(1))) }
        let places = try connection.rows(
            """
            SELECT app, environment, max(id) FROM device_event
            WHERE id > ?1 AND account IS NULL GROUP BY app, environment
            """, [.integer(after.number)]
        ) { row in
            (
                AppScope(
                    app: AppID(number: row.integer(0)),
                    environment: try row.value(1, StoreEnvironment.init(rawValue:))),
                DeviceEventID(number: row.integer(2))
            )
        }
        return DeviceNews(
            accounts: Dictionary(uniqueKeysWithValues: accounts),
            places: Dictionary(uniqueKeysWithValues: places))
    }

    /// Where a device goes on that has heard everything up to a number: there, but for numbers that
    /// were given before the database went back to an earlier state. They go on with what that
    /// state had last; or begin anew, where another earlier state may have been here in between,
    /// which lacked some of that.
    package func resumption(after number: DeviceEventID) throws -> DeviceEventID {
        let last = try connection.row(
            """
            SELECT min(CASE WHEN other_event > ?1 THEN last_event ELSE 0 END) FROM restoration
            WHERE last_event < ?1 AND next_event > ?1
            """, [.integer(number.number)]
        ) { $0.optionalInteger(0) }
        return (last ?? nil).map { DeviceEventID(number: $0) } ?? number
    }

    /// The last event of all accounts.
    package func last() throws -> DeviceEventID {
        let number =
            try connection.row("SELECT max(id) FROM device_event", []) { $0.optionalInteger(0) }
        return DeviceEventID(number: (number ?? nil) ?? 0)
    }
}
