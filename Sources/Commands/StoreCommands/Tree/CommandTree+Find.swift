extension CommandTree {
    /// What the words of a command line ask for.
    enum Found {
        case version
        case overview
        case help(String)
        /// The beginning of several commands, and the help that lists them.
        case incomplete(String)
        case command(any Command.Type, [String])
    }

    private static let helpFlags = ["--help", "-h"]

    /// - Throws: `UsageError` for what is no command.
    static func find(_ words: [String]) throws -> Found {
        guard let first = words.first, !helpFlags.contains(first) else { return .overview }
        if first == "--version" { return .version }
        if let command = command(words) {
            return .command(command, Array(words.dropFirst(command.spec.words.count)))
        }
        let known = try known(words)
        let rest = words.dropFirst(known.count)
        guard let next = rest.first else { return .incomplete(try help(words)) }
        guard helpFlags.contains(next) else { throw unknown(next, after: known) }
        return .help(try help(known))
    }

    /// The help of a command, of a noun, or of all.
    ///
    /// - Throws: `UsageError` for what is no command.
    static func help(_ words: [String]) throws -> String {
        if words.isEmpty { return overview }
        if let command = command(words), command.spec.words.count == words.count {
            return command.spec.help
        }
        let known = try known(words)
        if known.count < words.count { throw unknown(words[known.count], after: known) }
        return listing(known)
    }

    /// The command that the words begin with; `nil` if there is none.
    static func command(_ words: [String]) -> (any Command.Type)? {
        commands.first { words.starts(with: $0.spec.words) }
    }

    /// The words that may follow others, each once.
    static func next(after words: [String]) -> [String] {
        var next: [String] = []
        for command in commands where command.spec.words.starts(with: words) {
            guard let word = command.spec.words.dropFirst(words.count).first,
                !next.contains(word)
            else { continue }
            next.append(word)
        }
        return next
    }

    /// As many of the words as begin a command.
    ///
    /// - Throws: `UsageError` where the first one begins none.
    private static func known(_ words: [String]) throws -> [String] {
        var known: [String] = []
        for word in words {
            guard next(after: known).contains(word) else { break }
            known.append(word)
        }
        if known.isEmpty { throw unknown(words[0], after: []) }
        return known
    }

    private static func unknown(_ word: String, after words: [String]) -> UsageError {
        let start = (["openstore"] + words).joined(separator: " ")
        let next = next(after: words)
        var text = "\"\(word)\" is no \(words.isEmpty ? "command" : "command of \(start)")"
        if let similar = Similar.word(to: word, in: next) {
            text += "; did you mean \"\(start) \(similar)\"?"
        } else if words.isEmpty {
            text += "; openstore --help lists all"
        } else {
            text += next.isEmpty ? "" : "; there are: \(next.joined(separator: ", "))"
        }
        return UsageError(description: text)
    }
}
