import Foundation
import StoreModel

/// A value with the line of the file that it stands in.
package struct Located<Value: Sendable & Hashable>: Sendable, Hashable {
    package let value: Value
    package let line: Int

    package init(_ value: Value, line: Int) {
        self.value = value
        self.line = line
    }
}

/// An in-app purchase of a metadata file: what `<in_app_purchase>` says. What it does not say
/// is nil.
package struct MetadataProduct: Sendable, Hashable {
    package struct Text: Sendable, Hashable {
        package var title: String
        package var description: String

        package init(title: String, description: String) {
            self.title = title
            self.description = description
        }
    }

    /// Where a product is sold, and for what: `<product>` within `<products>`.
    package struct Offer: Sendable, Hashable {
        /// Nil for the whole world.
        package var territory: Storefront?
        package var isClearedForSale: Bool
        /// One after the other; none where no price is said.
        package var prices: [Interval]
        package var line: Int

        package init(
            territory: Storefront?, isClearedForSale: Bool, prices: [Interval], line: Int
        ) {
            self.territory = territory
            self.isClearedForSale = isClearedForSale
            self.prices = prices
            self.line = line
        }
    }

    /// A tier for some time.
    package struct Interval: Sendable, Hashable {
        package var tier: String
        /// Midnight UTC; nil: since ever.
        package var start: Date?
        /// The first day on which it holds no longer; nil: until another one begins.
        package var end: Date?

        package init(tier: String, start: Date? = nil, end: Date? = nil) {
            self.tier = tier
            self.start = start
            self.end = end
        }
    }

    package var line: Int
    package var productID: String
    package var referenceName: String?
    package var type: ProductType?
    package var offers: [Offer]?
    /// By locale as in Connect, for example `en-US`.
    package var texts: [String: Text]?
    package var reviewNotes: String?
    /// Names of files that go with the product, which travel by themselves.
    package var files: [Located<String>] = []

    package init(line: Int, productID: String) {
        self.line = line
        self.productID = productID
    }
}
