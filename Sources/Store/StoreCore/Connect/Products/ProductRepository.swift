import Foundation
import StoreModel

/// Products as their publishers maintain them.
package struct ProductRepository {
    let connection: any SQLConnection

    /// A product, also a deleted one.
    package func record(_ number: ProductNumber) throws -> ProductRecord? {
        guard let summary = try summary(number),
            let product = try CatalogRepository(connection: connection)
                .product(summary.productID, in: summary.app)
        else { return nil }
        let revisions = RevisionRepository(connection: connection)
        return ProductRecord(
            summary: summary, product: product, openRevision: try revisions.open(of: number),
            revisionOnSale: try revisions.onSale(of: number),
            assets: try AssetRepository(connection: connection).assets(of: number))
    }

    package func summary(_ number: ProductNumber) throws -> ProductSummary? {
        try summaries([number]).first
    }

    /// Those that there are, in the order of their numbers in the list.
    func summaries(_ numbers: [ProductNumber]) throws -> [ProductSummary] {
        try connection.rows(
            """
            SELECT p.id, p.app, p.product_id, p.type, p.reference_name, p.state,
                p.family_shareable, p.hosts_content, p.review_note
            FROM json_each(?1) w JOIN product p ON p.id = CAST(w.value AS INTEGER) ORDER BY w.key
            """, [.text(json(numbers.map(\.number)))]
        ) { row in
            ProductSummary(
                number: ProductNumber(number: row.integer(0)), app: AppID(number: row.integer(1)),
                productID: try row.value(2) { ProductID($0) },
                type: try row.value(3, ProductType.init(rawValue:)), referenceName: row.text(4),
                state: try row.value(5, ProductState.init(rawValue:)),
                isFamilyShareable: row.integer(6) == 1, hostsContent: row.integer(7) == 1,
                reviewNote: row.text(8))
        }
    }

    /// Also of a deleted product.
    package func number(of id: ProductID, in app: AppID) throws -> ProductNumber? {
        try connection.row(
            "SELECT id FROM product WHERE app = ?1 AND product_id = ?2",
            [.integer(app.number), .text(id.text)]
        ) { ProductNumber(number: $0.integer(0)) }
    }

    /// A page of an app's products, without deleted ones.
    ///
    /// - Throws: `ConnectRefusal` for a cursor that is none.
    package func page(
        of app: AppID, _ filter: ProductFilter, by order: ProductOrder, _ request: PageRequest
    ) throws -> ProductPage {
        try ProductListQuery(connection: connection, app: app, filter: filter, order: order)
            .page(request)
    }

    /// How many products an app has in each state, without deleted ones.
    package func counts(of app: AppID) throws -> [ProductState: Int] {
        let counts = try connection.rows(
            """
            SELECT state, sum(count) FROM product_count WHERE app = ?1
            GROUP BY state HAVING sum(count) > 0
            """, [.integer(app.number)]
        ) { row in
            (try row.value(0, ProductState.init(rawValue:)), Int(row.integer(1)))
        }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    // MARK: Changes

    package func setDetails(
        referenceName: String, reviewNote: String, isFamilyShareable: Bool,
        of number: ProductNumber
    ) throws {
        try connection.run(
            """
            UPDATE product SET reference_name = ?2, review_note = ?3, family_shareable = ?4
            WHERE id = ?1
            """,
            [
                .integer(number.number), .text(referenceName), .text(reviewNote),
                .integer(isFamilyShareable),
            ])
        try index(number)
    }

    /// Lets searches find a product by what it is called now.
    func index(_ number: ProductNumber) throws {
        try connection.search.index(number)
    }

    package func setTexts(_ texts: [String: ProductText], of number: ProductNumber) throws {
        try connection.run(
            "DELETE FROM product_text WHERE product = ?1", [.integer(number.number)])
        for (locale, text) in texts { try setText(text, locale: locale, of: number) }
    }

    /// Adds or changes the text of a locale; nil takes it away.
    package func setText(_ text: ProductText?, locale: String, of number: ProductNumber) throws {
        guard let text else {
            try connection.run(
                "DELETE FROM product_text WHERE product = ?1 AND locale = ?2",
                [.integer(number.number), .text(locale)])
            return
        }
        try connection.run(
            """
            INSERT INTO product_text (product, locale, title, description)
            VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (product, locale) DO UPDATE SET
                title = excluded.title, description = excluded.description
            """,
            [
                .integer(number.number), .text(locale), .text(text.title),
                .text(text.description),
            ])
    }

    package func setPrices(_ prices: PriceSchedule, of number: ProductNumber) throws {
        let product = SQLValue.integer(number.number)
        try connection.run("DELETE FROM product_price WHERE product = ?1", [product])
        try connection.run(
            "UPDATE product SET base_territory = ?2 WHERE id = ?1 AND base_territory <> ?2",
            [product, .text(prices.baseTerritory)])
        for entry in prices.entries {
            let (tier, thousandths): (SQLValue, SQLValue) =
                switch entry.figure {
                case .tier(let identifier): (.text(identifier), .noInteger)
                case .amount(let thousandths): (.noText, .integer(thousandths))
                }
            try connection.run(
                """
                INSERT INTO product_price (product, territory, starts, ends, tier, thousandths)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """,
                [
                    product, .text(entry.territory), entry.start.map { .date($0) } ?? .integer(0),
                    .date(entry.end), tier, thousandths,
                ])
        }
    }

    package func setAvailability(_ availability: Availability, of number: ProductNumber) throws {
        try connection.run(
            "UPDATE product SET in_new_territories = ?2, territories = ?3 WHERE id = ?1",
            [
                .integer(number.number), .integer(availability.includesNew),
                .text(availability.listed.sorted().joined(separator: " ")),
            ])
    }

    /// Deletes a product for its publisher. The identifier stays taken.
    package func delete(_ number: ProductNumber, at date: Date) throws {
        try connection.run(
            "UPDATE product SET deleted = ?2 WHERE id = ?1 AND deleted IS NULL",
            [.integer(number.number), .date(date)])
    }
}

/// A list of numbers or texts as one parameter, for `json_each`.
func json(_ values: [some Encodable]) -> String {
    guard let data = try? JSONEncoder().encode(values) else { return "[]" }
    return String(decoding: data, as: UTF8.self)
}
