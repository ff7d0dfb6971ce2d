import Foundation

/// Texts as searches compare them: small letters, without diacritics, in words.
///
/// Scripts that don't part words by spaces (Chinese, Japanese, Korean, Thai) are cut into pairs
/// of letters: 東京都 becomes 東京, 京都 and 都, so that any part of it is found as a phrase. A
/// database's own tokenizer sees plain words only, so each one gives the same results.
package enum SearchText {
    /// A word, or a run of letters of a script that does not part words.
    package struct Word: Sendable, Hashable {
        package let text: String
        package let isRun: Bool

        /// How it stands in the index.
        package var tokens: [String] {
            isRun ? Self.pairs(text) + text.suffix(1).map { String($0) } : [text]
        }

        /// What stands in the index one behind another wherever it is a part of a text.
        package var phrase: [String] {
            guard isRun else { return [text] }
            let pairs = Self.pairs(text)
            return pairs.isEmpty ? [text] : pairs
        }

        private static func pairs(_ run: String) -> [String] {
            let letters = Array(run)
            return zip(letters, letters.dropFirst()).map { String([$0, $1]) }
        }
    }

    /// The words of a text, folded.
    ///
    /// - Parameter limit: reads so many characters (Unicode scalars) at most.
    package static func words(_ text: String, limit: Int = 100_000) -> [Word] {
        var words: [Word] = []
        scan(text, limit: limit) { plain in
            words.append(Word(text: String(decoding: plain, as: UTF8.self), isRun: false))
        } other: {
            words.append($0)
        }
        return words
    }

    /// A text for the index: what `words` are made of, parted by spaces.
    package static func indexed(_ text: String, limit: Int = 100_000) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        scan(text, limit: limit) { plain in
            if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
            bytes.append(contentsOf: plain)
        } other: { word in
            for token in word.tokens {
                if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
                bytes.append(contentsOf: token.utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Gives the words of a text one by one.
    ///
    /// ASCII signs part words, and nothing of Unicode's reaches over them. So what stands between
    /// two of them is folded alone, and quickly where it is ASCII itself, as most of most texts is.
    ///
    /// - Parameter plain: gets the folded bytes of a word of ASCII or of European letters.
    /// - Parameter other: gets the other words.
    private static func scan(
        _ text: String, limit: Int, plain: ([UInt8]) -> Void, other: (Word) -> Void
    ) {
        var text = text
        if text.utf8.count > limit { text = String(text.unicodeScalars.prefix(limit)) }
        var word: [UInt8] = []
        text.withUTF8 { bytes in
            var start = 0
            var isPlain = true
            for index in 0...bytes.count {
                let byte = index < bytes.count ? bytes[index] : 0
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    word.append(byte)
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
                case UInt8(ascii: "'"): continue
                case 0x80...: isPlain = false
                default:
                    if let known = isPlain ? word : europeanWord(bytes[start..<index]) {
                        if !known.isEmpty { plain(known) }
                    } else {
                        scan(String(decoding: bytes[start..<index], as: UTF8.self), word: other)
                    }
                    word.removeAll(keepingCapacity: true)
                    isPlain = true
                    start = index + 1
                }
            }
        }
    }

    /// What each scalar of ASCII and of European letters (all that two bytes beginning
    /// with C2 to C9 can spell, so below U+0280) stands for in a word; nil for those that do more,
    /// such as part words.
    private static let europeanLetters: [[UInt8]?] = (0..<0x280).map { (value: UInt32) in
        guard value != UInt32(UInt8(ascii: "'")) else { return [] }
        guard let scalar = Unicode.Scalar(value) else { return nil }
        var words: [Word] = []
        scan("a\(scalar)a") { words.append($0) }
        guard words.count == 1, !words[0].isRun else { return nil }
        return Array(words[0].text.utf8.dropFirst().dropLast())
    }

    /// Folds a word that such letters make up, as one by one they stand for the same as together;
    /// nil for other words.
    private static func europeanWord(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
        var word: [UInt8] = []
        var lead: Int?
        for byte in bytes {
            let value: Int
            switch byte {
            case ..<0x80: value = Int(byte)
            case 0x80..<0xC0:
                guard let first = lead else { return nil }
                value = first << 6 | Int(byte & 0x3F)
            case 0xC2...0xC9:
                lead = Int(byte & 0x1F)
                continue
            default: return nil
            }
            guard let letters = europeanLetters[value] else { return nil }
            word.append(contentsOf: letters)
        }
        return word
    }

    /// Gives the words of a text that may hold anything.
    private static func scan(_ text: String, word give: (Word) -> Void) {
        var current = String.UnicodeScalarView()
        var isRun = false
        func end() {
            if !current.isEmpty {
                give(
                    Word(text: String(current).precomposedStringWithCanonicalMapping, isRun: isRun))
            }
            current = String.UnicodeScalarView()
        }
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            switch ScalarClass(scalar) {
            case .dropped: continue
            case .other: end()
            case .letter(let folded):
                if isRun { end() }
                isRun = false
                current.append(contentsOf: folded.unicodeScalars)
            case .runLetter(let folded):
                if !isRun { end() }
                isRun = true
                current.append(folded)
            case .mark: if !current.isEmpty { current.append(scalar) }
            }
        }
        end()
    }
}

/// What a scalar of a decomposed text means to a search.
private enum ScalarClass {
    /// Of a word, with what stands for it.
    case letter(String)
    /// Of a script without spaces between words.
    case runLetter(Unicode.Scalar)
    /// Belongs to the letter before it: a vowel of Hindi, the voicing of か.
    case mark
    /// As if it were not there: accents, apostrophes, joiners.
    case dropped
    /// Parts words.
    case other

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x300...0x36F, 0x27, 0x2019, 0x02BC, 0x200B...0x200D, 0x00AD, 0xFE00...0xFE0F:
            self = .dropped
        // Katakana is read like hiragana.
        case 0x30A1...0x30F6: self = .runLetter(Unicode.Scalar(scalar.value - 0x60) ?? scalar)
        case 0x3099, 0x309A: self = .mark
        case 0x3005...0x3007, 0x3041...0x3096, 0x309D...0x309F, 0x30FC...0x30FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xF900...0xFAFF, 0x1100...0x11FF, 0xAC00...0xD7A3,
            0x20000...0x3FFFF:
            self = .runLetter(scalar)
        case 0x0E01...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF:
            switch scalar.properties.generalCategory {
            case .otherLetter, .modifierLetter: self = .runLetter(scalar)
            case .nonspacingMark, .spacingMark: self = .mark
            case .decimalNumber: self = .letter(String(scalar))
            default: self = .other
            }
        default:
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                .otherLetter:
                self = .letter(Self.folded(scalar))
            case .decimalNumber, .letterNumber, .otherNumber: self = .letter(String(scalar))
            case .nonspacingMark, .spacingMark: self = .mark
            default: self = .other
            }
        }
    }

    /// Small, and without strokes that are no accents by Unicode's account.
    private static func folded(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "ß", "ẞ": "ss"
        case "æ", "Æ": "ae"
        case "œ", "Œ": "oe"
        case "ø", "Ø": "o"
        case "ł", "Ł": "l"
        case "đ", "Đ", "ð", "Ð": "d"
        case "þ", "Þ": "th"
        case "ħ", "Ħ": "h"
        case "ı": "i"
        case "ς": "σ"
        default: scalar.properties.lowercaseMapping
        }
    }
}
