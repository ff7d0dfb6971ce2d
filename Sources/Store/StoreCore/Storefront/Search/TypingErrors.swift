/// Fuzzy search (typo tolerance): words that one typing error makes of each other, a letter more, less or another one,
/// or two neighbours exchanged.
package enum TypingErrors {
    /// Shorter words are too much like others.
    package static let shortest = 4
    package static let longest = 24

    /// Whether a guess is made what a word was meant as: not for numbers, nor for scripts that
    /// don't part words.
    package static func isGuessed(_ word: SearchText.Word) -> Bool {
        !word.isRun && (shortest...longest).contains(word.text.count)
            && word.text.contains { $0.isLetter }
    }

    /// What a word is found by: itself, and itself without each one of its letters. Words that one
    /// error makes of each other have one of these in common. Empty for words that are never meant.
    package static func parts(of word: String) -> Set<String> {
        let letters = Array(word)
        guard (shortest - 1...longest + 1).contains(letters.count) else { return [] }
        var parts: Set<String> = [word]
        for position in letters.indices {
            var shorter = letters
            shorter.remove(at: position)
            parts.insert(String(shorter))
        }
        return parts
    }

    /// Whether exactly one error lies between two words.
    package static func isOne(from typed: String, to meant: String) -> Bool {
        var (typed, meant) = (typed[...], meant[...])
        while let first = typed.first, first == meant.first {
            typed.removeFirst()
            meant.removeFirst()
        }
        while let last = typed.last, last == meant.last {
            typed.removeLast()
            meant.removeLast()
        }
        switch (typed.count, meant.count) {
        case (0, 1), (1, 0), (1, 1): return true
        case (2, 2): return typed.first == meant.last && typed.last == meant.first
        default: return false
        }
    }
}
