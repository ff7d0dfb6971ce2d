import StoreModel

/// Looks for words with FTS5.
struct FTS5Search: TextSearch {
    let connection: any SQLConnection

    func text(of condition: SearchCondition, in table: SearchTable) -> String {
        switch condition {
        case .phrase(let words, let isBegun, let isFirst):
            (isFirst ? "^ " : "") + Self.quoted(words.joined(separator: " "))
                + (isBegun ? " *" : "")
        case .all(let parts):
            "(" + parts.map { text(of: $0, in: table) }.joined(separator: " AND ") + ")"
        case .any(let parts):
            "(" + parts.map { text(of: $0, in: table) }.joined(separator: " OR ") + ")"
        case .columns(let columns, let part):
            "{" + columns.map(\.rawValue).joined(separator: " ") + "} : "
                + text(of: part, in: table)
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing(scalar: "\"", with: "\"\"") + "\""
    }

    func known(
        _ words: [String], in table: SearchTable
    ) throws -> [(word: String, count: Int64)] {
        let statement: StaticString =
            switch table {
            case .artists:
                """
                SELECT v.term, v.doc FROM json_each(?1) j
                CROSS JOIN artist_word v ON v.term = j.value
                """
            case .names, .texts:
                """
                SELECT v.term, v.doc FROM json_each(?1) j
                CROSS JOIN item_name_word v ON v.term = j.value
                """
            }
        return try connection.rows(statement, [.list(words)]) {
            (word: $0.text(0), count: $0.integer(1))
        }
    }

    func products(
        of app: AppID, containing text: String, limit: Int
    ) throws -> [ProductNumber] {
        // FTS5 reads as far as U+0000, which no product has in its names.
        guard !text.contains(scalar: "\0") else { return [] }
        let match =
            "app : \":\(app.number):\" AND {product_id reference_name} : \(Self.quoted(text))"
        // Not joined with products: where many match, nobody wants to know which.
        return try connection.rows(
            "SELECT rowid FROM product_search WHERE product_search MATCH ?1 LIMIT ?2",
            [.text(match), .integer(limit)]
        ) { ProductNumber(number: $0.integer(0)) }
    }

    func index(_ product: ProductNumber) throws {
        let number = SQLValue.integer(product.number)
        try connection.run("DELETE FROM product_search WHERE rowid = ?1", [number])
        try connection.run(
            """
            INSERT INTO product_search (rowid, app, product_id, reference_name)
            SELECT id, ':' || app || ':', product_id, reference_name FROM product WHERE id = ?1
            """, [number])
    }
}
