/// Languages of files that are spelled in other ways than App Store Connect's.
enum ListedLanguage {
    /// Of languages that are written for several regions, the one that is meant without any.
    private static let usual = [
        "en": "en-US", "es": "es-ES", "fr": "fr-FR", "pt": "pt-BR", "zh": "zh-Hans",
    ]

    /// The store's language that is nearest to a code; nil where it has none of that language.
    static func nearest(to code: String) -> String? {
        if ProductLocale.stored(code) != nil { return code }
        let language = String(code.prefix { $0 != "-" && $0 != "_" })
        if ProductLocale.stored(language) != nil { return language }
        return usual[language]
            ?? ProductLocale.all.first { $0.code.prefix { $0 != "-" } == language }?.code
    }
}
