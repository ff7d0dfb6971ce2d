import Foundation
import StoreDatabase
import StoreModel

/// A list of an app's products, whose pages cost about as much with many products as with few.
///
/// Where some part of the filter leaves few products, an index finds these, and they are sorted
/// here. Else the list walks along an index that has the wanted order, from where the page
/// before ended. So no page reads all products, except where many fulfil each part of the
/// filter and few all of them.
struct ProductListQuery {
    /// As many are few.
    static let few = 200

    let connection: any SQLConnection
    let app: AppID
    let filter: ProductFilter
    let order: ProductOrder

    func page(_ request: PageRequest) throws -> ProductPage {
        let cursor = try request.cursor.map { try ProductCursor($0, order.key) }
        let found: Found =
            if let candidates = try candidates() {
                try sort(candidates, cursor, limit: request.limit)
            } else {
                try walk(cursor, limit: request.limit)
            }
        let products = ProductRepository(connection: connection)
        let items = try products.summaries(found.numbers)
        func place(_ item: ProductSummary?, isBackwards: Bool) -> String? {
            item.map { ProductCursor($0, order.key, isBackwards: isBackwards).text }
        }
        return ProductPage(
            page: ListPage(
                items: items, total: found.total,
                next: found.hasNext ? place(items.last, isBackwards: false) : nil),
            previous: found.hasPrevious ? place(items.first, isBackwards: true) : nil)
    }

    private struct Found {
        var numbers: [ProductNumber]
        var total: Int?
        var hasNext: Bool
        var hasPrevious: Bool

        /// - Parameters:
        ///   - rows: as many as the page has, and one more where there are more.
        ///   - cursor: where they began.
        init(rows: [ProductNumber], total: Int?, limit: Int, _ cursor: ProductCursor?) {
            let isBackwards = cursor?.isBackwards ?? false
            let hasMore = rows.count > limit
            let shown = Array(rows.prefix(limit))
            numbers = isBackwards ? shown.reversed() : shown
            self.total = total
            hasNext = isBackwards || hasMore
            hasPrevious = isBackwards ? hasMore : cursor != nil
        }
    }

    // MARK: Few

    /// All products that fulfil the filter, where an index shows that they are few.
    private func candidates() throws -> [ProductSummary]? {
        guard let numbers = try listed() ?? searched() ?? inStates() else { return nil }
        return try ProductRepository(connection: connection).summaries(numbers)
            .filter { filter.includes($0) }
    }

    /// Those that the filter names.
    private func listed() throws -> [ProductNumber]? {
        if let productIDs = filter.productIDs {
            return try numbers("\(ofApp) AND product_id IN \(list: productIDs)")
        }
        guard let names = filter.names else { return nil }
        return try few(
            numbers(
                """
                \(ofApp) AND reference_name COLLATE NOCASE IN (
                    SELECT value COLLATE NOCASE FROM json_each(\(bound: try .json(names))))
                LIMIT \(Self.few + 1)
                """))
    }

    private func searched() throws -> [ProductNumber]? {
        // The index knows groups of three characters.
        guard let search = filter.search, search.unicodeScalars.count >= 3 else { return nil }
        let matches = try few(
            connection.search.products(of: app, containing: search, limit: Self.few + 1))
        guard let matches else { return nil }
        // CROSS JOIN keeps the order: SQLite would go through all products of the app.
        return try connection.values(
            ProductNumber.self,
            """
            SELECT p.id FROM json_each(\(bound: try .json(matches.map(\.number)))) w
                CROSS JOIN product p ON p.id = CAST(w.value AS INTEGER)
            WHERE p.app = \(app) AND p.deleted IS NULL
            """)
    }

    private func inStates() throws -> [ProductNumber]? {
        guard filter.states != nil else { return nil }
        return try few(numbers("\(ofApp) \(inTheStates) LIMIT \(Self.few + 1)"))
    }

    /// - Parameter condition: of the products, with what follows it.
    private func numbers(_ condition: SQL) throws -> [ProductNumber] {
        try connection.values(ProductNumber.self, "SELECT id FROM product WHERE \(condition)")
    }

