import Foundation
import StoreDatabase
import StoreModel

/// What a product costs: where, and from when to when.
///
/// One territory is the base. Its tiers, one after the other, give the prices of all
/// territories by the price list's figures; entries for other territories are exceptions from
/// that. An amount that is no tier's holds in its own territory only.
///
///     var prices = PriceSchedule(tier: "3")
///     prices.entries.append(.init(territory: "JPN", figure: .tier("2"), start: summer))
///     prices.price(in: .named("JPN")!, at: date)
package struct PriceSchedule: Sendable, Hashable {
    /// A price before it is known for which territory.
    package enum Figure: Sendable, Hashable {
        /// A tier of the price list, by its identifier.
        case tier(String)
        /// Thousandths of the territory's own currency.
        case amount(Int64)
    }

    /// A price for some time in one territory.
    package struct Entry: Sendable, Hashable {
        /// Alpha-3 code.
        package var territory: String
        package var figure: Figure
        /// Nil: since ever.
        package var start: Date?
        /// The first moment at which it holds no longer; nil: until another one begins.
        package var end: Date?

        package init(territory: String, figure: Figure, start: Date? = nil, end: Date? = nil) {
            self.territory = territory
            self.figure = figure
            self.start = start
            self.end = end
        }

        func holds(at date: Date) -> Bool {
            (start.map { $0 <= date } ?? true) && (end.map { date < $0 } ?? true)
        }
    }

    /// Alpha-3 code of the territory whose tiers the others follow.
    package var baseTerritory: String
    /// In the order of territories and then of their beginning.
    package private(set) var entries: [Entry]

    package init(baseTerritory: String, entries: [Entry]) {
        self.baseTerritory = baseTerritory
        self.entries = entries.sorted {
            ($0.territory, $0.start ?? .distantPast) < ($1.territory, $1.start ?? .distantPast)
        }
    }

    /// One tier everywhere, since ever.
    package init(tier: String, baseTerritory: String = "USA") {
        self.init(
            baseTerritory: baseTerritory,
            entries: [Entry(territory: baseTerritory, figure: .tier(tier))])
    }

    /// Amounts that hold in their own territories only, thousandths by alpha-3 code.
    package init(amounts: [String: Int64]) {
        let base = amounts["USA"] != nil ? "USA" : amounts.keys.min() ?? "USA"
        self.init(
            baseTerritory: base,
            entries: amounts.map { Entry(territory: $0.key, figure: .amount($0.value)) })
    }

    /// An amount in one territory, and elsewhere the tier that is closest to it there.
    package init(amount: Money, in storefront: Storefront) {
        let tier = PriceTier.closest(to: amount, in: storefront)
        let base = storefront == .unitedStates ? "CAN" : Storefront.unitedStates.code
        self.init(
            baseTerritory: base,
            entries: [
                Entry(territory: base, figure: .tier(tier.identifier)),
                Entry(territory: storefront.code, figure: .amount(amount.thousandths)),
            ])
    }

    /// Whether there is no price at all.
    package var isEmpty: Bool { entries.isEmpty }

    /// The entries of the base territory, in the order of their beginning.
    package var base: [Entry] { entries.filter { $0.territory == baseTerritory } }

    /// The entry that is in force in a territory by itself, not by the base; nil where there
    /// is none.
    package func entry(in territory: String, at date: Date) -> Entry? {
        // Of two that hold, the one that began later was put over the other.
        entries.last { $0.territory == territory && $0.holds(at: date) }
    }

    /// The prices of a territory that follow the base: for the times when it has no entry of its own.
    package func entriesOfBase(in territory: String) -> [Entry] {
        guard territory != baseTerritory else { return [] }
        var free: [Range<Date>] = []
        var end = Date.distantPast
        for own in entries where own.territory == territory {
            let start = own.start ?? .distantPast
            if end < start { free.append(end..<start) }
            end = max(end, own.end ?? .distantFuture)
        }
        if end < .distantFuture { free.append(end..<Date.distantFuture) }
        let base = self.base
        return base.indices.flatMap { index -> [Entry] in
            let next = index + 1 < base.count ? base[index + 1].start : nil
            let start = base[index].start ?? .distantPast
            let times = start..<max(start, base[index].end ?? next ?? .distantFuture)
            return free.map { times.clamped(to: $0) }.filter { !$0.isEmpty }.map { time in
                Entry(
                    territory: territory, figure: base[index].figure,
                    start: time.lowerBound == .distantPast ? nil : time.lowerBound,
                    end: time.upperBound == .distantFuture ? nil : time.upperBound)
            }
        }
    }

    /// What one costs in a storefront at a date; nil where there is no price then.
    package func price(in storefront: Storefront, at date: Date) -> Money? {
        if let own = entry(in: storefront.code, at: date) {
            return Self.money(own.figure, in: storefront)
        }
        guard let base = entry(in: baseTerritory, at: date), case .tier = base.figure else {
            return nil
        }
        return Self.money(base.figure, in: storefront)
    }

    /// The tier by which a storefront's price is made at a date; nil for an amount and where
    /// there is no price.
    package func tier(in storefront: Storefront, at date: Date) -> PriceTier? {
        let entry = entry(in: storefront.code, at: date) ?? entry(in: baseTerritory, at: date)
        guard case .tier(let identifier)? = entry?.figure else { return nil }
        return PriceTier.named(identifier)
    }

    /// The next moment after a date at which some price becomes another one; nil where all
    /// stay.
    package func nextChange(after date: Date) -> Date? {
        entries.lazy.flatMap { [$0.start, $0.end] }.compactMap { $0 }.filter { $0 > date }.min()
    }

    /// Nil for a tier that the price list doesn't have.
    private static func money(_ figure: Figure, in storefront: Storefront) -> Money? {
        switch figure {
        case .tier(let identifier): PriceTier.named(identifier)?.price(in: storefront)
        case .amount(let thousandths):
            Money(thousandths: thousandths, currency: storefront.currency).payable
        }
    }
}

extension PriceSchedule: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, Int64)...) {
        self.init(amounts: Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

extension PriceSchedule.Entry: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        territory = try column("territory", \.territory)
        let starts = try column("starts", \.starts)
        start = starts == Self.ever ? nil : starts
        end = try column("ends", \.end)
        figure = try column.part(\.figure)
    }

    /// What stands for since ever: the beginning is a part of the key.
    private static let ever = Date(timeIntervalSince1970: 0)

    private var starts: Date { start ?? Self.ever }
}

extension PriceSchedule.Figure: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        self = try column.either(
            "tier", \.tierIdentifier, { .tier($0) }, "thousandths", \.thousandths, { .amount($0) })
    }

    private var tierIdentifier: String? {
        guard case .tier(let identifier) = self else { return nil }
        return identifier
    }

    private var thousandths: Int64? {
        guard case .amount(let thousandths) = self else { return nil }
        return thousandths
    }
}
