import StoreKernel

/// A trigger of SQLite as a function and a trigger of PostgreSQL.
///
/// What refuses a change raises an error of the class of broken rules. What makes a clock go does
/// so once in a transaction: each further change of the same row would leave a dead version that
/// all that follow have to step over.
struct PostgresTrigger {
    let name: String
    let table: String
    private let time: String
    /// `INSERT`, or `UPDATE OF name, type`.
    private let event: String
    private let condition: [SQLToken]?
    private let body: [[SQLToken]]

    init(_ tokens: [SQLToken]) throws {
        let words = tokens.filter { !$0.text.hasPrefix(scalars: "--") }
        let marks = words.indices.filter { words[$0].kind != .space }
        let unknown = SQLError(code: .other, "a trigger can't be told to PostgreSQL")
        guard marks.count > 6, let on = marks.first(where: { words[$0].isWord("ON") }),
            let begin = words.firstIndex(where: { $0.isWord("BEGIN") }),
            let end = words.lastIndex(where: { $0.isWord("END") })
        else { throw unknown }
        name = words[marks[2]].text
        time = words[marks[3]].upper
        event = words[marks[4]..<on].map(\.text).joined()
        guard let target = marks.first(where: { $0 > on }) else { throw unknown }
        table = words[target].text
        let when = words[target..<begin].firstIndex { $0.isWord("WHEN") }
        condition = when.map { Array(words[($0 + 1)..<begin]) }
        body = words[(begin + 1)..<end].split { $0.isSymbol(";") }.map(Array.init)
            .filter { statement in statement.contains { $0.kind != .space } }
    }

    var statements: [String] {
        // PostgreSQL asks simple conditions before it calls the function; others may not stand
        // there.
        let isSimple = condition.map { !$0.contains { $0.isWord("SELECT") } } ?? false
        let asked = condition.map(PostgresText.translated)
        let steps = body.map { "    " + step($0) + ";" }.joined(separator: "\n")
        let result =
            switch (time, event.hasPrefix(scalars: "DELETE")) {
            case ("AFTER", _): "NULL"
            case (_, true): "OLD"
            case (_, false): "NEW"
            }
        var function = steps
        if let asked, !isSimple { function = "    IF \(asked) THEN\n\(steps)\n    END IF;" }
        return [
            """
            CREATE OR REPLACE FUNCTION trigger_\(name)() RETURNS trigger LANGUAGE plpgsql AS $body$
            BEGIN
            \(function)
                RETURN \(result);
            END
            $body$
            """,
            """
            CREATE TRIGGER \(name) \(time) \(event.trimmingBlanks) ON \(table) FOR EACH ROW
                \(isSimple ? "WHEN (\(asked ?? ""))" : "")
                EXECUTE FUNCTION trigger_\(name)()
            """,
        ]
    }

    private func step(_ tokens: [SQLToken]) -> String {
        let words = tokens.filter { $0.kind != .space }
        if words.count > 1, words[0].isWord("SELECT"), words[1].isWord("RAISE"),
            let message = words.first(where: { $0.kind == .literal })
        {
            return "RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', "
                + "MESSAGE = \(message.text)"
        }
        let text = PostgresText.translated(tokens).trimmingBlanks
        let tick = "SET generation = generation + 1"
        guard let range = text.firstRange(of: tick) else { return text }
        let isConditional = text[range.upperBound...].contains("WHERE")
        return text + (isConditional ? " AND" : " WHERE")
            + " xmin <> CAST(pg_current_xact_id() AS xid)"
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
