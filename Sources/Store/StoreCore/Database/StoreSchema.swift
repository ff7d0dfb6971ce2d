import CStoreSchema
import Foundation
import StoreDatabase
import StoreKernel

extension DatabaseSchema {
    /// The schema of the store's database. The SQL is in `Sources/Store/CStoreSchema`: `Schema.sql`,
    /// whose first line says its number, and `Steps.sql`.
    package static let store = DatabaseSchema(
        base: embedded(cstore_schema_base), steps: embedded(cstore_schema_steps), oldest: 18,
        conversions: [20: nameTiers], mark: "catalog_clock",
        counters: ChangeCounter.allCases.map(\.expression), postgresAdditions: eventsInOrder)

    private static func embedded(
        _ file: (UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>?
    ) -> String {
        var count = 0
        let bytes = UnsafeBufferPointer(start: file(&count), count: count)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A transaction that adds events takes a lock until its commit. So events get their numbers in the
    /// order of the commits, and a device that has read up to a number has missed none below it. SQLite
    /// needs no lock: it has one writer at a time.
    private static let eventsInOrder: [String] = [
        """
        CREATE OR REPLACE FUNCTION events_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_catalog.pg_advisory_xact_lock(\(eventLock));
            RETURN NULL;
        END $$
        """,
        """
        CREATE OR REPLACE TRIGGER device_event_in_order BEFORE INSERT ON device_event
            FOR EACH STATEMENT EXECUTE FUNCTION events_in_order()
        """,
    ]

    /// The number of an advisory lock; the one that ends with 01 is the migrations'.
    private static let eventLock: Int64 = 0x6F70_656E_7374_6F02
}

/// The numbers whose growth all programs on a database hear of.
enum ChangeCounter: Int, CaseIterable {
    case catalog
    case storefront
    /// The last device event.
    case event

    /// What it is in SQL.
    var expression: StaticString {
        switch self {
        case .catalog: "(SELECT generation FROM catalog_clock)"
        case .storefront: "(SELECT generation FROM storefront_clock)"
        case .event: "(SELECT coalesce(max(id), 0) FROM device_event)"
        }
    }
}

/// Has the offers of the API say the tier of their price, which so far only the identifier of their
/// price point did: base64url of JSON.
@Sendable private func nameTiers(_ connection: any SQLConnection) throws {
    struct PricePoint: Decodable { var p: String? }
    let rows = try connection.rows(
        "SELECT number, links FROM kept_resource WHERE links LIKE '%subscriptionPricePoint%'", []
    ) { (number: $0.integer(0), links: $0.text(1)) }
    for row in rows {
        var links = try JSONDecoder().decode([String: [String]].self, from: Data(row.links.utf8))
        let text = (links["subscriptionPricePoint"]?.first ?? "")
            .replacing(scalar: "-", with: "+").replacing(scalar: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text + padding),
            let tier = try? JSONDecoder().decode(PricePoint.self, from: data).p
        else { continue }
        links[KeptResource.tier] = [tier]
        try connection.run(
            "UPDATE kept_resource SET links = ?2 WHERE number = ?1",
            [.integer(row.number), try .json(links)])
    }
}
