/// What a term means, from the strictest condition to the widest.
struct MatchPhrase {
    private let words: [SearchText.Word]

    init(_ term: SearchTerm) {
        words = term.words
    }

    /// Begins with the words, in their order.
    var beginning: SearchCondition {
        .phrase(joined, isBegun: isOneLetterRun, isFirst: true)
    }

    /// Each of the words, anywhere.
    var allWords: SearchCondition { .all(words.map(Self.phrase)) }

    /// Begins with the words, the last of which may be incomplete; nil where any part of it is
    /// found as it is.
    var begunBeginning: SearchCondition? {
        isBegun ? .phrase(joined, isBegun: true, isFirst: true) : nil
    }

    /// Each of the words, the last of which may be incomplete.
    var begunWords: SearchCondition? {
        guard isBegun, let last = words.last else { return nil }
        return .all(words.dropLast().map(Self.phrase) + [.phrase([last.text], isBegun: true)])
    }

    /// Of a script without spaces between words, each part stands in the index.
    private var isBegun: Bool { words.last.map { !$0.isRun } ?? false }

    /// What stands one behind another in the index.
    private var joined: [String] {
        guard let last = words.last else { return [] }
        return words.dropLast().flatMap(\.tokens) + last.phrase
    }

    private var isOneLetterRun: Bool {
        words.last.map { $0.isRun && $0.phrase == [$0.text] && $0.text.count == 1 } ?? false
    }

    /// A single letter of a script without spaces is the beginning of a pair.
    private static func phrase(_ word: SearchText.Word) -> SearchCondition {
        .phrase(word.phrase, isBegun: word.isRun && word.text.count == 1)
    }

    static func any(_ words: [String]) -> SearchCondition { .any(words.map { .phrase([$0]) }) }

    /// One of the choices for each word.
    static func each(_ choices: [[SearchText.Word]]) -> SearchCondition {
        .all(choices.map { .any($0.map(phrase)) })
    }
}
