import StoreCore

/// What somebody meant who has mistyped a word.
enum Similar {
    /// The word that differs by the least typing, if that is little; `nil` if none does.
    static func word(to wrong: String, in words: [String]) -> String? {
        let wanted = Array(wrong.lowercased().utf8)
        // Of short words most are two letters from each other.
        let limit = wanted.count < 4 ? 1 : 2
        guard wanted.count <= 100 else { return nil }
        return words.compactMap { word -> (word: String, distance: Int)? in
            EditDistance.between(wanted, Array(word.utf8), limit: limit).map { (word, $0) }
        }
        .min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
    }
}
