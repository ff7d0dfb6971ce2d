import Foundation
import StoreModel
import StoreTexts

/// The storefront of a customer who has not said which.
enum BestStorefront {
    /// By `Accept-Language` (RFC 9110, section 12.5.4): the region of the language that is
    /// wanted most, or the country where it is spoken; the United States otherwise.
    static func of(acceptLanguage header: String?) -> Storefront {
        for wanted in StoreLanguage.ranges(of: header) {
            let parts = wanted.split(scalar: "-").map(String.init)
            if let region = parts.dropFirst().last, region.utf8.count == 2,
                let storefront = Storefront.named(region)
            {
                return storefront
            }
            guard let language = parts.first?.lowercased() else { continue }
            if language == "en" { return .unitedStates }
            let home = Storefront.named(homes[language] ?? language)
            if let home, home.locale.hasPrefix(scalars: language + "_") { return home }
            let spoken = Storefront.all.first { $0.locale.hasPrefix(scalars: language + "_") }
            if let spoken { return spoken }
        }
        return .unitedStates
    }

    /// Countries of languages that are not called like them.
    private static let homes: [String: String] = [
        "ja": "JP", "zh": "CN", "ko": "KR", "da": "DK", "sv": "SE", "cs": "CZ", "el": "GR",
        "he": "IL", "ar": "SA", "uk": "UA", "vi": "VN", "hi": "IN", "sl": "SI", "et": "EE",
        "es": "ES", "pt": "PT",
    ]
}
