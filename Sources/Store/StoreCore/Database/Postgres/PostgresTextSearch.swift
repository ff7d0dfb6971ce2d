import StoreModel

/// Looks for words in the `tsvector` of their rows, which the function `search_words` makes: each
/// word has the letter of its column before it, and a column begins with its letter alone.
struct PostgresTextSearch: TextSearch {
    let connection: any SQLConnection

    func text(of condition: SearchCondition, in table: SearchTable) -> String {
        Self.text(of: condition, in: table, table.columns)
    }

    private static func text(
        of condition: SearchCondition, in table: SearchTable, _ columns: [SearchColumn]
    ) -> String {
        switch condition {
        case .phrase(let words, let isBegun, let isFirst):
            let words = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }
            return grouped(
                columns.map { column in
                    let letter = letter(of: column, in: table)
                    let lexemes =
                        (isFirst ? [letter] : []) + words.map { letter + "_" + $0 }
                    return lexemes.map(quoted).joined(separator: " <-> ") + (isBegun ? ":*" : "")
                }, " | ")
        case .all(let parts): return grouped(parts.map { text(of: $0, in: table, columns) }, " & ")
        case .any(let parts): return grouped(parts.map { text(of: $0, in: table, columns) }, " | ")
        case .columns(let chosen, let part): return text(of: part, in: table, chosen)
        }
    }

    private static func grouped(_ parts: [String], _ separator: String) -> String {
        "(" + parts.map { "(" + $0 + ")" }.joined(separator: separator) + ")"
    }

    private static func letter(of column: SearchColumn, in table: SearchTable) -> String {
        let place = table.columns.firstIndex { $0 == column } ?? 0
        return String(UnicodeScalar(UInt8(ascii: "a") + UInt8(place)))
    }

    private static func quoted(_ lexeme: String) -> String {
        "'" + lexeme.replacing(scalar: "\\", with: "\\\\").replacing(scalar: "'", with: "''") + "'"
    }

    func known(
        _ words: [String], in table: SearchTable
    ) throws -> [(word: String, count: Int64)] {
        let conditions = words.map { text(of: .phrase([$0]), in: table) }
        let statement: StaticString =
            switch table {
            case .artists:
                """
                SELECT j.key, (SELECT count(*) FROM artist_search s
                    WHERE s.words @@ CAST(j.value AS TSQUERY))
                FROM json_each(?1) j
                """
            case .names, .texts:
                """
                SELECT j.key, (SELECT count(*) FROM item_name_search s
                    WHERE s.words @@ CAST(j.value AS TSQUERY))
                FROM json_each(?1) j
                """
            }
        return try connection.rows(statement, [.list(conditions)]) {
            (word: words[Int($0.integer(0))], count: $0.integer(1))
        }.filter { $0.count > 0 }
    }

    func products(
        of app: AppID, containing text: String, limit: Int
    ) throws -> [ProductNumber] {
        // An app has thousands of products at the most, and an index for them.
        try connection.rows(
            """
            SELECT id FROM product WHERE app = ?1 AND deleted IS NULL
                AND (instr(folded(product_id), folded(?2)) > 0
                    OR instr(folded(reference_name), folded(?2)) > 0)
            LIMIT ?3
            """, [.integer(app.number), .text(text), .integer(limit)]
        ) { ProductNumber(number: $0.integer(0)) }
    }

    /// There is nothing to be written: the rows themselves are looked into.
    func index(_ product: ProductNumber) throws {}
}
