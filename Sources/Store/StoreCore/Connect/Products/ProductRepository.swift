import Foundation
import StoreDatabase
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
            assets: try Records<ProductAsset>(connection).assets(of: number))
    }

    package func summary(_ number: ProductNumber) throws -> ProductSummary? {
        try summaries([number]).first
    }

    /// Those that there are, in the order of their numbers in the list.
    func summaries(_ numbers: [ProductNumber]) throws -> [ProductSummary] {
        let found = try connection.records(
            ProductSummary.self,
            "SELECT \(ProductSummary.columns) FROM product WHERE id IN \(list: numbers)")
        let byNumber = Dictionary(found.map { ($0.number, $0) }) { first, _ in first }
        return numbers.compactMap { byNumber[$0] }
    }

    /// Also of a deleted product.
    package func number(of id: ProductID, in app: AppID) throws -> ProductNumber? {
        try connection.value(
            ProductNumber.self,
            "SELECT id FROM product WHERE app = \(app) AND product_id = \(id)")
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
        let counts = try connection.records(
            ProductCount.self,
            """
            SELECT state, sum(count) AS count FROM product_count WHERE app = \(app)
            GROUP BY state HAVING sum(count) > 0
            """)
        return Dictionary(counts.map { ($0.state, $0.count) }) { _, last in last }
    }

    // MARK: Changes

    package func setDetails(
        referenceName: String, reviewNote: String, isFamilyShareable: Bool,
        of number: ProductNumber
    ) throws {
        try connection.run(
            """
            UPDATE product SET reference_name = \(referenceName), review_note = \(reviewNote),
                family_shareable = \(isFamilyShareable)
            WHERE id = \(number)
            """)
        try index(number)
    }

    /// Lets searches find a product by what it is called now.
    func index(_ number: ProductNumber) throws {
        try connection.search.index(number)
    }

    package func setTexts(_ texts: [String: ProductText], of number: ProductNumber) throws {
        try connection.run("DELETE FROM product_text WHERE product = \(number)")
        for (locale, text) in texts { try setText(text, locale: locale, of: number) }
    }

    /// Adds or changes the text of a locale; nil takes it away.
    package func setText(_ text: ProductText?, locale: String, of number: ProductNumber) throws {
        guard let text else {
            try connection.run(
                "DELETE FROM product_text WHERE product = \(number) AND locale = \(locale)")
            return
        }
        try connection.run(
            """
            INSERT INTO product_text (product, locale, title, description)
            VALUES (\(number), \(locale), \(text.title), \(text.description))
            ON CONFLICT (product, locale) DO UPDATE SET
                title = excluded.title, description = excluded.description
            """)
    }

    package func setPrices(_ prices: PriceSchedule, of number: ProductNumber) throws {
        try connection.run("DELETE FROM product_price WHERE product = \(number)")
        try connection.run(
            """
            UPDATE product SET base_territory = \(prices.baseTerritory)
            WHERE id = \(number) AND base_territory <> \(prices.baseTerritory)
            """)
        for entry in prices.entries {
            try connection.insert(ProductPrice(product: number, entry: entry))
        }
    }

    package func setAvailability(_ availability: Availability, of number: ProductNumber) throws {
        try connection.run(
            """
            UPDATE product SET in_new_territories = \(availability.includesNew),
                territories = \(availability.listedText)
            WHERE id = \(number)
            """)
    }

    /// Deletes a product for its publisher. The identifier stays taken.
    package func delete(_ number: ProductNumber, at date: Date) throws {
        try connection.run(
            "UPDATE product SET deleted = \(date) WHERE id = \(number) AND deleted IS NULL")
    }
}

extension StoreRepositories {
    package var products: ProductRepository { ProductRepository(connection: connection) }
}

/// A price of a product.
private struct ProductPrice: Sendable {
    let product: ProductNumber
    let entry: PriceSchedule.Entry
}

extension ProductPrice: Record {
    static let table: StaticString = "product_price"

    init(_ column: borrowing RecordColumns<Self>) throws {
        product = try column("product", \.product)
        entry = try column.part(\.entry)
    }
}

/// How many products are in a state.
private struct ProductCount: RecordPart {
    let state: ProductState
    let count: Int

    init(_ column: borrowing RecordColumns<Self>) throws {
        state = try column("state", \.state)
        count = try column("count", \.count)
    }
}
