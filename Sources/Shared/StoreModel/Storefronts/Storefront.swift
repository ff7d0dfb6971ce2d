import StoreKernel

/// A country's store: it sets the currency and the language of everything an account
/// sees.
package struct Storefront: Hashable, Sendable {
    /// ISO 3166-1 alpha-3, for example `JPN`.
    package let code: String
    /// ISO 3166-1 alpha-2, for example `JP`.
    package let country: String
    /// The numeric identifier, for example `143462`.
    package let identifier: String
    /// The ISO 4217 code of the currency it sells in.
    package let currency: String
    /// Language and region, for example `ja_JP`.
    package let locale: String
    /// The country's name in English.
    package let name: String

    /// The name as it stands inside a sentence: sold in `Japan`, in `the United States`.
    package var nameInSentence: String {
        Self.withArticle.contains(code) ? "the \(name)" : name
    }

    /// Countries whose names have an article in English.
    private static let withArticle: Set<String> = [
        "ARE", "BHS", "COG", "CYM", "DOM", "GBR", "GMB", "NLD", "PHL", "SLB", "SYC", "TCA", "USA",
        "VGB",
    ]

    /// Every storefront, in the order of the store's list.
    package static let all: [Storefront] = storefrontTable.split(scalar: "\n").map { line in
        let fields = line.split(scalar: "|").map(String.init)
        precondition(fields.count == 6, "storefront table: \(line)")
        return Storefront(
            code: fields[0], country: fields[1], identifier: fields[2], currency: fields[3],
            locale: fields[4], name: fields[5])
    }

    private static let byCode: [String: Storefront] = Dictionary(
        uniqueKeysWithValues: all.map { ($0.code, $0) })

    private static let byCountry: [String: Storefront] = Dictionary(
        uniqueKeysWithValues: all.map { ($0.country, $0) })

    /// The storefront with an alpha-3 or alpha-2 code in any case; nil for an unknown one.
    package static func named(_ code: String) -> Storefront? {
        let code = code.uppercased()
        return byCode[code] ?? byCountry[code]
    }

    /// The United States: where an account is not known yet.
    package static let unitedStates: Storefront = byCode["USA"]!
}
