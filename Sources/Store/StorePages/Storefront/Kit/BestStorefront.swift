import Foundation
import StoreModel

/// The storefront of a customer who has not said which.
enum BestStorefront {
    /// The longest header that is looked at, in bytes.
    private static let limit = 256

    /// By `Accept-Language` (RFC 9110, section 12.5.4): the region of the language that is
    /// wanted most, or the country where it is spoken; the United States otherwise.
    static func of(acceptLanguage header: String?) -> Storefront {
        for wanted in ranges(header ?? "") {
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

    /// The languages of the header, the one that is wanted most first.
    private static func ranges(_ header: String) -> [String] {
        let fields = header.prefix(limit).split(scalar: ",").prefix(16)
        let weighted = fields.enumerated().compactMap { index, field -> (String, Double, Int)? in
            let parts = field.split(scalar: ";")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard let range = parts.first, !range.isEmpty else { return nil }
            let quality = parts.dropFirst().first { $0.hasPrefix(scalars: "q=") }
                .flatMap { Double($0.dropFirst(2)) }
            return (range, quality ?? 1, index)
        }
        return weighted.filter { $0.1 > 0 }
            .sorted { ($0.1, -$0.2) > ($1.1, -$1.2) }.map(\.0)
    }
}
