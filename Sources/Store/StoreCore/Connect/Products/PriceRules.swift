import Foundation
import StoreModel

/// Which price schedules a publisher may make.
///
/// The prices of the base territory follow one another without a gap, so that every territory has
/// a price at any time; exceptions come and go. Amounts of one's own come from imports only: who
/// chooses prices here chooses tiers.
package enum PriceRules {
    /// As many entries as a schedule may have.
    package static let entryLimit = 2000

    /// The first moment that is no start or end: where prices are kept, it stands for ever.
    private static let epoch = Date(timeIntervalSince1970: 0)

    /// The schedule, where it is one that a publisher may make.
    ///
    /// - Parameter known: the schedule that there is; its amounts may stay.
    /// - Throws: `ConnectRefusal`, its rules as the table of tests has them.
    package static func checked(
        _ schedule: PriceSchedule, known: PriceSchedule
    ) throws -> PriceSchedule {
        guard Storefront.named(schedule.baseTerritory)?.code == schedule.baseTerritory else {
            throw unknown(territory: schedule.baseTerritory, field: "baseTerritory")
        }
        guard schedule.entries.count <= entryLimit else {
            throw refusal(
                "tooManyPrices", "A schedule has at most \(entryLimit) prices.",
                help: "Leave out what is past.")
        }
        for entry in schedule.entries { try check(entry, known: known) }
        for entries in Dictionary(grouping: schedule.entries, by: \.territory).values {
            try checkOrder(entries)
        }
        try checkBase(schedule.base, of: schedule.baseTerritory)
        return schedule
    }

    private static func check(_ entry: PriceSchedule.Entry, known: PriceSchedule) throws {
        guard Storefront.named(entry.territory)?.code == entry.territory else {
            throw unknown(territory: entry.territory, field: "manualPrices")
        }
        switch entry.figure {
        case .tier(let identifier):
            guard PriceTier.named(identifier) != nil else {
                throw refusal(
                    "tierUnknown", "The price list has no tier \"\(identifier.prefix(40))\".",
                    help: "Choose a tier of the price list, 0 to 87 or an alternate one.")
            }
        case .amount:
            let isKnown = known.entries.contains {
                $0.territory == entry.territory && $0.figure == entry.figure
            }
            guard isKnown else {
                throw refusal(
                    "amountNotListed", "Prices are chosen from the price list.",
                    help: "Choose a tier for \(entry.territory).")
            }
        }
        for date in [entry.start, entry.end].compactMap({ $0 }) where date <= Self.epoch {
            throw refusal(
                "priceDateTooEarly",
                "A price of \(entry.territory) begins or ends before 2 January 1970.",
                help: "Give a later day, or no start for a price that was always so.")
        }
        if let end = entry.end, let start = entry.start, end <= start {
            throw refusal(
                "priceEndsBeforeStart", "A price of \(entry.territory) ends before it begins.",
                help: "Let it end on a later day.")
        }
    }

    /// Two prices of one territory must not begin at the same time, nor overlap.
    private static func checkOrder(_ entries: [PriceSchedule.Entry]) throws {
        for (entry, next) in zip(entries, entries.dropFirst()) {
            guard let start = next.start, entry.start != next.start else {
                throw refusal(
                    "pricesOverlap",
                    "Two prices of \(entry.territory) begin at the same time.",
                    help: "Keep one of them.")
            }
            if let end = entry.end, end > start {
                throw refusal(
                    "pricesOverlap", "Two prices of \(entry.territory) overlap.",
                    help: "Let the first one end when the second one begins.")
            }
        }
    }

    private static func checkBase(_ entries: [PriceSchedule.Entry], of territory: String) throws {
        guard let first = entries.first, let last = entries.last else {
            throw refusal(
                "basePriceMissing", "There is no price for the base territory \(territory).",
                help: "Choose a tier for it: the other territories follow it.")
        }
        guard first.start == nil else {
            throw refusal(
                "basePriceGap", "The first price of \(territory) begins on some day only.",
                help: "Give a price without a start for the time before.")
        }
        guard last.end == nil else {
            throw refusal(
                "basePriceGap", "The last price of \(territory) ends some day.",
                help: "Leave its end open, or add the price that follows.")
        }
        for (entry, next) in zip(entries, entries.dropFirst())
        where entry.end != nil && entry.end != next.start {
            throw refusal(
                "basePriceGap", "\(territory) has no price for some time between two.",
                help: "Let each price end when the next one begins.")
        }
    }

    private static func unknown(territory: String, field: String) -> ConnectRefusal {
        ConnectRefusal(
            .invalid, rule: "territoryUnknown", field: field,
            "The store has no territory \"\(territory.prefix(40))\".",
            help: "Use an alpha-3 code of the store's list, for example USA.")
    }

    private static func refusal(_ rule: String, _ problem: String, help: String) -> ConnectRefusal {
        ConnectRefusal(.invalid, rule: rule, field: "manualPrices", problem, help: help)
    }
}
