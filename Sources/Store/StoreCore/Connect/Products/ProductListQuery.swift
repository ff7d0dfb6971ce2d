import Foundation
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
            return try connection.rows(
                """
                SELECT id FROM product WHERE app = ?1 AND deleted IS NULL
                    AND product_id IN (SELECT value FROM json_each(?2))
                """, [.integer(app.number), .text(json(productIDs))], readNumber)
        }
        guard let names = filter.names else { return nil }
        return try few(
            connection.rows(
                """
                SELECT id FROM product WHERE app = ?1 AND deleted IS NULL
                    AND reference_name COLLATE NOCASE IN (
                        SELECT value COLLATE NOCASE FROM json_each(?2))
                LIMIT ?3
                """, [.integer(app.number), .text(json(names)), Self.limit], readNumber))
    }

    private func searched() throws -> [ProductNumber]? {
        // The index knows groups of three characters.
        guard let search = filter.search, search.unicodeScalars.count >= 3 else { return nil }
        let matches = try few(
            connection.search.products(of: app, containing: search, limit: Self.few + 1))
        guard let matches else { return nil }
        // CROSS JOIN keeps the order: SQLite would go through all products of the app.
        return try connection.rows(
            """
            SELECT p.id FROM json_each(?2) w CROSS JOIN product p ON p.id = CAST(w.value AS INTEGER)
            WHERE p.app = ?1 AND p.deleted IS NULL
            """, [.integer(app.number), .text(json(matches.map(\.number)))], readNumber)
    }

    private func inStates() throws -> [ProductNumber]? {
        guard let states = filter.states else { return nil }
        return try few(
            connection.rows(
                """
                SELECT id FROM product WHERE app = ?1 AND deleted IS NULL
                    AND state IN (SELECT value FROM json_each(?2)) LIMIT ?3
                """,
                [.integer(app.number), .text(json(states.map(\.rawValue))), Self.limit],
                readNumber))
    }

    private static let limit = SQLValue.integer(few + 1)
    /// No name stands behind it: none is as long, and no character comes after its own.
    private static let end = String(repeating: "\u{10FFFF}", count: 300)

    private func few(_ numbers: [ProductNumber]) -> [ProductNumber]? {
        numbers.count > Self.few ? nil : numbers
    }

    private func readNumber(_ row: any SQLRow) -> ProductNumber {
        ProductNumber(number: row.integer(0))
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
            let types = Set(filter.types ?? ProductType.allCases).map(\.rawValue).sorted()
            for type in isDescending ? types.reversed() : types where rows.count <= limit {
                if let cursor, isDescending ? type > cursor.type : type < cursor.type { continue }
                rows += try walk(
                    of: type, from: type == cursor?.type ? cursor : nil, isDescending,
                    limit: limit + 1 - rows.count)
            }
        } else {
            rows = try walk(of: nil, from: cursor, isDescending, limit: limit + 1)
        }
        return Found(rows: rows, total: try total(), limit: limit, cursor)
    }

    /// Walks along an index.
    ///
    /// The first comparison with the cursor is what the index is entered by; the second one tells
    /// products of the same name apart.
    ///
    /// - Parameter type: the only one, where types are sorted by.
    private func walk(
        of type: String?, from cursor: ProductCursor?, _ isDescending: Bool, limit: Int
    ) throws -> [ProductNumber] {
        let edge: SQLValue = isDescending ? .text(Self.end) : .text("")
        let parameters: [SQLValue] =
            [
                .integer(app.number), .text(type), cursor.map { .text($0.key) } ?? edge,
                .integer(cursor?.number ?? (isDescending ? Int64.max : -1)),
            ] + conditions + [.integer(limit)]
        return
            switch (order.key, isDescending)
        {
        case (.name, false):
            try connection.rows(
                """
                SELECT id FROM product WHERE app = ?1 AND deleted IS NULL
                    AND reference_name COLLATE NOCASE >= ?3 COLLATE NOCASE
                    AND (reference_name COLLATE NOCASE, id) > (?3 COLLATE NOCASE, ?4)
                    AND (?5 IS NULL OR state IN (SELECT value FROM json_each(?5)))
                    AND (?6 IS NULL OR type IN (SELECT value FROM json_each(?6)))
                    AND (?7 IS NULL OR reference_name IN (SELECT value FROM json_each(?7)))
                    AND (?8 IS NULL OR reference_name LIKE ?8 ESCAPE '\\'
                        OR product_id LIKE ?8 ESCAPE '\\')
                ORDER BY reference_name COLLATE NOCASE, id LIMIT ?9
                """, parameters, readNumber)
        case (.name, true):
            try connection.rows(
                """
                SELECT id FROM product WHERE app = ?1 AND deleted IS NULL
                    AND reference_name COLLATE NOCASE <= ?3 COLLATE NOCASE
                    AND (reference_name COLLATE NOCASE, id) < (?3 COLLATE NOCASE, ?4)
                    AND (?5 IS NULL OR state IN (SELECT value FROM json_each(?5)))
                    AND (?6 IS NULL OR type IN (SELECT value FROM json_each(?6)))
                    AND (?7 IS NULL OR reference_name IN (SELECT value FROM json_each(?7)))
                    AND (?8 IS NULL OR reference_name LIKE ?8 ESCAPE '\\'
                        OR product_id LIKE ?8 ESCAPE '\\')
                ORDER BY reference_name COLLATE NOCASE DESC, id DESC LIMIT ?9
                """, parameters, readNumber)
        case (.productID, false):
            try connection.rows(
                """
                SELECT id FROM product WHERE app = ?1 AND deleted IS NULL
                    AND product_id COLLATE NOCASE >= ?3 COLLATE NOCASE
                    AND (product_id COLLATE NOCASE, id) > (?3 COLLATE NOCASE, ?4)
                    AND (?5 IS NULL OR state IN (SELECT value FROM json_each(?5)))
                    AND (?6 IS NULL OR type IN (SELECT value FROM json_each(?6)))
                    AND (?7 IS NULL OR reference_name IN (SELECT value FROM json_each(?7)))
                    AND (?8 IS NULL OR reference_name LIKE ?8 ESCAPE '\\'
                        OR product_id LIKE ?8 ESCAPE '\\')
                ORDER BY product_id COLLATE NOCASE, id LIMIT ?9
                """, parameters, readNumber)
        case (.productID, true):
            try connection.rows(
                """
                SELECT id FROM product WHERE app = ?1 AND deleted IS NULL
                    AND product_id COLLATE NOCASE <= ?3 COLLATE NOCASE
                    AND (product_id COLLATE NOCASE, id) < (?3 COLLATE NOCASE, ?4)
                    AND (?5 IS NULL OR state IN (SELECT value FROM json_each(?5)))
                    AND (?6 IS NULL OR type IN (SELECT value FROM json_each(?6)))
                    AND (?7 IS NULL OR reference_name IN (SELECT value FROM json_each(?7)))
                    AND (?8 IS NULL OR reference_name LIKE ?8 ESCAPE '\\'
                        OR product_id LIKE ?8 ESCAPE '\\')
                ORDER BY product_id COLLATE NOCASE DESC, id DESC LIMIT ?9
                """, parameters, readNumber)
        case (.type, false):
            try connection.rows(
                """
                SELECT id FROM product WHERE app = ?1 AND type = ?2 AND deleted IS NULL
                    AND reference_name COLLATE NOCASE >= ?3 COLLATE NOCASE
                    AND (reference_name COLLATE NOCASE, id) > (?3 COLLATE NOCASE, ?4)
                    AND (?5 IS NULL OR state IN (SELECT value FROM json_each(?5)))
                    AND (?6 IS NULL OR type IN (SELECT value FROM json_each(?6)))
                    AND (?7 IS NULL OR reference_name IN (SELECT value FROM json_each(?7)))
                    AND (?8 IS NULL OR reference_name LIKE ?8 ESCAPE '\\'
                        OR product_id LIKE ?8 ESCAPE '\\')
                ORDER BY reference_name COLLATE NOCASE, id LIMIT ?9
                """, parameters, readNumber)
        case (.type, true):
            try connection.rows(
                """
                SELECT id FROM product WHERE app = ?1 AND type = ?2 AND deleted IS NULL
                    AND reference_name COLLATE NOCASE <= ?3 COLLATE NOCASE
                    AND (reference_name COLLATE NOCASE, id) < (?3 COLLATE NOCASE, ?4)
                    AND (?5 IS NULL OR state IN (SELECT value FROM json_each(?5)))
                    AND (?6 IS NULL OR type IN (SELECT value FROM json_each(?6)))
                    AND (?7 IS NULL OR reference_name IN (SELECT value FROM json_each(?7)))
                    AND (?8 IS NULL OR reference_name LIKE ?8 ESCAPE '\\'
                        OR product_id LIKE ?8 ESCAPE '\\')
                ORDER BY reference_name COLLATE NOCASE DESC, id DESC LIMIT ?9
                """, parameters, readNumber)
        }
    }

    /// The parameters 5 to 8 of a walk: states, types, names, search.
    private var conditions: [SQLValue] {
        let pattern = filter.search.map(LikePattern.containing)
        return [
            .text(filter.states.map { json($0.map(\.rawValue)) }),
            .text(filter.types.map { json($0.map(\.rawValue)) }),
            .text(filter.names.map { json($0) }), .text(pattern),
        ]
    }

    /// Nobody counts what a search finds in many products.
    private func total() throws -> Int? {
        guard filter.search == nil, filter.names == nil else { return nil }
        let count = try connection.row(
            """
            SELECT ifnull(sum(count), 0) FROM product_count WHERE app = ?1
                AND (?2 IS NULL OR state IN (SELECT value FROM json_each(?2)))
                AND (?3 IS NULL OR type IN (SELECT value FROM json_each(?3)))
            """, [.integer(app.number)] + conditions.prefix(2)
        ) { Int($0.integer(0)) }
        return count ?? 0
    }
}
