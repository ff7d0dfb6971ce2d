import CBenchSQLite
import Foundation

/// The queries that the store makes of a term, on its file: from the strictest condition on, until
/// fifty rows are found. Nothing is done with the rows, and typing errors are not looked for.
final class DirectSearch {
    private let database: PlainDatabase
    private let titles: OpaquePointer
    private let names: OpaquePointer
    private let texts: OpaquePointer
    private static let limit = 50

    init(_ file: URL) throws {
        database = try PlainDatabase(file, pragmas: ["query_only = ON"])
        titles = try database.prepare(
            "SELECT search_row FROM item_title WHERE title = ?1 AND ?2 >> (search_row & 15) & 1 "
                + "ORDER BY search_row LIMIT ?3")
        names = try database.prepare(
            "SELECT rowid FROM item_name_search WHERE item_name_search MATCH ?1 "
                + "AND ?2 >> (rowid & 15) & 1 ORDER BY rowid LIMIT ?3")
        texts = try database.prepare(
            "SELECT rowid FROM item_text_search WHERE item_text_search MATCH ?1 "
                + "AND ?2 >> (rowid & 15) & 1 ORDER BY rowid LIMIT ?3")
    }

    deinit {
        for statement in [titles, names, texts] { sqlite3_finalize(statement) }
    }

    func search(_ term: String) throws {
        let folded = term.folding(
            options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        let words = folded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard let last = words.last else { return }
        let quoted = words.map { "\"\($0)\"" }
        let all = "(" + quoted.joined(separator: " AND ") + ")"
        let begun =
            "(" + (quoted.dropLast() + ["\"\(last)\" *"]).joined(separator: " AND ") + ")"
        let phrase = "^ \"" + words.joined(separator: " ") + "\""
        var found: Set<Int64> = []
        try add(titles, words.joined(separator: " "), &found)
        try add(names, "title : " + phrase, &found)
        try add(names, "{title titles} : " + all, &found)
        try add(names, all, &found)
        try add(names, "title : " + phrase + " *", &found)
        try add(names, begun, &found)
        try add(
            texts, "{names description keywords composer director producer actor} : " + all,
            &found)
    }

    private func add(
        _ statement: OpaquePointer, _ match: String, _ found: inout Set<Int64>
    ) throws {
        guard found.count < Self.limit else { return }
        bench_bind_text(statement, 1, match)
        sqlite3_bind_int64(statement, 2, 0xFFFF)
        sqlite3_bind_int64(statement, 3, Int64(Self.limit + found.count))
        defer { sqlite3_reset(statement) }
        while found.count < Self.limit {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: found.insert(sqlite3_column_int64(statement, 0))
            case SQLITE_DONE: return
            default: throw database.failure(match)
            }
        }
    }
}
