/// Letters of other writings that look like Latin ones, with which words are disguised.
enum Homoglyphs {
    private static let latin: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs: [(others: String, latin: String)] = [
            // Cyrillic.
            ("\u{430}\u{435}\u{43E}\u{440}\u{441}\u{443}\u{445}\u{455}", "aeopcyxs"),
            ("\u{456}\u{458}\u{501}\u{51B}\u{51D}\u{4BB}\u{4CF}\u{4AF}", "ijdqwhly"),
            ("\u{475}\u{43A}\u{43C}\u{442}\u{43D}\u{432}", "vkmthb"),
            // Greek.
            ("\u{3B1}\u{3B5}\u{3B9}\u{3BA}\u{3BD}\u{3BF}\u{3C1}\u{3C4}", "aeikvopt"),
            ("\u{3C5}\u{3C7}\u{3C9}\u{3F2}\u{3F3}", "uxwcj"),
            // Armenian.
            ("\u{585}\u{57D}\u{570}\u{578}\u{581}\u{584}", "ouhngp"),
            // Latin ones that are no accented form of another.
            ("\u{131}\u{142}\u{F8}\u{111}\u{127}\u{261}\u{251}", "ilodhga"),
        ]
        var latin: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (others, letters) in pairs {
            for (other, letter) in zip(others.unicodeScalars, letters.unicodeScalars) {
                latin[other] = letter
            }
        }
        return latin
    }()

    /// A text in small letters in which each word that can be read as a Latin one is one. Words in
    /// other writings stay as they are.
    static func read(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var read = String.UnicodeScalarView()
        var word: [Unicode.Scalar] = []
        func end() {
            let letters = word.map { latin[$0] ?? $0 }
            read.append(contentsOf: letters.allSatisfy(\.isASCII) ? letters : word)
            word = []
        }
        for letter in text.unicodeScalars {
            if letter.belongsToWord {
                word.append(letter)
            } else {
                end()
                read.append(letter)
            }
        }
        end()
        return String(read)
    }
}
