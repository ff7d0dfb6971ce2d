import Foundation
import StoreCore
import StoreModel
import StoreMetadata

extension MetadataProduct {
    /// A product as a metadata file lists it: what its publisher works on, with what the file
    /// can't say as remarks.
    init(_ record: ProductRecord) {
        let details = record.product.details
        self.init(
            productID: record.id, type: record.summary.type,
            referenceName: record.summary.referenceName,
            territories: MetadataTerritory.all(of: record.product),
            texts: details.texts.sorted { $0.key < $1.key }.map { locale, text in
                MetadataText(
                    locale: ProductLocale.code(of: locale), title: text.title,
                    description: text.description)
            },
            reviewNotes: record.summary.reviewNote,
            readOnly: ["iap-status": Self.words(record.state)],
            remarks: Self.remarks(record))
        if let screenshot = record.reviewScreenshot, let checksum = screenshot.checksum,
            screenshot.state == .complete
        {
            reviewScreenshot = MetadataAttachment(
                name: screenshot.fileName, size: screenshot.size, md5: checksum)
        }
    }

    /// `READY_TO_SUBMIT` as `Ready to Submit`.
    private static func words(_ state: ProductState) -> String {
        state.rawValue.split(scalar: "_").map { word in
            ["FOR", "TO", "FROM"].contains(word) ? word.lowercased() : word.capitalized
        }.joined(separator: " ")
    }

    private static func remarks(_ record: ProductRecord) -> [String] {
        var remarks: [String] = []
        let hasAmounts = record.product.details.prices.entries.contains { entry in
            if case .amount = entry.figure { true } else { false }
        }
        if hasAmounts {
            remarks.append("Some of its prices are no tiers, and are not listed here.")
        }
        if record.summary.isFamilyShareable {
            remarks.append("Families share it, which this file can't say.")
        }
        if record.summary.type == .autoRenewableSubscription {
            remarks.append("Group, period and offers of a subscription can't be said in this file.")
        }
        if record.product.hostsContent {
            remarks.append("The store hosts its content, which is not part of this file.")
        }
        return remarks
    }
}

extension MetadataTerritory {
    /// The whole world first, then the territories that differ from it.
    fileprivate static func all(of product: Product) -> [MetadataTerritory] {
        let prices = product.details.prices
        let isEverywhere: Bool
        let others: Set<String>
        switch product.availability {
        case .everywhere(let except): (isEverywhere, others) = (true, except)
        case .only(let territories): (isEverywhere, others) = (false, territories)
        }
        let world = MetadataTerritory(
            storefront: nil, isClearedForSale: isEverywhere, prices: spans(prices.base))
        let priced = Dictionary(
            grouping: prices.entries.filter { $0.territory != prices.baseTerritory },
            by: \.territory
        ).mapValues(spans).filter { !$0.value.isEmpty }
        let exceptions = Storefront.all.filter {
            others.contains($0.code) || priced[$0.code] != nil
        }
        return [world]
            + exceptions.map { storefront in
                MetadataTerritory(
                    storefront: storefront,
                    isClearedForSale: product.availability.includes(storefront.code),
                    prices: priced[storefront.code] ?? [])
            }
    }

    private static func spans(_ entries: [PriceSchedule.Entry]) -> [MetadataPrice] {
        entries.compactMap { entry in
            guard case .tier(let tier) = entry.figure else { return nil }
            return MetadataPrice(
                tier: tier, start: entry.start.flatMap(CalendarDay.init(of:)),
                end: entry.end.flatMap(CalendarDay.init(of:)))
        }
    }
}
