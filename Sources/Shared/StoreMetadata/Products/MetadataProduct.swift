import StoreModel

/// A product as a metadata file lists it.
///
/// What the file doesn't say is nil or empty: an import leaves it as it is.
package struct MetadataProduct: Sendable, Hashable {
    package var productID: ProductID
    package var type: ProductType
    package var referenceName: String
    /// Where it is sold, and for what; empty where the file doesn't say.
    package var territories: [MetadataTerritory]
    /// Nil where the file doesn't say.
    package var texts: [MetadataText]?
    package var reviewNotes: String?
    package var reviewScreenshot: MetadataAttachment?
    /// The package with its hosted content.
    package var content: MetadataAttachment?
    /// What the store tells and nobody can set, for example `iap-status`.
    package var readOnly: [String: String]
    /// What the format can't say, for people who read the file.
    package var remarks: [String]
    /// Where it stands in the file.
    package var lines: MetadataLines

    package init(
        productID: ProductID, type: ProductType, referenceName: String,
        territories: [MetadataTerritory] = [], texts: [MetadataText]? = nil,
        reviewNotes: String? = nil, reviewScreenshot: MetadataAttachment? = nil,
        content: MetadataAttachment? = nil, readOnly: [String: String] = [:],
        remarks: [String] = [],
        lines: MetadataLines = MetadataLines(product: 0)
    ) {
        self.productID = productID
        self.type = type
        self.referenceName = referenceName
        self.territories = territories
        self.texts = texts
        self.reviewNotes = reviewNotes
        self.reviewScreenshot = reviewScreenshot
        self.content = content
        self.readOnly = readOnly
        self.remarks = remarks
        self.lines = lines
    }
}

/// The lines of a product's elements.
package struct MetadataLines: Sendable, Hashable {
    /// Of `<in_app_purchase>`.
    package var product: Int
    /// Of the elements in it, by name.
    package var elements: [String: Int] = [:]
    /// Of `<locale>`, by its name.
    package var locales: [String: Int] = [:]
}

/// Title and description in one language.
package struct MetadataText: Sendable, Hashable {
    /// As App Store Connect writes it, for example `en-US`.
    package var locale: String
    package var title: String
    package var description: String

    package init(locale: String, title: String, description: String) {
        self.locale = locale
        self.title = title
        self.description = description
    }
}

/// Sale and price in one territory, or in all that are not listed.
package struct MetadataTerritory: Sendable, Hashable {
    /// Nil stands for the whole world, `WW`.
    package var storefront: Storefront?
    package var isClearedForSale: Bool
    /// One after the other, without overlap; empty where the file names no price.
    package var prices: [MetadataPrice]

    package init(storefront: Storefront?, isClearedForSale: Bool, prices: [MetadataPrice] = []) {
        self.storefront = storefront
        self.isClearedForSale = isClearedForSale
        self.prices = prices
    }

    /// As the file writes it: `WW`, or two letters.
    package var code: String { storefront?.country ?? "WW" }
}

/// A tier for some time.
package struct MetadataPrice: Sendable, Hashable {
    /// A tier of the price list, by its identifier.
    package var tier: String
    /// The first day; nil: since ever.
    package var start: CalendarDay?
    /// The first day on which it holds no longer; nil: until the next one begins.
    package var end: CalendarDay?

    package init(tier: String, start: CalendarDay? = nil, end: CalendarDay? = nil) {
        self.tier = tier
        self.start = start
        self.end = end
    }

    /// Whether it holds since ever and until something else is said.
    package var isUndated: Bool { start == nil && end == nil }
}

/// A file that lies beside the metadata.
package struct MetadataAttachment: Sendable, Hashable {
    /// A name without folders.
    package var name: String
    /// Bytes.
    package var size: Int64
    /// 32 lower-case hexadecimal digits.
    package var md5: String

    package init(name: String, size: Int64, md5: String) {
        self.name = name
        self.size = size
        self.md5 = md5
    }
}

/// What a metadata file says about the app whose products it lists.
package struct MetadataHeader: Sendable, Hashable {
    package var provider: String?
    package var teamID: String?
    /// The app's SKU.
    package var vendorID: String
    /// The app's numeric identifier; nil where the file doesn't say.
    package var appleID: Int64?
    /// The lines of the last two.
    package var vendorLine: Int
    package var appleLine: Int

    package init(
        provider: String?, teamID: String?, vendorID: String, appleID: Int64?,
        vendorLine: Int = 0, appleLine: Int = 0
    ) {
        self.provider = provider
        self.teamID = teamID
        self.vendorID = vendorID
        self.appleID = appleID
        self.vendorLine = vendorLine
        self.appleLine = appleLine
    }
}

/// Something in a metadata file that is wrong.
package struct MetadataProblem: Sendable, Hashable, CustomStringConvertible {
    /// Counted from 1.
    package let line: Int
    /// What is wrong and what is allowed, without a full stop.
    package let problem: String

    package init(line: Int, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    package var description: String { "line \(line): \(problem)" }
}

/// What may not be larger.
package enum MetadataLimits {
    /// Products in one file: as many as one app may have.
    package static let products = 10_000
    /// Bytes of the file from the beginning of a product to its end.
    package static let productBytes = 512 << 10
    /// Problems after which reading stops.
    package static let problems = 100
}
