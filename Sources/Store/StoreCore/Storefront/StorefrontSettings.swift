import Foundation

/// How the storefront treats links and reviews: what whoever runs the store decides.
package struct StorefrontSettings: Sendable, Hashable {
    /// How long a browser remembers who sent its customer, seconds.
    package var referralDuration: TimeInterval
    /// Whether a moderator looks at each review before others see it.
    package var holdsReviews: Bool
    /// Reviews with one of these words, or phrases, are held: compared without case, accents and
    /// width.
    package var heldWords: [String]

    /// Thirty days.
    package static let standardReferralDuration: TimeInterval = 30 * 86_400
    /// The longest time that a browser remembers anything, days.
    package static let referralDays = 0...400
    /// As many words may be held, and a word have so many characters.
    package static let heldWordLimit = 10_000
    package static let heldWordLength = 100

    package init(
        referralDuration: TimeInterval = standardReferralDuration, holdsReviews: Bool = false,
        heldWords: [String] = []
    ) {
        self.referralDuration = referralDuration
        self.holdsReviews = holdsReviews
        self.heldWords = heldWords
    }

    /// The words of a file: one on each line; empty lines and those that begin with `#` are
    /// passed over.
    ///
    /// - Throws: `ModerationWordListRefusal`.
    package static func heldWords(in text: String) throws -> [String] {
        var words: [String] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let word = line.trimmingCharacters(in: .whitespaces)
            guard !word.isEmpty, !word.hasPrefix(scalars: "#") else { continue }
            guard word.count <= heldWordLength, word.utf8.count <= heldWordLength * 16 else {
                throw ModerationWordListRefusal.tooLong(line: index + 1)
            }
            guard word.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else { throw ModerationWordListRefusal.characters(line: index + 1) }
            guard word.contains(where: { $0.isLetter || $0.isNumber || $0.isSymbol }) else {
                throw ModerationWordListRefusal.nothing(line: index + 1)
            }
            words.append(word)
            guard words.count <= heldWordLimit else { throw ModerationWordListRefusal.tooMany }
        }
        return words
    }
}

/// Why a list of held words can't be used.
package enum ModerationWordListRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case tooLong(line: Int)
    case characters(line: Int)
    case nothing(line: Int)
    case tooMany

    package var description: String {
        switch self {
        case .tooLong(let line):
            "Line \(line) of the held words has more than \(StorefrontSettings.heldWordLength) "
                + "characters; write one word, or a short phrase, on each line."
        case .characters(let line):
            "Line \(line) of the held words contains characters that can't be seen; take them out."
        case .nothing(let line):
            "Line \(line) of the held words has neither letters nor digits; take it out."
        case .tooMany:
            "There are more than \(StorefrontSettings.heldWordLimit) held words; shorten the list."
        }
    }
}
