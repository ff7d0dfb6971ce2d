import Foundation
import StoreModel

/// A language that there are texts in.
///
/// The raw value is its tag (BCP 47), and the name of its file.
package enum StoreLanguage: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case japanese = "ja"
    case russian = "ru"
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"

    /// The language of a tag or of a locale's name: `zh-Hant-TW`, `ja_JP.UTF-8`; nil if there
    /// are no texts in it.
    ///
    /// Chinese without a script is traditional where the region writes so.
    package init?(tag: some StringProtocol) {
        let name = tag.split(whereSeparator: { $0 == "." || $0 == "@" }).first ?? ""
        let parts = name.split(whereSeparator: { $0 == "-" || $0 == "_" })
            .map { $0.lowercased() }
        switch parts.first {
        case "en": self = .english
        case "ja": self = .japanese
        case "ru": self = .russian
        case "zh":
            let rest = parts.dropFirst()
            let script = rest.first { $0 == "hant" || $0 == "hans" }
            let isTraditional =
                script.map { $0 == "hant" }
                ?? rest.contains { ["tw", "hk", "mo"].contains($0) }
            self = isTraditional ? .traditionalChinese : .simplifiedChinese
        default: return nil
        }
    }

    /// The locale in which prices and dates stand between texts of this language.
    ///
    /// - Parameter storefront: a storefront's locale, such as `de_DE`: the customer's, where
    ///   they read its language.
    package func locale(in storefront: String) -> String {
        PriceLocale.isLocale(storefront) && StoreLanguage(tag: storefront) == self
            ? storefront : rawValue.replacing(scalar: "-", with: "_")
    }
}

// How a device says which language its customer reads.
extension StoreLanguage {
    /// The language of this process.
    package static let device = of(environment: ProcessInfo.processInfo.environment)

    /// By the variables that every program on Linux goes by, as gettext reads them: `LANGUAGE`
    /// is a list, and counts unless the locale is `C`; the locale is the first of `LC_ALL`,
    /// `LC_MESSAGES` and `LANG` that is set.
    package static func of(environment: [String: String]) -> StoreLanguage {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        if locale == "C" || locale == "POSIX" { return .english }
        let list = environment["LANGUAGE"] ?? ""
        let wanted = list.isEmpty ? [locale ?? ""] : list.split(scalar: ":").map(String.init)
        return wanted.lazy.compactMap { StoreLanguage(tag: $0) }.first ?? .english
    }

    /// The longest header that is looked at, in bytes, and its most languages.
    private static let headerLimit = 256
    private static let rangeLimit = 16

    /// By `Accept-Language` (RFC 9110, section 12.5.4): of the languages that there are texts in
    /// the one that is wanted most.
    package static func of(acceptLanguage header: String?) -> StoreLanguage {
        ranges(of: header).lazy.compactMap { StoreLanguage(tag: $0) }.first ?? .english
    }

    /// The languages of the header, the one that is wanted most first, without those that are
    /// not wanted. What can't be read is left out.
    package static func ranges(of header: String?) -> [String] {
        let bytes = String(decoding: (header ?? "").utf8.prefix(headerLimit), as: UTF8.self)
        let fields = bytes.split(scalar: ",").prefix(rangeLimit)
        let weighted = fields.enumerated().compactMap { index, field -> (String, Double, Int)? in
            let parts = field.split(scalar: ";")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard let range = parts.first, !range.isEmpty else { return nil }
            guard let weight = parts.dropFirst().first(where: { $0.hasPrefix(scalars: "q=") })
            else { return (range, 1, index) }
            guard let quality = Double(weight.dropFirst(2)), (0...1).contains(quality) else {
                return nil
            }
            return (range, quality, index)
        }
        return weighted.filter { $0.1 > 0 }
            .sorted { ($0.1, -$0.2) > ($1.1, -$1.2) }.map(\.0)
    }
}
