/// What somebody typed to search, cut to sensible bounds: any text gives one.
package struct SearchTerm: Sendable, Hashable {
    /// What is read of a term: nothing that anybody means is longer.
    package static let longest = 400
    package static let mostWords = 12
    /// Letters of a word.
    package static let longestWord = 60

    package let words: [SearchText.Word]

    package init(_ text: String) {
        words = SearchText.words(text, limit: Self.longest).prefix(Self.mostWords).map { word in
            SearchText.Word(text: String(word.text.prefix(Self.longestWord)), isRun: word.isRun)
        }
    }

    package var isEmpty: Bool { words.isEmpty }

    /// As the title of an item is kept that consists of these words only.
    package var wholeTitle: String { words.flatMap(\.tokens).joined(separator: " ") }
}
