/// The languages in which publishers describe products, spelled as in App Store Connect, for
/// example `en-US`. The store keeps them with an underscore, as Foundation's locales are.
package enum ProductLocale {
    private static let table: [(code: String, name: String)] = [
        ("ar-SA", "Arabic"), ("bn-BD", "Bangla"), ("ca", "Catalan"),
        ("zh-Hans", "Chinese (Simplified)"), ("zh-Hant", "Chinese (Traditional)"),
        ("hr", "Croatian"), ("cs", "Czech"), ("da", "Danish"), ("nl-NL", "Dutch"),
        ("en-AU", "English (Australia)"), ("en-CA", "English (Canada)"),
        ("en-GB", "English (U.K.)"), ("en-US", "English (U.S.)"), ("fi", "Finnish"),
        ("fr-FR", "French"), ("fr-CA", "French (Canada)"), ("de-DE", "German"),
        ("el", "Greek"), ("gu-IN", "Gujarati"), ("he", "Hebrew"), ("hi", "Hindi"),
        ("hu", "Hungarian"), ("id", "Indonesian"), ("it", "Italian"), ("ja", "Japanese"),
        ("kn-IN", "Kannada"), ("ko", "Korean"), ("ms", "Malay"), ("ml-IN", "Malayalam"),
        ("mr-IN", "Marathi"), ("no", "Norwegian"), ("or-IN", "Odia"), ("pl", "Polish"),
        ("pt-BR", "Portuguese (Brazil)"), ("pt-PT", "Portuguese (Portugal)"),
        ("pa-IN", "Punjabi"), ("ro", "Romanian"), ("ru", "Russian"), ("sk", "Slovak"),
        ("sl-SI", "Slovenian"), ("es-MX", "Spanish (Mexico)"), ("es-ES", "Spanish (Spain)"),
        ("sv", "Swedish"), ("ta-IN", "Tamil"), ("te-IN", "Telugu"), ("th", "Thai"),
        ("tr", "Turkish"), ("uk", "Ukrainian"), ("ur-PK", "Urdu"), ("vi", "Vietnamese"),
    ]

    private static let names = Dictionary(uniqueKeysWithValues: table.map { ($0.code, $0.name) })

    /// All of them with their English names, sorted by these.
    package static let all: [(code: String, name: String)] = table

    /// How the store keeps a language; nil for text that names none of them.
    package static func stored(_ code: String) -> String? {
        names[code] == nil ? nil : code.replacing(scalar: "-", with: "_")
    }

    /// How App Store Connect spells what the store keeps.
    package static func code(of stored: String) -> String {
        stored.replacing(scalar: "_", with: "-")
    }

    /// The English name of what the store keeps; its code where it is none of the list's, as
    /// imported ones may be.
    package static func name(of stored: String) -> String {
        let code = code(of: stored)
        return names[code] ?? code
    }
}
