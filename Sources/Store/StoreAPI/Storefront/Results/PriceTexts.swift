import StoreKernel
import StoreModel

/// Prices as results show them.
///
/// The same few prices stand in most results, and writing one asks the system for the customs of
/// the locale, so that what was written is kept.
final class PriceTexts: Sendable {
    private struct Key: Hashable {
        let price: Money
        let locale: String
    }

    private let texts = Cache<Key, String>(limit: 4096)

    /// `$0.99`, or the word for what costs nothing.
    func text(_ price: Money, locale: String) -> String {
        texts.value(for: Key(price: price, locale: locale)) {
            price.thousandths == 0
                ? Self.free(locale: locale) : price.formatted(locale: locale)
        }
    }

    /// The word for what costs nothing; the English one where the store has none.
    static func free(locale: String) -> String {
        if let word = freeWords[locale] { return word }
        let parts = locale.split(scalar: "_")
        if parts.count > 1, let word = freeWords["\(parts[0])_\(parts[1])"] { return word }
        return freeWords[String(parts.first ?? "en")] ?? "Free"
    }

    private static let freeWords: [String: String] = [
        "ar": "مجاني", "ca": "Gratuït", "cs": "Zdarma", "da": "Gratis", "de": "Gratis",
        "el": "Δωρεάν", "en": "Free", "es": "Gratis", "fi": "Ilmainen", "fr": "Gratuit",
        "he": "חינם", "hi": "मुफ़्त", "hr": "Besplatno", "hu": "Ingyenes", "id": "Gratis",
        "it": "Gratis", "ja": "無料", "ko": "무료", "ms": "Percuma", "nb": "Gratis",
        "nl": "Gratis", "no": "Gratis", "pl": "Za darmo", "pt": "Grátis", "ro": "Gratuit",
        "ru": "Бесплатно", "sk": "Zadarmo", "sv": "Gratis", "th": "ฟรี", "tr": "Ücretsiz",
        "uk": "Безкоштовно", "vi": "Miễn phí", "zh": "免费", "zh_Hant": "免費",
    ]
}

extension Money {
    /// A number of JSON with as many decimals as the currency has.
    var resultNumber: String {
        let whole = thousandths / 1000
        let rest = abs(thousandths % 1000)
        if rest == 0, Self.withoutDecimals.contains(currency) { return String(whole) }
        let digits = String(1000 + rest).dropFirst()
        let sign = thousandths < 0 && whole == 0 ? "-" : ""
        return "\(sign)\(whole).\(rest % 10 == 0 ? digits.dropLast() : digits)"
    }

    private static let withoutDecimals: Set<String> = ["CLP", "JPY", "KRW", "PYG", "UGX", "VND"]
}
