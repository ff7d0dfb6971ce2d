import Foundation
import StoreModel

/// What is particular about auto-renewable subscriptions among the products.
package struct SubscriptionRepository {
    let connection: any SQLConnection

    /// A page of the subscriptions in a group, without deleted ones.
    ///
    /// - Throws: `ConnectRefusal` for a cursor that is none.
    package func page(
        ofGroup group: String, of app: AppID, _ filter: SubscriptionFilter,
        _ request: PageRequest
    ) throws -> ListPage<ProductNumber> {
        let wanted: [SQLValue] = [
            .integer(app.number), .text(group), .text(try Self.list(filter.productIDs)),
            .text(try Self.list(filter.names)),
            .text(try Self.list(filter.states?.map(\.rawValue))),
        ]
        let total =
            try connection.row(
                """
                SELECT count(*) FROM product
                WHERE app = ?1 AND subscription_group = ?2
                    AND deleted IS NULL
                    AND (?3 IS NULL OR product_id IN (SELECT value FROM json_each(?3)))
                    AND (?4 IS NULL OR reference_name IN (SELECT value FROM json_each(?4)))
                    AND (?5 IS NULL OR state IN (SELECT value FROM json_each(?5)))
                """, wanted
            ) { Int($0.integer(0)) } ?? 0
        // 0: as they were made; 1 and -1: by name.
        let order: Int64 =
            switch filter.order {
            case nil: 0
            case .name?: 1
            case .nameDescending?: -1
            }
        let page = try connection.rows(
            """
            SELECT id FROM product
            WHERE app = ?1 AND subscription_group = ?2
                AND deleted IS NULL
                AND (?3 IS NULL OR product_id IN (SELECT value FROM json_each(?3)))
                AND (?4 IS NULL OR reference_name IN (SELECT value FROM json_each(?4)))
                AND (?5 IS NULL OR state IN (SELECT value FROM json_each(?5)))
            ORDER BY CASE ?6 WHEN 1 THEN lower(reference_name) END,
                CASE ?6 WHEN -1 THEN lower(reference_name) END DESC, id
            LIMIT ?7 OFFSET ?8
            """,
            wanted + [
                .integer(order), .integer(request.limit), .integer(try request.offset()),
            ]
        ) { ProductNumber(number: $0.integer(0)) }
        return try ListPage(page, total: total, from: request)
    }

    /// The groups that have a subscription in one of these states, without deleted ones.
    package func groups(of app: AppID, withSubscriptionsIn states: [ProductState]) throws -> Set<
        String
    > {
        let groups = try connection.rows(
            """
            SELECT DISTINCT subscription_group FROM product
            WHERE app = ?1 AND subscription_group IS NOT NULL AND deleted IS NULL
                AND state IN (SELECT value FROM json_each(?2))
            """, [.integer(app.number), .text(try Self.list(states.map(\.rawValue)))]
        ) { $0.text(0) }
        return Set(groups)
    }

    /// Whether a subscription that is not deleted is in the group.
    package func isUsed(group: String, of app: AppID) throws -> Bool {
        try connection.row(
            """
            SELECT 1 FROM product
            WHERE app = ?1 AND subscription_group = ?2
                AND deleted IS NULL
            LIMIT 1
            """, [.integer(app.number), .text(group)]
        ) { _ in true } ?? false
    }

    /// A list as JSON; nil where there is none.
    private static func list(_ texts: [String]?) throws -> String? {
        try texts.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    }

    package func setTerms(_ terms: SubscriptionTerms, of number: ProductNumber) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try connection.run(
            "UPDATE product SET subscription = ?2, subscription_group = ?3 WHERE id = ?1",
            [
                .integer(number.number),
                .text(String(decoding: try encoder.encode(terms), as: UTF8.self)),
                .text(terms.groupID),
            ])
    }

    /// Lets all subscriptions of a group name it otherwise.
    package func setName(_ name: String, ofGroup group: String, of app: AppID) throws {
        try connection.run(
            """
            UPDATE product SET subscription = json_set(subscription, '$.groupName', ?3)
            WHERE app = ?1 AND subscription_group = ?2
            """, [.integer(app.number), .text(group), .text(name)])
    }
}
