import Foundation
import StoreModel

/// Where products are sold, and for what.
extension MetadataReader {
    mutating func offers(_ tag: XMLTag) throws -> [MetadataProduct.Offer] {
        var offers: [MetadataProduct.Offer] = []
        try each(in: tag) { reader, child in
            guard child.name == "product" else { return try reader.refuse(child) }
            guard let offer = try reader.offer(child) else { return }
            if offers.contains(where: { $0.territory == offer.territory }) {
                reader.report(
                    child.line,
                    "The territory \(offer.territory?.country ?? "WW") is there twice.")
            }
            offers.append(offer)
        }
        if offers.isEmpty { report(tag.line, "<products> has no <product>.") }
        return offers
    }

    private mutating func offer(_ tag: XMLTag) throws -> MetadataProduct.Offer? {
        var offer = MetadataProduct.Offer(
            territory: nil, isClearedForSale: true, prices: [], line: tag.line)
        var isKnown = true
        try each(in: tag) { reader, child in
            switch child.name {
            case "territory":
                let territory: Storefront?? = try reader.value(of: child, "a territory") { text in
                    text == "WW" ? .some(nil) : Storefront.named(text).map { .some($0) }
                }
                isKnown = territory != nil
                offer.territory = territory ?? nil
            case "cleared_for_sale":
                offer.isClearedForSale =
                    try reader.value(of: child, "true or false") { Self.flags[$0] } ?? false
            case "wholesale_price_tier":
                if let tier = try reader.tier(child) {
                    offer.prices = [MetadataProduct.Interval(tier: tier)]
                }
            case "intervals": offer.prices = try reader.intervals(child)
            default: try reader.refuse(child)
            }
        }
        return isKnown ? offer : nil
    }

    private static let flags: [String: Bool] = ["true": true, "false": false]

    private static let tiers = Set(PriceTier.all.map(\.identifier))

    private mutating func tier(_ tag: XMLTag) throws -> String? {
        try value(of: tag, "a tier of the price list") { Self.tiers.contains($0) ? $0 : nil }
    }

    private mutating func intervals(_ tag: XMLTag) throws -> [MetadataProduct.Interval] {
        var intervals: [MetadataProduct.Interval] = []
        try each(in: tag) { reader, child in
            guard child.name == "interval" else { return try reader.refuse(child) }
            var tier: String?
            var interval = MetadataProduct.Interval(tier: "")
            try reader.each(in: child) { reader, part in
                switch part.name {
                case "start_date": interval.start = try reader.day(part)
                case "end_date": interval.end = try reader.day(part)
                case "wholesale_price_tier": tier = try reader.tier(part)
                default: try reader.refuse(part)
                }
            }
            guard let tier else {
                return reader.report(child.line, "<interval> has no tier that the store has.")
            }
            interval.tier = tier
            intervals.append(interval)
        }
        return intervals
    }

    /// Midnight UTC of a day; nil where the element is empty.
    private mutating func day(_ tag: XMLTag) throws -> Date? {
        let day: Date?? = try value(of: tag, "a day such as 2026-01-31") { text in
            text.isEmpty ? .some(nil) : MetadataDay.date(text).map { .some($0) }
        }
        return day ?? nil
    }
}

/// Days as metadata files write them.
package enum MetadataDay {
    /// Midnight UTC; nil for what is no day of the calendar.
    package static func date(_ text: String) -> Date? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.map(\.count) == [4, 2, 2],
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        let date = calendar.date(from: DateComponents(year: year, month: month, day: day))
        guard let date, calendar.component(.day, from: date) == day,
            calendar.component(.month, from: date) == month
        else { return nil }
        return date
    }

    /// The day in UTC.
    package static func text(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
