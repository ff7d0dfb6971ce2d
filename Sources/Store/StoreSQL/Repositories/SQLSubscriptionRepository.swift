import Foundation
import StoreCore
import StoreModel

struct SQLSubscriptionRepository: SubscriptionRepository {
    let connection: any SQLConnection

    func page(
        ofGroup group: String, of app: AppID, _ request: PageRequest
    ) throws -> ListPage<ProductNumber> {
        let start = try request.key() ?? 0
        let found = try connection.rows(
            """
            SELECT id FROM product
            WHERE app = ?1 AND json_extract(subscription, '$.groupID') = ?2
                AND subscription IS NOT NULL AND deleted IS NULL AND id > ?3
            ORDER BY id LIMIT ?4
            """,
            [
                .integer(app.number), .text(group), .integer(start),
                .integer(request.limit + 1),
            ]
        ) { ProductNumber(number: $0.integer(0)) }
        let shown = Array(found.prefix(request.limit))
        let total =
            try connection.row(
                """
                SELECT count(*) FROM product
                WHERE app = ?1 AND json_extract(subscription, '$.groupID') = ?2
                    AND subscription IS NOT NULL AND deleted IS NULL
                """, [.integer(app.number), .text(group)]
            ) { Int($0.integer(0)) } ?? 0
        return ListPage(
            items: shown, total: total,
            next: found.count > request.limit ? shown.last?.description : nil)
    }

    func isUsed(group: String, of app: AppID) throws -> Bool {
        try !page(ofGroup: group, of: app, PageRequest(limit: 1)).items.isEmpty
    }

    func setTerms(_ terms: SubscriptionTerms, of number: ProductNumber) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try connection.run(
            "UPDATE product SET subscription = ?2 WHERE id = ?1",
            [
                .integer(number.number),
                .text(String(decoding: try encoder.encode(terms), as: UTF8.self)),
            ])
    }

    func setName(_ name: String, ofGroup group: String, of app: AppID) throws {
        try connection.run(
            """
            UPDATE product SET subscription = json_set(subscription, '$.groupName', ?3)
            WHERE app = ?1 AND json_extract(subscription, '$.groupID') = ?2
                AND subscription IS NOT NULL
            """, [.integer(app.number), .text(group), .text(name)])
    }
}
