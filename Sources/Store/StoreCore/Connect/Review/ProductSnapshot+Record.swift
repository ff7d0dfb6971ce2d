import Foundation
import StoreModel

extension ProductSnapshot {
    /// A product as its publisher has it now.
    ///
    /// - Parameter content: the version of its content that is submitted; nil where what
    ///   customers have stays.
    init(_ record: ProductRecord, content: ContentRelease?) {
        let product = record.product
        let release = content ?? product.currentRelease(in: .production)
        self.init(
            type: product.details.type.rawValue, referenceName: product.details.referenceName,
            isFamilyShareable: product.details.isFamilyShareable,
            subscription: product.details.subscription.map(Self.describe),
            texts: product.details.texts.mapValues {
                Text(title: $0.title, description: $0.description)
            },
            prices: Self.describe(product.details.prices),
            availability: product.availability.words,
            reviewNote: record.summary.reviewNote,
            screenshot: record.reviewScreenshot?.digest?.text,
            contentVersion: release?.version.text, contentManifest: release?.manifestDigest.text)
    }

    private static func describe(_ terms: SubscriptionTerms) -> String {
        "\(terms.period.iso8601), level \(terms.level) of the group \(terms.groupName)"
    }

    /// The schedule of each territory that has one of its own.
    private static func describe(_ prices: PriceSchedule) -> [String: String] {
        let places = Dictionary(grouping: prices.entries, by: \.territory)
        return Dictionary(
            uniqueKeysWithValues: places.map { territory, entries in
                let name = territory == prices.baseTerritory ? "\(territory), base" : territory
                return (name, entries.map { describe($0) }.joined(separator: "; "))
            })
    }

    private static func describe(_ entry: PriceSchedule.Entry) -> String {
        var parts: [String] = []
        let storefront = Storefront.named(entry.territory)
        switch entry.figure {
        case .tier(let identifier):
            let price = storefront.flatMap { PriceTier.named(identifier)?.price(in: $0) }
            parts.append("tier \(identifier)")
            if let price { parts.append("(\(price.decimal) \(price.currency))") }
        case .amount(let thousandths):
            parts.append("\(Decimal(thousandths) / 1000) \(storefront?.currency ?? "")")
        }
        if let start = entry.start { parts.append("from \(day(start))") }
        if let end = entry.end { parts.append("until \(day(end))") }
        return parts.joined(separator: " ")
    }

    /// In UTC, as prices begin.
    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}
