/// Migrations as PostgreSQL runs them.
///
/// Goes through the texts of all migrations in their order, and remembers of those before what
/// SQLite knows by itself: which tables there are, and to which a trigger belongs.
struct PostgresScript {
    private var tables: Set<String> = []
    /// Tables of FTS5 that PostgreSQL has no counterpart of: it looks into the rows themselves.
    private var absent: Set<String> = []
    private var triggers: [String: String] = [:]
    /// Foreign keys to tables that are made later, by these.
    private var waiting: [String: [String]] = [:]

    /// The statements of a migration.
    ///
    /// - Throws: `SQLError` for a statement of a form that was never used before.
    mutating func statements(of migration: String) throws -> [String] {
        var statements: [String] = []
        for tokens in Self.split(SQLToken.tokens(of: migration)) {
            statements += try translate(tokens)
        }
        return statements
    }

    /// Statements without blanks around them. One of a trigger ends with its END.
    private static func split(_ tokens: [SQLToken]) -> [[SQLToken]] {
        var statements: [[SQLToken]] = []
        var current: [SQLToken] = []
        var isTrigger = false
        var depth = 0
        for token in tokens {
            if current.isEmpty, token.kind == .space { continue }
            if token.isSymbol(";"), depth == 0 {
                statements.append(current)
                (current, isTrigger) = ([], false)
                continue
            }
            current.append(token)
            if token.isWord("TRIGGER"), current.count <= 3 {
                isTrigger = current.first?.isWord("CREATE") == true
            }
            guard isTrigger else { continue }
            if token.isWord("BEGIN") || token.isWord("CASE") { depth += 1 }
            if token.isWord("END") { depth -= 1 }
        }
        if !current.isEmpty { statements.append(current) }
        return statements
    }

    private mutating func translate(_ tokens: [SQLToken]) throws -> [String] {
        let words = tokens.filter { $0.kind != .space }
        let opening = words.prefix(3).map(\.upper)
        guard opening.count == 3 else { throw unknown(words) }
        switch (opening[0], opening[1]) {
        case ("CREATE", "TABLE"): return createTable(tokens)
        case ("CREATE", "VIRTUAL"): return createSearch(words)
        case ("CREATE", "TRIGGER"): return try createTrigger(tokens)
        case ("CREATE", "INDEX"), ("CREATE", "UNIQUE"), ("CREATE", "VIEW"), ("DROP", "INDEX"),
            ("DROP", "VIEW"), ("UPDATE", _), ("DELETE", _), ("INSERT", _):
            if words.contains(where: { $0.isWord("SQLITE_SEQUENCE") }) {
                return try numbers(words)
            }
            if opening[0] == "INSERT", absent.contains(words[2].text) { return [] }
            return [PostgresText.translated(tokens)]
        case ("ALTER", "TABLE"): return alterTable(tokens, words)
        case ("DROP", "TABLE"):
            tables.remove(words[2].text)
            return absent.remove(words[2].text) == nil ? [PostgresText.translated(tokens)] : []
        case ("DROP", "TRIGGER"):
            let name = words[2].text
            guard let table = triggers.removeValue(forKey: name) else { throw unknown(words) }
            return ["DROP TRIGGER \(name) ON \(table)"]
        default: throw unknown(words)
        }
    }

    private func unknown(_ words: [SQLToken]) -> SQLError {
        let beginning = words.prefix(6).map(\.text).joined(separator: " ")
        return SQLError(code: .other, "a migration can't be told to PostgreSQL: \(beginning)")
    }

    // MARK: Tables

    private mutating func createTable(_ tokens: [SQLToken]) -> [String] {
        let words = tokens.filter { $0.kind != .space }
        let name = words[2].text
        let parts = SQLToken.arguments(words)
        var lines: [String] = []
        tables.insert(name)
        for part in parts {
            if let target = Self.target(ofForeignKey: part), !tables.contains(target) {
                waiting[target, default: []].append(
                    "ALTER TABLE \(name) ADD \(PostgresText.translated(Self.spaced(part)))")
            } else {
                lines.append(Self.definition(part))
            }
        }
        return ["CREATE TABLE \(name) (\n    " + lines.joined(separator: ",\n    ") + "\n)"]
            + uniqueWithoutCase(parts, of: name) + (waiting.removeValue(forKey: name) ?? [])
    }

    /// The table that a foreign key of a table as a whole is about.
    private static func target(ofForeignKey part: [SQLToken]) -> String? {
        guard part.first?.isWord("FOREIGN") == true,
            let place = part.firstIndex(where: { $0.isWord("REFERENCES") })
        else { return nil }
        return part[place + 1].text
    }

