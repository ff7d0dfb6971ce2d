import StoreKernel

/// A piece of a statement's text.
struct SQLToken: Equatable {
    enum Kind {
        /// A name or keyword.
        case word
        case number
        /// A text in single quotes.
        case literal
        /// A name in double quotes.
        case quoted
        /// `?` or `?1`.
        case parameter
        case symbol
        /// Blanks and comments.
        case space
    }

    let kind: Kind
    let text: String

    /// As keywords are compared.
    let upper: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
        upper = kind == .word ? text.uppercased() : text
    }

    func isWord(_ word: String) -> Bool { kind == .word && upper == word }
    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }

    /// The text of a literal, without its quotes.
    var unquoted: String {
        String(text.dropFirst().dropLast()).replacing(scalars: "''", with: "'")
    }

    /// The pieces of a text; all of them together are the text again.
    static func tokens(of sql: String) -> [SQLToken] {
        var lexer = SQLLexer(bytes: Array(sql.utf8))
        return lexer.tokens()
    }
}

/// Cuts the text of statements into pieces, as SQLite does.
private struct SQLLexer {
    let bytes: [UInt8]
    var position = 0

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func byte(_ distance: Int) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    mutating func tokens() -> [SQLToken] {
        var tokens: [SQLToken] = []
        while let first = current {
            let start = position
            let kind = skip(from: first)
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            tokens.append(SQLToken(kind, text))
        }
        return tokens
    }

    /// Goes to the end of the piece that begins here.
    private mutating func skip(from first: UInt8) -> SQLToken.Kind {
        switch first {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
            skip { [0x20, 0x0A, 0x09, 0x0D].contains($0) }
            return .space
        case UInt8(ascii: "-") where byte(1) == first:
            skip { $0 != UInt8(ascii: "\n") }
            return .space
        case UInt8(ascii: "'"):
            skipQuoted(by: first)
            return .literal
        case UInt8(ascii: "\""):
            skipQuoted(by: first)
            return .quoted
        case UInt8(ascii: "?"):
            position += 1
            skip(Self.isDigit)
            return .parameter
        case _ where Self.isDigit(first):
            skip { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
            return .number
        case _ where Self.isLetter(first):
            skip { Self.isLetter($0) || Self.isDigit($0) }
            return .word
        default:
            let pair = [first, byte(1) ?? 0]
            let isPair = ["||", "<>", "<=", ">=", "<<", ">>", "=="].contains {
                pair == Array($0.utf8)
            }
            position += isPair ? 2 : 1
            return .symbol
        }
    }

    private mutating func skip(_ isPart: (UInt8) -> Bool) {
        while let current, isPart(current) { position += 1 }
    }

    private mutating func skipQuoted(by quote: UInt8) {
        position += 1
        while let current {
            position += 1
            guard current == quote else { continue }
            guard self.current == quote else { return }
            position += 1
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte >= 0x80
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
    }
}
