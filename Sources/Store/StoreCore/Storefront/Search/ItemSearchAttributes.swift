import Foundation
import StoreModel

/// What of an item can be searched by an attribute though nobody reads it as a text: words of
/// the index such as `year2012`.
package struct ItemSearchAttributes: Sendable, Hashable {
    package let words: [String]

    package var text: String { words.joined(separator: " ") }

    package init(_ details: ItemDetails) {
        var words: [String] = []
        if let date = details.releaseDate {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            words.append("year\(calendar.component(.year, from: date))")
        }
        if let advisory = details.facts.advisoryRating {
            words.append("advisory" + Self.advisory(advisory))
        }
        words += details.facts.languages.map { "language" + Self.word($0) }
        self.words = words
    }

    /// What stands in the index where an attribute has a value; nil for attributes that are
    /// texts, and for terms that can't be values.
    package static func words(of attribute: ItemAttribute, matching term: String) -> [String]? {
        let term = String(term.prefix(SearchTerm.longest))
        switch attribute {
        case .releaseYear:
            let year = term.trimmingCharacters(in: .whitespaces)
            guard year.utf8.count == 4, Int(year) != nil else { return [] }
            return ["year" + word(year)]
        case .advisoryRating: return advisory(term).isEmpty ? [] : ["advisory" + advisory(term)]
        case .language: return languages(named: term).map { "language" + word($0) }
        default: return nil
        }
    }

    /// `4+` and `PG-13` are told apart from `4` and `PG 1 3`.
    private static func advisory(_ text: String) -> String {
        word(text.replacing(scalar: "+", with: "plus"))
    }

    /// Letters and digits, small.
    private static func word(_ text: String) -> String {
        String(
            text.lowercased().unicodeScalars.filter {
                ("a"..."z").contains($0) || ("0"..."9").contains($0)
            }.map(Character.init))
    }

    /// Two-letter codes of languages that a term names: `JA`, `Japanese`, `日本語`.
    private static func languages(named term: String) -> [String] {
        let wanted = SearchText.indexed(term)
        guard !wanted.isEmpty else { return [] }
        return names.filter { $0.names.contains(wanted) }.map(\.code)
    }

    private static let names: [(code: String, names: Set<String>)] = {
        let english = Locale(identifier: "en_US")
        let codes = Set(Storefront.all.map { String($0.locale.prefix { $0 != "_" }) })
            .union(["en", "ja", "zh", "ko", "fr", "de", "es", "it", "pt", "ru", "ar", "hi", "la"])
        return codes.sorted().map { code in
            let own = Locale(identifier: code).localizedString(forLanguageCode: code) ?? code
            let name = english.localizedString(forLanguageCode: code) ?? code
            return (code, Set([code, own, name].map { SearchText.indexed($0) }))
        }
    }()
}
