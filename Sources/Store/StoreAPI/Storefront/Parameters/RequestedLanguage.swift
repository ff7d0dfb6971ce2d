import StoreCore
import StoreModel

/// The language of an answer: `lang`, for example `en_us`, `ja_jp` or `fr`.
enum RequestedLanguage {
    /// The locale as the store writes it, `en_US`; nil for text that names no language or
    /// country of the store.
    static func locale(_ text: String) -> String? {
        guard (2...16).contains(text.utf8.count) else { return nil }
        let parts = text.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "_" || $0 == "-" })
        guard (1...3).contains(parts.count),
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isLetter } })
        else { return nil }
        let language = parts[0].lowercased()
        guard languages.contains(language) else { return nil }
        var written = [language]
        for part in parts.dropFirst() {
            switch part.utf8.count {
            case 2:
                let country = part.uppercased()
                guard countries.contains(country) else { return nil }
                written.append(country)
            case 4:
                let script = part.prefix(1).uppercased() + part.dropFirst().lowercased()
                guard scripts.contains(script), written.count == 1 else { return nil }
                written.append(script)
            default: return nil
            }
        }
        return withScript(written)
    }

    /// Chinese is written in the script of the country where none is named.
    private static func withScript(_ parts: [String]) -> String {
        let own = Storefront.all.first { storefront in
            parts.count == 2 && storefront.country == parts[1]
                && storefront.locale.hasPrefix(scalars: parts[0] + "_")
        }
        return own?.locale ?? parts.joined(separator: "_")
    }

    private static let scripts: Set<String> = ["Hans", "Hant"]
    private static let countries = Set(Storefront.all.map(\.country))
    private static let languages: Set<String> = {
        let codes = ProductLocale.all.map(\.code) + Storefront.all.map(\.locale)
        return Set(codes.map { String($0.prefix { $0 != "_" && $0 != "-" }) })
    }()
}