    private var ofApp: SQL { "app = \(app) AND deleted IS NULL" }
    private var inTheStates: SQL? { filter.states.map { "AND state IN \(list: $0)" } }
    private var ofTheTypes: SQL? { filter.types.map { "AND type IN \(list: $0)" } }

    private func few(_ numbers: [ProductNumber]) -> [ProductNumber]? {
        numbers.count > Self.few ? nil : numbers
    }

    private func sort(
        _ candidates: [ProductSummary], _ cursor: ProductCursor?, limit: Int
    ) throws -> Found {
        let isDescending = order.isDescending != (cursor?.isBackwards ?? false)
        let sorted =
            candidates
            .map { (number: $0.number, place: ProductCursor($0, order.key, isBackwards: false)) }
            .sorted { isDescending ? $1.place < $0.place : $0.place < $1.place }
        let rest = sorted.drop { row in
            guard let cursor else { return false }
            return isDescending ? !(row.place < cursor) : !(cursor < row.place)
        }
        return Found(
            rows: rest.prefix(limit + 1).map(\.number), total: candidates.count, limit: limit,
            cursor)
    }

    // MARK: Many

    private func walk(_ cursor: ProductCursor?, limit: Int) throws -> Found {
        let isDescending = order.isDescending != (cursor?.isBackwards ?? false)
        var rows: [ProductNumber] = []
        if order.key == .type {
            // One type after the other, from that of the cursor on.
            let types = Set(filter.types ?? ProductType.allCases)
                .sorted { ($0.rawValue < $1.rawValue) != isDescending }
            for type in types where rows.count <= limit {
                let name = type.rawValue
                if let cursor, isDescending ? name > cursor.type : name < cursor.type { continue }
                rows += try walk(
                    "AND type = \(type)", from: name == cursor?.type ? cursor : nil, isDescending,
                    limit: limit + 1 - rows.count)
            }
        } else {
            rows = try walk(ofTheTypes, from: cursor, isDescending, limit: limit + 1)
        }
        return Found(rows: rows, total: try total(), limit: limit, cursor)
    }

    /// Walks along an index.
    ///
    /// The first comparison with the cursor is what the index is entered by; the second one tells
    /// products of the same name apart.
    ///
    /// - Parameter types: the SQL condition on the product type; nil if every type is listed.
    private func walk(
        _ types: SQL?, from cursor: ProductCursor?, _ isDescending: Bool, limit: Int
    ) throws -> [ProductNumber] {
        let place: SQL =
            order.key == .productID
            ? "product_id COLLATE NOCASE" : "reference_name COLLATE NOCASE"
        let direction: SQL? = isDescending ? "DESC" : nil
        let behind: SQL? = cursor.map { cursor in
            let (at, after): (SQL, SQL) = isDescending ? ("<=", "<") : (">=", ">")
            return """
                AND \(place) \(at) \(cursor.key) COLLATE NOCASE
                AND (\(place), id) \(after) (\(cursor.key) COLLATE NOCASE, \(cursor.number))
                """
        }
        let named: SQL? = filter.names.map { "AND reference_name IN \(list: $0)" }
        let matching: SQL? = filter.search.map(LikePattern.containing).map { pattern in
            """
            AND (reference_name LIKE \(pattern) ESCAPE '\\'
                OR product_id LIKE \(pattern) ESCAPE '\\')
            """
        }
        return try numbers(
            """
            \(ofApp) \(types) \(inTheStates) \(behind) \(named) \(matching)
            ORDER BY \(place) \(direction), id \(direction) LIMIT \(limit)
            """)
    }

    /// Nobody counts what a search finds in many products.
    private func total() throws -> Int? {
        guard filter.search == nil, filter.names == nil else { return nil }
        let count = try connection.value(
            Int.self,
            """
            SELECT ifnull(sum(count), 0) FROM product_count
            WHERE app = \(app) \(inTheStates) \(ofTheTypes)
            """)
        return count ?? 0
    }
}
