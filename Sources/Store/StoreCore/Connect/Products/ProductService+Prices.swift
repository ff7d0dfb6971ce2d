import Foundation
import StoreModel

extension ProductService {
    /// Replaces the prices of a product. Customers pay them without a review, from the days on
    /// that the schedule says.
    package func setPrices(
        _ prices: PriceSchedule, of number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try await changePrices(of: number, by: actor) { _, _ in prices }
    }

    private func changePrices(
        of number: ProductNumber, by actor: ConnectActor,
        _ change: @escaping @Sendable (PriceSchedule, Date) -> PriceSchedule
    ) async throws -> ProductRecord {
        try await shop.write(as: actor, requiring: .managePrices) { work in
            var product = try work.product(number)
            let known = product.record.product.details.prices
            let prices = try PriceRules.checked(change(known, work.now), known: known)
            guard prices != known else { return product.record }
            try product.beginSaleEdit()
            try work.products.setPrices(prices, of: number)
            try product.note("price.set", before: Self.words(known), after: Self.words(prices))
            try product.settle()
            return product.record
        }
    }

    /// Puts a price of one territory into the schedule, over whatever it has from then on.
    ///
    /// - Parameters:
    ///   - territory: alpha-3 code; nil for the base territory, and so for all that follow it.
    ///   - start: nil for at once.
    package func setPrice(
        tier: String, in territory: String? = nil, from start: Date? = nil,
        of number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try await changePrices(of: number, by: actor) { prices, now in
            prices.setting(
                .tier(tier), in: territory ?? prices.baseTerritory, from: start, now: now)
        }
    }

    /// Lets a territory follow the base territory again.
    package func followBase(
        in territory: String, of number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try await changePrices(of: number, by: actor) { prices, _ in
            territory == prices.baseTerritory ? prices : prices.following(in: territory)
        }
    }

    /// Sets where a product is sold. Where it is on sale that takes who may take it from sale:
    /// a product that is sold nowhere is off sale, whatever its state.
    package func setAvailability(
        _ availability: Availability, of number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try actor.require(.manageProducts)
        try Availability.check(availability.listed)
        return try await shop.write(as: actor) { work in
            var product = try work.product(number)
            let known = product.record.product.availability
            guard known != availability else { return product.record }
            try product.checkAvailabilityChange()
            try product.beginSaleEdit()
            try work.products.setAvailability(availability, of: number)
            try product.note("availability.set", before: known.words, after: availability.words)
            try product.settle()
            return product.record
        }
    }

    static func words(_ prices: PriceSchedule) -> String {
        prices.entries.prefix(20).map { entry in
            let figure =
                switch entry.figure {
                case .tier(let identifier): "tier \(identifier)"
                case .amount(let thousandths): "\(Decimal(thousandths) / 1000)"
                }
            let start = entry.start.map { " from \($0.formatted(.iso8601))" } ?? ""
            let end = entry.end.map { " until \($0.formatted(.iso8601))" } ?? ""
            return "\(entry.territory) \(figure)\(start)\(end)"
        }.joined(separator: ", ") + (prices.entries.count > 20 ? ", …" : "")
    }
}

extension PriceSchedule {
    /// The schedule with another price in a territory from a date on; what was planned there for
    /// later goes.
    ///
    /// - Parameter start: nil, or not after `now`: at once.
    package func setting(
        _ figure: Figure, in territory: String, from start: Date?, now: Date
    ) -> PriceSchedule {
        let others = entries.filter { $0.territory != territory }
        guard let start, start > now else {
            return PriceSchedule(
                baseTerritory: baseTerritory,
                entries: others + [Entry(territory: territory, figure: figure)])
        }
        let kept = entries.filter {
            $0.territory == territory && ($0.start ?? .distantPast) < start
        }
        .map { entry in
            var entry = entry
            if let end = entry.end, end > start { entry.end = start }
            return entry
        }
        return PriceSchedule(
            baseTerritory: baseTerritory,
            entries: others + kept + [Entry(territory: territory, figure: figure, start: start)])
    }

    /// The schedule without a territory's own prices: it follows the base again.
    package func following(in territory: String) -> PriceSchedule {
        PriceSchedule(
            baseTerritory: baseTerritory, entries: entries.filter { $0.territory != territory })
    }
}
