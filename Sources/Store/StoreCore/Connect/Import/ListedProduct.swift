import Foundation
import StoreModel

/// A product as a file lists it that is imported.
///
/// What is nil the file doesn't say: it stays as it is.
package struct ListedProduct: Sendable {
    /// Which of a product's attributes a file's line is about, named as in the API.
    package enum Field: Hashable, Sendable {
        case productID
        case type
        case name
        case reviewNote
        case familySharing
        case subscription
        case texts
        case text(locale: String)
        case prices
        case availability
    }

    package var productID: ProductID
    package var type: ProductType
    package var referenceName: String?
    package var reviewNote: String?
    package var isFamilyShareable: Bool?
    /// All of its texts, by locale as App Store Connect spells it, for example `en-US`.
    package var texts: [String: ProductText]?
    /// Whether a language that the store spells differently is the nearest one of its own:
    /// Xcode writes `de` where App Store Connect writes `de-DE`.
    package var takesNearLanguages = false
    package var prices: ListedPrices?
    package var availability: Availability?
    package var subscription: SubscriptionTerms?
    /// Where the product stands in the file, counted from 1; nil where the file has no lines
    /// that mean something.
    package var line: Int?
    /// Where its attributes stand.
    package var lines: [Field: Int]

    package init(
        productID: ProductID, type: ProductType, referenceName: String? = nil,
        reviewNote: String? = nil, isFamilyShareable: Bool? = nil,
        texts: [String: ProductText]? = nil, prices: ListedPrices? = nil,
        availability: Availability? = nil, subscription: SubscriptionTerms? = nil,
        line: Int? = nil, lines: [Field: Int] = [:]
    ) {
        self.productID = productID
        self.type = type
        self.referenceName = referenceName
        self.reviewNote = reviewNote
        self.isFamilyShareable = isFamilyShareable
        self.texts = texts
        self.prices = prices
        self.availability = availability
        self.subscription = subscription
        self.line = line
        self.lines = lines
    }
}

/// Prices as a file lists them: those of the whole world, and those of single territories.
package struct ListedPrices: Sendable, Hashable {
    /// A tier for some time.
    package struct Span: Sendable, Hashable {
        package var tier: String
        package var start: Date?
        package var end: Date?

        package init(tier: String, start: Date? = nil, end: Date? = nil) {
            self.tier = tier
            self.start = start
            self.end = end
        }
    }

    /// The one price that a file shows, where it shows no more.
    package struct Shown: Sendable, Hashable {
        package var storefront: Storefront
        /// Of the storefront's currency.
        package var thousandths: Int64

        package init(storefront: Storefront, thousandths: Int64) {
            self.storefront = storefront
            self.thousandths = thousandths
        }
    }

    /// A product that costs this keeps all of its prices.
    package var shown: Shown?
    /// Everywhere, unless a territory has its own.
    package var world: [Span]
    /// By alpha-3 code.
    package var territories: [String: [Span]]

    package init(world: [Span], territories: [String: [Span]] = [:], shown: Shown? = nil) {
        self.shown = shown
        self.world = world
        self.territories = territories
    }

    /// The schedule that says the same.
    ///
    /// Amounts of one's own, which files can't list, stay in territories that the file gives no
    /// price. A first price that began already holds since ever: the store wants one for any
    /// time, and files tell from when on it held.
    ///
    /// - Parameter known: the schedule that there is.
    func schedule(over known: PriceSchedule, at date: Date) -> PriceSchedule {
        if let shown,
            known.price(in: shown.storefront, at: date)?.thousandths == shown.thousandths
        {
            return known
        }
        let base = base(of: known)
        var listed = territories
        listed[base] = world
        if var first = listed[base]?.first, let start = first.start, start <= date {
            first.start = nil
            listed[base]?[0] = first
        }
        let amounts = known.entries.filter { entry in
            guard case .amount = entry.figure else { return false }
            return listed[entry.territory]?.isEmpty ?? true
        }
        let entries = listed.flatMap { territory, spans in
            spans.map {
                PriceSchedule.Entry(
                    territory: territory, figure: .tier($0.tier), start: $0.start, end: $0.end)
            }
        }
        return PriceSchedule(baseTerritory: base, entries: amounts + entries)
    }

    /// The territory whose prices stand for the world's: one without prices of its own.
    private func base(of known: PriceSchedule) -> String {
        let candidates = [known.baseTerritory, "USA"] + Storefront.all.map(\.code)
        return candidates.first { territories[$0] == nil } ?? known.baseTerritory
    }
}
