extension ItemDetails {
    /// The text for a locale: that one's, else the nearest one of the same language, else the
    /// primary one.
    ///
    /// Of one language, texts in the script of the locale are nearer than others: who reads
    /// Chinese as in Taiwan gets the one for Hong Kong before the one for China.
    package func text(locale: String) -> ItemText {
        if let exact = texts[locale] { return exact }
        return nearest(to: locale).flatMap { texts[$0] } ?? texts[primaryLocale]
            ?? texts.min { $0.key < $1.key }?.value ?? ItemText(title: "")
    }

    /// The locale of a text in the language of another locale; nil where there is none.
    private func nearest(to locale: String) -> String? {
        let wanted = LocaleParts(locale)
        func distance(_ key: String) -> Int {
            let parts = LocaleParts(key)
            return (parts.script == wanted.script ? 0 : 4)
                + (parts.country == wanted.country || parts.country == nil ? 0 : 2)
                + (key == primaryLocale ? 0 : 1)
        }
        return texts.keys.filter { LocaleParts($0).language == wanted.language }
            .min { (distance($0), $0) < (distance($1), $1) }
    }
}

/// What a locale such as `zh_Hant_TW` says.
private struct LocaleParts {
    var language = ""
    /// The usual one of the country where none is named; empty for languages with one script.
    var script = ""
    var country: String?

    /// Where Chinese is written in traditional characters.
    private static let traditional: Set<String> = ["TW", "HK", "MO"]

    init(_ locale: String) {
        for (index, part) in locale.split(whereSeparator: { $0 == "_" || $0 == "-" }).enumerated() {
            if index == 0 {
                language = part.lowercased()
            } else if part.utf8.count == 4 {
                script = part.lowercased()
            } else {
                country = part.uppercased()
            }
        }
        guard script.isEmpty, language == "zh" else { return }
        script = country.map(Self.traditional.contains) == true ? "hant" : "hans"
    }
}
