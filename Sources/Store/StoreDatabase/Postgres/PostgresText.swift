import StoreKernel

/// The text of a statement as PostgreSQL reads it.
///
/// Repositories and migrations are written once, in what SQLite and PostgreSQL both mean the
/// same by, or what differs by its spelling only. This is the difference of spelling; it knows no
/// table and no column. Whatever it does not know stays as it is, and PostgreSQL refuses it where
/// it is not SQL.
struct PostgresText {
    private let tokens: [SQLToken]
    private var position = 0
    private var output: [String] = []
    /// How many parameters without a number were written.
    private var parameters = 0

    static func translated(_ sql: String) -> String { translated(SQLToken.tokens(of: sql)) }

    static func translated(_ tokens: [SQLToken]) -> String {
        var text = PostgresText(tokens)
        text.translate()
        return text.output.joined()
    }

    private init(_ tokens: [SQLToken]) {
        self.tokens = tokens.filter { !$0.text.hasPrefix(scalars: "--") }
    }

    // MARK: Looking around

    /// The next three pieces that are not blank, in capitals.
    private static func words(_ tokens: [SQLToken], after index: Int) -> [String] {
        var words: [String] = []
        for token in tokens[(index + 1)...] where token.kind != .space {
            words.append(token.upper)
            if words.count == 3 { break }
        }
        return words
    }

    private var following: [String] { Self.words(tokens, after: position) }

    /// The place of the last piece that was written and is not blank.
    private var lastWritten: Int? {
        output.lastIndex { !$0.allSatisfy(\.isWhitespace) }
    }

    /// Goes on to the next piece that is not blank.
    private mutating func advance() {
        position += 1
        while position < tokens.count, tokens[position].kind == .space { position += 1 }
    }

    /// Whether the parentheses that open behind this word have several arguments in them.
    private var hasSeveralArguments: Bool {
        var depth = 0
        for token in tokens[(position + 1)...] where token.kind == .symbol {
            switch token.text {
            case "(": depth += 1
            case ")":
                depth -= 1
                if depth == 0 { return false }
            case "," where depth == 1: return true
            default: break
            }
        }
        return false
    }

    // MARK: Rules

    private mutating func translate() {
        while position < tokens.count {
            let token = tokens[position]
            switch token.kind {
            case .parameter: output.append(parameter(token.text))
            case .word: translate(word: token)
            case .symbol where token.text == "==": output.append("=")
            default: output.append(token.text)
            }
            position += 1
        }
    }

    /// `?2` is `$2`; a bare `?` is the next one. A statement has one kind only.
    private mutating func parameter(_ text: String) -> String {
        guard text == "?" else { return "$" + text.dropFirst() }
        parameters += 1
        return "$\(parameters)"
    }

    private mutating func translate(word token: SQLToken) {
        let next = following
        switch token.upper {
        case "INTEGER": output.append("BIGINT")
        // In capitals it is the type; a column has the name, too.
        case "BLOB" where token.text == "BLOB": output.append("BYTEA")
        case "IFNULL": output.append("coalesce")
        case "LOWER" where next.first == "(": output.append("nocase")
        case "MAX" where next.first == "(" && hasSeveralArguments: output.append("greatest")
        case "MIN" where next.first == "(" && hasSeveralArguments: output.append("least")
        case "LIKE": output.append("ILIKE")
        case "CROSS" where next.first == "JOIN":
            advance()
            output.append("JOIN")
        case "NOT" where next.first == "INDEXED": advance()
        case "GLOB": translateGlob(isNegated: false)
        case "NOT" where next.first == "GLOB":
            advance()
            translateGlob(isNegated: true)
        case "IS": translateIs(next)
        case "COLLATE" where next.first == "NOCASE": translateNocase()
        case "COLLATE" where next.first == "BINARY":
            advance()
            output.append("COLLATE \"C\"")
        case "MATCH": translateMatch()
        default: output.append(token.text)
        }
    }

    /// `IS` compares any values in SQLite, and is a question of its own in SQL.
    private mutating func translateIs(_ next: [String]) {
        switch next.first {
        case "NULL", "TRUE", "FALSE", "DISTINCT": output.append("IS")
        case "NOT" where next.dropFirst().first == "NULL": output.append("IS")
        case "NOT" where next.dropFirst().first == "DISTINCT": output.append("IS")
        case "NOT":
            advance()
            output.append("IS DISTINCT FROM")
        default: output.append("IS NOT DISTINCT FROM")
        }
    }

    /// A pattern of the shell becomes a regular expression.
    private mutating func translateGlob(isNegated: Bool) {
        advance()
        let pattern = tokens[position].unquoted
        var expression = ""
        var isInSet = false
        for character in pattern {
            switch character {
            case "[": isInSet = true
            case "]": isInSet = false
            default: break
            }
            switch character {
            case "*" where !isInSet: expression += ".*"
            case "?" where !isInSet: expression += "."
            case "." where !isInSet: expression += "\\."
            default: expression.append(character)
            }
        }
        output.append(isNegated ? "!~" : "~")
        output.append(" '^\(expression.replacing(scalar: "'", with: "''"))$'")
    }

    /// `name COLLATE NOCASE` is `nocase(name)`, a function of the store's schema.
    private mutating func translateNocase() {
        advance()
        guard let last = lastWritten else { return }
        var first = last
        while first >= 2, output[first - 1] == "." { first -= 2 }
        let operand = output[first...last].joined()
        output.replaceSubrange(first..., with: ["nocase(\(operand))"])
    }

    /// A table of the search is matched by its words, with a query as `MatchPhrase` writes it.
    private mutating func translateMatch() {
        guard let last = lastWritten else { return }
        output[last] += ".words"
        advance()
        output.append("@@ CAST(\(parameter(tokens[position].text)) AS TSQUERY)")
    }
}
