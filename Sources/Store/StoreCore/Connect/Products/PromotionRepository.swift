import StoreModel

/// Products that an app's page in the store shows.
package struct PromotionRepository {
    let connection: any SQLConnection

    package func promotion(_ id: PromotionID) throws -> Promotion? {
        try connection.row(
            """
            SELECT id, app, product, position, visible, enabled FROM promoted_purchase
            WHERE id = ?1
            """, [.text(id.text)], read)
    }

    package func promotion(of product: ProductNumber) throws -> Promotion? {
        try connection.row(
            """
            SELECT id, app, product, position, visible, enabled FROM promoted_purchase
            WHERE product = ?1
            """, [.integer(product.number)], read)
    }

    /// All of an app, in their order.
    package func promotions(of app: AppID) throws -> [Promotion] {
        try connection.rows(
            """
            SELECT id, app, product, position, visible, enabled FROM promoted_purchase
            WHERE app = ?1 ORDER BY position, id
            """, [.integer(app.number)], read)
    }

    package func insert(_ promotion: Promotion) throws {
        try connection.run(
            """
            INSERT INTO promoted_purchase (id, app, product, position, visible, enabled)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            [
                .text(promotion.id.text), .integer(promotion.app.number),
                .integer(promotion.product.number), .integer(promotion.position),
                .integer(promotion.isVisible), .integer(promotion.isEnabled),
            ])
    }

    package func update(_ promotion: Promotion) throws {
        try connection.run(
            """
            UPDATE promoted_purchase SET position = ?2, visible = ?3, enabled = ?4 WHERE id = ?1
            """,
            [
                .text(promotion.id.text), .integer(promotion.position),
                .integer(promotion.isVisible), .integer(promotion.isEnabled),
            ])
    }

    package func delete(_ id: PromotionID) throws {
        try connection.run("DELETE FROM promoted_purchase WHERE id = ?1", [.text(id.text)])
    }

    private func read(_ row: any SQLRow) throws -> Promotion {
        Promotion(
            id: try row.value(0) { PromotionID($0) }, app: AppID(number: row.integer(1)),
            product: ProductNumber(number: row.integer(2)), position: Int(row.integer(3)),
            isVisible: row.integer(4) == 1, isEnabled: row.integer(5) == 1)
    }
}
