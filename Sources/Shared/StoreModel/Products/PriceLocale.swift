/// The locale that a price is formatted with, made of a locale and a currency that may have come
/// from outside.
///
/// Nothing else may get to Foundation's `Locale` and formatters: ICU writes over the stack where
/// a locale has some 200 bytes, and Foundation traps where it has a letter that is not ASCII.
package enum PriceLocale {
    /// The identifier for `Locale`, such as `ja_JP@currency=JPY`; nil where a part has another
    /// form than it should have.
    package static func identifier(_ locale: String, currency: String) -> String? {
        guard isLocale(locale), isCurrency(currency) else { return nil }
        return "\(locale)@currency=\(currency)"
    }

    /// Whether text is a language, perhaps with a script and a region: `ll[l][_Ssss][_RR|_999]`,
    /// such as `ja`, `ja_JP`, `zh_Hant_TW` or `es_419`.
    package static func isLocale(_ text: String) -> Bool {
        guard text.utf8.count <= 12 else { return false }
        var parts = ArraySlice(
            text.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false))
        guard let language = parts.popFirst(), (2...3).contains(language.count),
            language.allSatisfy(isSmall)
        else { return false }
        if let script = parts.first, script.count == 4 {
            guard isLarge(script[script.startIndex]), script.dropFirst().allSatisfy(isSmall) else {
                return false
            }
            parts.removeFirst()
        }
        guard let region = parts.popFirst() else { return true }
        guard parts.isEmpty else { return false }
        return region.count == 2 && region.allSatisfy(isLarge)
            || region.count == 3 && region.allSatisfy(isDigit)
    }

    /// Whether text has the form of an ISO 4217 code: three capital letters.
    package static func isCurrency(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy(isLarge)
    }

    private static func isSmall(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isLarge(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

extension KeyedDecodingContainer {
    /// The text at a key, which has to have the form of a locale.
    package func decodePriceLocale(forKey key: Key) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard PriceLocale.isLocale(text) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self,
                debugDescription: "it is not a locale such as ja_JP")
        }
        return text
    }

    /// The text at a key, which has to have the form of a currency's code.
    package func decodeCurrency(forKey key: Key) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard PriceLocale.isCurrency(text) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self,
                debugDescription: "it is not a currency's code such as USD")
        }
        return text
    }
}
