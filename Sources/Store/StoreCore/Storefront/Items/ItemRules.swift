import Foundation
import StoreModel

/// What an item has to be before the store keeps it.
package enum ItemRules {
    package static let longestTitle = 500
    package static let longestText = 20_000
    package static let longestWord = 500
    package static let mostLanguages = 60
    package static let mostGenres = 10
    package static let mostListed = 200

    /// The details with texts cut free of spaces around them.
    ///
    /// - Throws: `ConnectRefusal` with the first rule that they break; fields are named as in the
    ///   results of the search API where those have them.
    package static func checked(_ details: ItemDetails) throws -> ItemDetails {
        var details = details
        try checkTexts(&details)
        try checkGenres(details)
        try checkPrices(details.prices, field: "prices")
        if let rental = details.rentalPrices { try checkPrices(rental, field: "rentalPrices") }
        try checkKeys(&details)
        try checkFacts(&details.facts, of: details.kind)
        return details
    }

    private static func checkTexts(_ details: inout ItemDetails) throws {
        guard details.texts[details.primaryLocale] != nil else {
            throw refusal(
                "primaryText", "translations",
                "There is no text in the primary language \(quoted(details.primaryLocale)).",
                "Give a title in it.")
        }
        guard details.texts.count <= mostLanguages else {
            throw refusal(
                "tooManyLanguages", "translations",
                "There are texts in \(details.texts.count) languages.",
                "Give at most \(mostLanguages).")
        }
        for (locale, text) in details.texts {
            guard isLocale(locale) else {
                throw refusal(
                    "locale", "translations", "\(quoted(locale)) is not a language.",
                    "Write it like en_US or zh_Hans_CN.")
            }
            details.texts[locale] = ItemText(
                title: try ConnectText.checked(
                    text.title, field: "title", name: "title", in: 1...longestTitle),
                subtitle: try optional(text.subtitle, "subtitle", longestTitle),
                description: try long(text.description, "description"),
                shortDescription: try long(text.shortDescription, "shortDescription"),
                releaseNotes: try long(text.releaseNotes, "releaseNotes"))
        }
    }

    /// Language, script and region: `ja`, `en_US`, `zh_Hans_CN`.
    static func isLocale(_ text: String) -> Bool {
        let parts = text.split(scalar: "_", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), text.utf8.count <= 12 else { return false }
        return parts.allSatisfy { part in
            (2...4).contains(part.utf8.count)
                && part.utf8.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                }
        }
    }

    private static func checkGenres(_ details: ItemDetails) throws {
        guard !details.genres.isEmpty else {
            throw refusal(
                "genreMissing", "genreIds", "The item has no genre.",
                "Give one of the genres of \(Genre.root(of: details.kind).name), the primary one first."
            )
        }
        guard details.genres.count <= mostGenres else {
            throw refusal(
                "tooManyGenres", "genreIds", "The item has \(details.genres.count) genres.",
                "Give at most \(mostGenres).")
        }
        for number in details.genres where Genre.numbered(number) == nil {
            throw refusal(
                "genre", "genreIds", "There is no genre \(number).",
                "See /WebObjects/MZStoreServices.woa/ws/genres for those that there are.")
        }
        if let root = details.genres.first(where: { details.kind.isApp && !Genre.isCategory($0) }) {
            throw refusal(
                "genreIsRoot", "genreIds",
                "\(Genre.numbered(root)?.name ?? "") is no genre of an app: all apps are in it.",
                "Give one of its genres, for example Books or Games.")
        }
        guard Set(details.genres).count == details.genres.count else {
            throw refusal(
                "genreTwice", "genreIds", "A genre is named twice.", "Name each one once.")
        }
    }

    private static func checkPrices(_ prices: ItemPrices, field: String) throws {
        if let tier = prices.tier, PriceTier.named(tier) == nil {
            throw refusal(
                "priceTier", field, "There is no price tier \(quoted(tier)).",
                "Use 0 (free) to 87, or an alternate tier.")
        }
        for (code, amount) in prices.own {
            guard let storefront = Storefront.named(code), storefront.code == code else {
                throw unknownStorefront(code, field)
            }
            let price = Money(thousandths: amount, currency: storefront.currency)
            if let problem = price.priceProblem {
                throw refusal(
                    "price", field,
                    "\(price.decimal) is no price in \(code): \(problem).",
                    "Give an amount that customers can pay.")
            }
        }
        for code in prices.storefronts ?? [] where Storefront.named(code)?.code != code {
            throw unknownStorefront(code, "storefronts")
        }
    }

    private static func unknownStorefront(_ code: String, _ field: String) -> ConnectRefusal {
        refusal(
            "storefront", field, "There is no storefront \(quoted(code)).",
            "Use the three letters of ISO 3166-1, for example USA.")
    }

    private static func checkKeys(_ details: inout ItemDetails) throws {
        details.bundleID = try word(details.bundleID, "bundleId")
        if let app = details.bundleID, BundleID(app) == nil {
            throw refusal(
                "bundleID", "bundleId", "\(quoted(app)) is not a bundle identifier.",
                "Use letters, digits, hyphens and dots.")
        }
        details.upc = try digits(details.upc, "upc", 8...14)
        details.isbn = try digits(details.isbn, "isbn", 10...13)
        for (number, field) in [
            (details.amgAlbumID, "amgAlbumId"), (details.amgVideoID, "amgVideoId"),
        ] {
            if let number, number <= 0 {
                throw refusal(
                    "amgNumber", field, "The number is not positive.", "Leave it out instead.")
            }
        }
    }

    /// Codes on covers: digits, and the X that an ISBN can end with. Hyphens are left out.
    private static func digits(
        _ text: String?, _ field: String, _ range: ClosedRange<Int>
    ) throws -> String? {
        guard let text else { return nil }
        let code = text.filter { $0 != "-" && $0 != " " }.uppercased()
        let isCode = code.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "X")
        }
        guard isCode, range.contains(code.utf8.count) else {
            throw refusal(
                "code", field, "\(quoted(text)) is not a code.",
                "Give \(range.lowerBound) to \(range.upperBound) digits.")
        }
        return code
    }

    static func refusal(
        _ rule: String, _ field: String, _ problem: String, _ help: String
    ) -> ConnectRefusal {
        ConnectRefusal(.invalid, rule: rule, field: field, problem, help: help)
    }

    static func optional(_ text: String, _ field: String, _ longest: Int) throws -> String {
        try ConnectText.checked(text, field: field, name: field, in: 0...longest)
    }

    static func long(_ text: String, _ field: String) throws -> String {
        try ConnectText.checked(
            text, field: field, name: field, in: 0...longestText, allowsLines: true)
    }

    /// A short text; nil for an empty one.
    static func word(_ text: String?, _ field: String) throws -> String? {
        guard let text else { return nil }
        let checked = try optional(text, field, longestWord)
        return checked.isEmpty ? nil : checked
    }
}
