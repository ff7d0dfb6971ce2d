import StoreDatabase
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

    func known(_ words: [String], in table: SearchTable) throws -> [KnownWord] {
        let conditions = words.map { text(of: .phrase([$0]), in: table) }
        let searched: SQL =
            switch table {
            case .artists: "artist_search"
            case .names, .texts: "item_name_search"
            }
        return try connection.records(
            WordCount.self,
            """
            SELECT j.key, (SELECT count(*) FROM \(searched) s
                WHERE s.words @@ CAST(j.value AS TSQUERY)) AS count
            FROM json_each(\(bound: .list(conditions))) j
            """
        ).filter { $0.count > 0 }.map { KnownWord(word: words[$0.key], count: $0.count) }
    }

    private struct WordCount: RecordPart {
        let key: Int
        let count: Int64

        init(_ column: borrowing RecordColumns<Self>) throws {
            key = try column("key", \.key)
            count = try column("count", \.count)
        }
    }

    func products(of app: AppID, containing text: String, limit: Int) throws -> [ProductNumber] {
        // An app has thousands of products at the most, and an index for them.
        try connection.values(
            ProductNumber.self,
            """
            SELECT id FROM product WHERE app = \(app) AND deleted IS NULL
                AND (instr(folded(product_id), folded(\(text))) > 0
                    OR instr(folded(reference_name), folded(\(text))) > 0)
            LIMIT \(limit)
            """)
    }

    /// There is nothing to be written: the rows themselves are looked into.
    func index(_ product: ProductNumber) throws {}
}
