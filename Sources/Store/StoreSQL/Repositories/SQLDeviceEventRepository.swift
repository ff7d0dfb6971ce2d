import Foundation
import StoreCore
import StoreModel

struct SQLDeviceEventRepository: DeviceEventRepository {
    let connection: any SQLConnection

    func append(_ event: DeviceEventDraft, at date: Date) throws {
        let kind: String
        var product: ProductID?
        switch event.kind {
        case .transactions: kind = "transactions"
        case .revocation(let id): (kind, product) = ("revocation", id)
        case .storePayment(let id): (kind, product) = ("storePayment", id)
        case .priceConsent: kind = "priceConsent"
        }
        try connection.run(
            """
            INSERT INTO device_event (account, app, kind, product_id, date)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            [
                .integer(event.account.number), .integer(event.app.number), .text(kind),
                .text(product?.text), .date(date),
            ])
    }

    func events(
        account: AccountID, app: AppID, after: DeviceEventID, limit: Int
    ) throws -> [DeviceEvent] {
        try connection.rows(
            """
            SELECT id, kind, product_id FROM device_event
            WHERE account = ?1 AND app = ?2 AND id > ?3 ORDER BY id LIMIT ?4
            """,
            [
                .integer(account.number), .integer(app.number), .integer(after.number),
                .integer(limit),
            ]
        ) { row in
            let product = try row.optionalText(2).map { _ in try row.value(2) { ProductID($0) } }
            return DeviceEvent(
                id: DeviceEventID(number: row.integer(0)),
                kind: try row.value(1) { kind -> DeviceEventDraft.Kind? in
                    switch kind {
                    case "transactions": .transactions
                    case "revocation": product.map { .revocation($0) }
                    case "storePayment": product.map { .storePayment($0) }
                    case "priceConsent": .priceConsent
                    default: nil
                    }
                })
        }
    }

    func accounts(after: DeviceEventID) throws -> [AccountID: DeviceEventID] {
        let rows = try connection.rows(
            "SELECT account, max(id) FROM device_event WHERE id > ?1 GROUP BY account",
            [.integer(after.number)]
        ) { (AccountID(number: $0.integer(0)), DeviceEventID(number: $0.integer(1))) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    func last() throws -> DeviceEventID {
        let number =
            try connection.row("SELECT max(id) FROM device_event", []) { $0.optionalInteger(0) }
        return DeviceEventID(number: (number ?? nil) ?? 0)
    }
}
