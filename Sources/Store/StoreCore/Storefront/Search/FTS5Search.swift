import StoreDatabase
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

    func known(_ words: [String], in table: SearchTable) throws -> [KnownWord] {
        let vocabulary: SQL =
            switch table {
            case .artists: "artist_word"
            case .names, .texts: "item_name_word"
            }
        return try connection.records(
            KnownWord.self,
            """
            SELECT v.term, v.doc FROM json_each(\(bound: .list(words))) j
            CROSS JOIN \(vocabulary) v ON v.term = j.value
            """)
    }

    func products(of app: AppID, containing text: String, limit: Int) throws -> [ProductNumber] {
        // FTS5 reads as far as U+0000, which no product has in its names.
        guard !text.contains(scalar: "\0") else { return [] }
        let match =
            "app : \":\(app.number):\" AND {product_id reference_name} : \(Self.quoted(text))"
        // Not joined with products: where many match, nobody wants to know which.
        return try connection.values(
            ProductNumber.self,
            "SELECT rowid FROM product_search WHERE product_search MATCH \(match) LIMIT \(limit)")
    }

    func index(_ product: ProductNumber) throws {
        try connection.run("DELETE FROM product_search WHERE rowid = \(product)")
        try connection.run(
            """
            INSERT INTO product_search (rowid, app, product_id, reference_name)
            SELECT id, ':' || app || ':', product_id, reference_name FROM product
            WHERE id = \(product)
            """)
    }
}

extension KnownWord: RecordPart {
    /// A row of a vocabulary.
    init(_ column: borrowing RecordColumns<Self>) throws {
        word = try column("term", \.word)
        count = try column("doc", \.count)
    }
}