    /// A column, or a rule of the table.
    private static func definition(_ part: [SQLToken]) -> String {
        var tokens = part
        let rules = ["UNIQUE", "CHECK", "PRIMARY", "FOREIGN"]
        guard let first = tokens.first, !rules.contains(first.upper) else {
            return PostgresText.translated(spaced(tokens))
        }
        let isNumber = tokens[1].isWord("INTEGER")
        if tokens[1].isWord("TEXT") {
            // Texts are compared by their bytes.
            tokens.insert(
                contentsOf: [SQLToken(.word, "COLLATE"), SQLToken(.quoted, "\"C\"")], at: 2)
        }
        // Uniqueness without case is an index's, not a column's.
        if let place = tokens.firstIndex(where: { $0.isWord("NOCASE") }) {
            tokens.removeSubrange((place - 1)...place)
            tokens.removeAll { $0.isWord("UNIQUE") }
        }
        tokens = tokens.map { $0.isWord("VIRTUAL") ? SQLToken(.word, "STORED") : $0 }
        tokens.removeAll { $0.isWord("AUTOINCREMENT") }
        if isNumber, tokens.count >= 4, tokens[2].isWord("PRIMARY"),
            !tokens.contains(where: { $0.isWord("REFERENCES") })
        {
            tokens.insert(
                contentsOf: ["GENERATED", "BY", "DEFAULT", "AS", "IDENTITY"].map {
                    SQLToken(.word, $0)
                }, at: 2)
        }
        return PostgresText.translated(spaced(tokens))
    }

    private func uniqueWithoutCase(_ parts: [[SQLToken]], of table: String) -> [String] {
        parts.filter { part in
            part.contains { $0.isWord("NOCASE") } && part.contains { $0.isWord("UNIQUE") }
        }.map { part in
            "CREATE UNIQUE INDEX \(table)_\(part[0].text)_without_case ON \(table) "
                + "(nocase(\(part[0].text)))"
        }
    }

    private mutating func alterTable(_ tokens: [SQLToken], _ words: [SQLToken]) -> [String] {
        let name = words[2].text
        if words[3].isWord("RENAME") {
            tables.remove(name)
            tables.insert(words[5].text)
            return [PostgresText.translated(tokens)]
                + (waiting.removeValue(forKey: words[5].text) ?? [])
        }
        // ADD COLUMN.
        return ["ALTER TABLE \(name) ADD COLUMN " + Self.definition(Array(words[5...]))]
    }

    /// What sets the numbers of a table's next rows.
    private func numbers(_ words: [SQLToken]) throws -> [String] {
        // A table that was just made has no numbers to forget.
        if words[0].isWord("DELETE") { return [] }
        guard let place = words.firstIndex(where: { $0.kind == .literal }) else {
            throw unknown(words)
        }
        let sequence = "pg_get_serial_sequence(\(words[place].text), 'id')"
        switch words[place + 2].kind {
        case .number: return ["SELECT setval(\(sequence), \(words[place + 2].text))"]
        case .word:
            guard let other = words.last, other.kind == .literal else { throw unknown(words) }
            return [
                "SELECT setval(\(sequence), nextval(pg_get_serial_sequence(\(other.text), 'id')))"
            ]
        default: throw unknown(words)
        }
    }

    // MARK: Search

    /// A table of FTS5 becomes one with the words of its columns; its vocabulary is counted where
    /// somebody asks (`PostgresTextSearch`).
    private mutating func createSearch(_ words: [SQLToken]) -> [String] {
        let name = words[3].text
        let isTokenized = words.contains { $0.kind == .quoted }
        guard isTokenized else {
            absent.insert(name)
            return []
        }
        let columns = SQLToken.arguments(words).filter { $0.count == 1 }.map { $0[0].text }
        let definitions = columns.map { "\($0) TEXT COLLATE \"C\" NOT NULL" }
        tables.insert(name)
        return [
            """
            CREATE TABLE \(name) (
                rowid BIGINT PRIMARY KEY,
                \(definitions.joined(separator: ",\n    ")),
                words TSVECTOR NOT NULL GENERATED ALWAYS AS (
                    search_words(ARRAY[\(columns.joined(separator: ", "))])) STORED
            )
            """,
            "CREATE INDEX \(name)_by_words ON \(name) USING gin (words)",
        ]
    }

    // MARK: Triggers

    private mutating func createTrigger(_ tokens: [SQLToken]) throws -> [String] {
        let trigger = try PostgresTrigger(tokens)
        triggers[trigger.name] = trigger.table
        return trigger.statements
    }

    private static func spaced(_ tokens: [SQLToken]) -> [SQLToken] {
        Array(tokens.map { [$0] }.joined(separator: [SQLToken(.space, " ")]))
    }
}

extension SQLToken {
    /// What stands between the first parentheses, parted by commas. Blanks are left out.
    static func arguments(_ words: [SQLToken]) -> [[SQLToken]] {
        var parts: [[SQLToken]] = [[]]
        var depth = 0
        for token in words {
            if token.isSymbol(")") { depth -= 1 }
            if depth == 0, token.isSymbol(")") { return parts }
            if depth == 1, token.isSymbol(",") {
                parts.append([])
            } else if depth > 0 {
                parts[parts.count - 1].append(token)
            }
            if token.isSymbol("(") { depth += 1 }
        }
        return parts
    }
}
