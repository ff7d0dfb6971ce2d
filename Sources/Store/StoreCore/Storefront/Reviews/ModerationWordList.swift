/// Words that are looked for in texts, as a tree of their letters: what a text costs does not
/// depend on how many words there are.
struct ModerationWordList: Sendable {
    private struct Edge: Hashable {
        var node: Int
        var letter: Unicode.Scalar
    }

    private var edges: [Edge: Int] = [:]
    /// The nodes at which a word ends.
    private var ends: Set<Int> = []
    /// The root is 0.
    private var nodes = 1

    /// - Parameter words: folded as the texts are.
    init(_ words: [String]) {
        for word in words where !word.isEmpty {
            var node = 0
            for letter in word.unicodeScalars {
                let edge = Edge(node: node, letter: letter)
                if let next = edges[edge] {
                    node = next
                } else {
                    edges[edge] = nodes
                    node = nodes
                    nodes += 1
                }
            }
            ends.insert(node)
        }
    }

    /// The first word of a text that stands there by itself; in writing without spaces, wherever
    /// it stands.
    func first(in text: String) -> String? {
        guard !ends.isEmpty else { return nil }
        let text = Array(text.unicodeScalars)
        for start in text.indices
        where start == 0 || Self.isBorder(text[start - 1], text[start]) {
            var node = 0
            for index in start..<text.count {
                guard let next = edges[Edge(node: node, letter: text[index])] else { break }
                node = next
                let isEnd = index + 1 == text.count || Self.isBorder(text[index], text[index + 1])
                guard isEnd, ends.contains(node) else { continue }
                var found = String.UnicodeScalarView()
                found.append(contentsOf: text[start...index])
                return String(found)
            }
        }
        return nil
    }

    /// Whether a word can end between two letters.
    private static func isBorder(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
        !left.belongsToWord || !right.belongsToWord || left.needsNoSpaces || right.needsNoSpaces
    }
}

extension Unicode.Scalar {
    var belongsToWord: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
            true
        default: false
        }
    }

    /// Whether it belongs to a writing whose words have no spaces between them, or have endings
    /// without any.
    fileprivate var needsNoSpaces: Bool {
        switch value {
        case 0x3040...0x30FF,  // Kana
            0xAC00...0xD7AF,  // Hangul
            0x0E00...0x0EFF,  // Thai, Lao
            0x1000...0x109F,  // Burmese
            0x1780...0x17FF:  // Khmer
            true
        default: properties.isIdeographic
        }
    }
}
