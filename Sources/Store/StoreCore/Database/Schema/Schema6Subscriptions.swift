import Foundation
import StoreModel

/// Groups of subscriptions: each is a kept resource, and products are found by theirs.
let schema6Subscriptions: String =
    """
    -- The group in the product's terms. Kept by the program: an index may not read JSON where the
    -- schema is not trusted.
    ALTER TABLE product ADD COLUMN subscription_group TEXT CHECK (
        subscription_group IS NULL OR subscription IS NOT NULL);
    UPDATE product SET subscription_group = json_extract(subscription, '$.groupID')
        WHERE subscription IS NOT NULL;
    DROP INDEX product_subscriptions;
    CREATE INDEX product_by_group ON product (app, subscription_group, state, id)
        WHERE subscription_group IS NOT NULL AND deleted IS NULL;

    """

/// Makes kept resources of the groups that subscriptions name and nobody has made: earlier
/// programs took them from files and forms as they were.
func keepGroups(_ connection: any SQLConnection) throws {
    struct Unkept {
        let app: Int64
        let id: String
        let name: String
        /// The group's first product.
        let product: Int64
    }
    let groups = try connection.rows(
        """
        SELECT p.app, p.subscription_group,
            ifnull(nullif(json_extract(p.subscription, '$.groupName'), ''), p.subscription_group),
            p.id
        FROM product p
        WHERE p.id IN (
                SELECT min(f.id) FROM product f WHERE f.subscription_group IS NOT NULL
                GROUP BY f.app, f.subscription_group)
            AND NOT EXISTS (
                SELECT 1 FROM kept_resource k WHERE k.kind = 'subscriptionGroups'
                    AND k.id = p.subscription_group AND k.app = p.app)
        ORDER BY p.id
        """, []
    ) { Unkept(app: $0.integer(0), id: $0.text(1), name: $0.text(2), product: $0.integer(3)) }
    for group in groups {
        let named = try connection.row(
            """
            SELECT id FROM kept_resource
            WHERE kind = 'subscriptionGroups' AND scope = ?1 AND name = ?2
            """, [.text("app \(group.app)"), .text(group.name)]
        ) { $0.text(0) }
        let id: String
        if let named {
            id = named
        } else {
            id = try freeIdentifier(for: group.id, product: group.product, connection)
            let attributes = try JSONEncoder().encode(["referenceName": group.name])
            // As `KeptValue` is written: texts are JSON strings.
            try connection.run(
                """
                INSERT INTO kept_resource (id, kind, app, scope, name, attributes, links, created)
                VALUES (?1, 'subscriptionGroups', ?2, ?3, ?4, ?5, '{}', 0)
                """,
                [
                    .text(id), .integer(group.app), .text("app \(group.app)"), .text(group.name),
                    .text(String(decoding: attributes, as: UTF8.self)),
                ])
        }
        guard id != group.id else { continue }
        try connection.run(
            """
            UPDATE product SET subscription_group = ?3,
                subscription = json_set(subscription, '$.groupID', ?3)
            WHERE app = ?1 AND subscription_group = ?2
            """, [.integer(group.app), .text(group.id), .text(id)])
    }
}

/// The identifier that a group has, where it can stand in an address and no other app's group has
/// it; else one made of the number of its first product, which nothing else has.
private func freeIdentifier(
    for id: String, product: Int64, _ connection: any SQLConnection
) throws -> String {
    let isPlain =
        !id.isEmpty && id.count <= 64
        && id.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
        }
    let isTaken = try connection.row(
        "SELECT 1 FROM kept_resource WHERE kind = 'subscriptionGroups' AND id = ?1", [.text(id)]
    ) { _ in true }
    return isPlain && isTaken == nil ? id : "group-\(product)"
}
