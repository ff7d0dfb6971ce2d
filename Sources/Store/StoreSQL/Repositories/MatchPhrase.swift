import StoreCore

/// A term in FTS5's language. Words hold letters, digits and marks only, and stand in quotes:
/// no term can be taken for an operator.
struct MatchPhrase {
    private let words: [SearchText.Word]

    init(_ term: SearchTerm) {
        words = term.words
    }

    /// Begins with the words, in their order.
    var beginning: String { "^ " + phrase(joined) }

    /// Each of the words, anywhere.
    var allWords: String { "(" + words.map(Self.phrase).joined(separator: " AND ") + ")" }

    /// Begins with the words, the last of which may be incomplete; nil where any part of it is
    /// found as it is.
    var begunBeginning: String? { isBegun ? "^ " + phrase(joined) + " *" : nil }

    /// Each of the words, the last of which may be incomplete.
    var begunWords: String? {
        guard isBegun, let last = words.last else { return nil }
        let parts = words.dropLast().map(Self.phrase) + [Self.quoted(last.text) + " *"]
        return "(" + parts.joined(separator: " AND ") + ")"
    }

    /// Of a script without spaces between words, each part stands in the index.
    private var isBegun: Bool { words.last.map { !$0.isRun } ?? false }

    /// What stands one behind another in the index.
    private var joined: [String] {
        guard let last = words.last else { return [] }
        return words.dropLast().flatMap(\.tokens) + last.phrase
    }

    private func phrase(_ tokens: [String]) -> String {
        Self.quoted(tokens.joined(separator: " ")) + (isOneLetterRun ? " *" : "")
    }

    private var isOneLetterRun: Bool {
        words.last.map { $0.isRun && $0.phrase == [$0.text] && $0.text.count == 1 } ?? false
    }

    /// A single letter of a script without spaces is the beginning of a pair.
    private static func phrase(_ word: SearchText.Word) -> String {
        quoted(word.phrase.joined(separator: " "))
            + (word.isRun && word.text.count == 1 ? " *" : "")
    }

    static func any(_ words: [String]) -> String {
        "(" + words.map(quoted).joined(separator: " OR ") + ")"
    }

    /// One of the choices for each word.
    static func each(_ choices: [[SearchText.Word]]) -> String {
        let words = choices.map { "(" + $0.map(phrase).joined(separator: " OR ") + ")" }
        return "(" + words.joined(separator: " AND ") + ")"
    }

    static func quoted(_ text: String) -> String { "\"" + text + "\"" }
}
