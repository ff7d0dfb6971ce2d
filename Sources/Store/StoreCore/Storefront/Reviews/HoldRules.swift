import Foundation

/// Which reviews somebody has to look at before others see them.
package struct HoldRules: Sendable {
    private let holdsAll: Bool
    private let words: ModerationWordList

    package init(_ settings: StorefrontSettings) {
        holdsAll = settings.holdsReviews
        words = ModerationWordList(settings.heldWords.map(Self.folded))
    }

    /// The reason where a moderator has rejected what the account wrote on the item, and has
    /// published nothing of it since.
    package static let rejectedBefore = "An earlier version was rejected."

    /// Why a review is held, for moderators; nil where it is not.
    ///
    /// - Parameter texts: nickname, title and body.
    package func reason(for texts: [String]) -> String? {
        for text in texts {
            if let word = words.first(in: Self.folded(text)) {
                return "It contains the held word \(quoted(word))."
            }
        }
        if texts.contains(where: Self.hasAddress) { return "It contains an address of the web." }
        return holdsAll && texts.contains { !$0.isEmpty } ? "All reviews are held." : nil
    }

    /// Without case, accents, width and what can't be seen, letters as they are read, and with single
    /// spaces.
    static func folded(_ text: String) -> String {
        var visible = String.UnicodeScalarView()
        visible.append(
            contentsOf: text.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint })
        let lowercase = String(visible)
            // Circled, mathematical and joined letters are letters.
            .precomposedStringWithCompatibilityMapping
            .folding(options: [.caseInsensitive, .widthInsensitive], locale: nil)
        let letters = Homoglyphs.read(withoutAccents(lowercase))
        return letters.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
            .map { String($0) }.joined(separator: " ")
    }

    /// Not by Foundation, which removes only the first accent from a letter outside Latin, Greek and
    /// Cyrillic.
    private static func withoutAccents(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        plain.append(
            contentsOf: text.decomposedStringWithCompatibilityMapping.unicodeScalars.filter {
                !isAccent($0)
            })
        var letters = String.UnicodeScalarView()
        for scalar in String(plain).decomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark:
                // Vowels of other writings are marks too.
                if hasOnlyAccents(letters.last ?? " ") { continue }
            default: break
            }
            letters.append(scalar)
        }
        return String(letters).precomposedStringWithCanonicalMapping
    }

    /// Whether it is in a Unicode block of combining marks that all scripts share, or one of the
    /// vowels of Hebrew and Arabic, which are mostly left out.
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36f, 0x1ab0...0x1aff, 0x1dc0...0x1dff, 0x20d0...0x20ff, 0xfe20...0xfe2f: true
        case 0x591...0x5bd, 0x5bf, 0x5c1...0x5c2, 0x5c4...0x5c5, 0x5c7: true
        case 0x64b...0x652, 0x670: true
        default: false
        }
    }

    /// Whether marks on it say nothing of the word: letters of Latin, Greek and Cyrillic, digits, and
    /// what belongs to no word.
    private static func hasOnlyAccents(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x590 || !scalar.belongsToWord
    }

    // MARK: Addresses

    /// Whether somebody could follow a part of a text to a page of the web.
    static func hasAddress(_ text: String) -> Bool {
        // Browsers take the full stop of Chinese and Japanese for a dot.
        var letters = self.folded(text).replacing(scalar: "\u{3002}", with: ".").unicodeScalars
        // No address needs marks; on a dot or a slash they would hide it.
        letters.removeAll { mark in
            switch mark.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .spacingMark: true
            default: mark.properties.isEmojiModifier
            }
        }
        let folded = String(letters)
        if folded.contains(scalars: "://") || folded.contains(scalars: "www.") { return true }
        return folded.split(scalar: " ").contains { hasHost($0) }
    }

    /// Whether a word has labels with dots between them of which the last is a domain that
    /// anybody can have, or that has a path behind it.
    private static func hasHost(_ word: Substring) -> Bool {
        let parts = word.split(scalar: ".", omittingEmptySubsequences: false)
            .map(\.unicodeScalars)
        guard parts.count >= 2 else { return false }
        for (left, right) in zip(parts, parts.dropFirst()) {
            let isName = left.last.map { $0.belongsToWord || $0 == "-" } ?? false
            let domain = right.prefix { $0.properties.isAlphabetic }
            guard isName, !domain.isEmpty else { continue }
            let next = right[domain.endIndex...].first
            if next == "/" { return true }
            let isWhole = next.map { !$0.belongsToWord && $0 != "-" } ?? true
            if isWhole && domains.contains(String(domain)) { return true }
        }
        return false
    }

    /// Not the domains that are words as well, which stand behind a full stop without a space.
    private static let domains: Set<String> = [
        "app", "biz", "br", "ca", "ch", "click", "cn", "com", "de", "dev", "edu", "eu", "fr",
        "gg", "gl", "gov", "info", "io", "jp", "kr", "link", "ly", "net", "online", "org", "pl",
        "ru", "shop", "site", "store", "tk", "tv", "uk", "us", "vip", "xyz",
    ]
}
