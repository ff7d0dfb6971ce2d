import Foundation
import StoreModel

/// What a subscription costs in one territory from some day on.
package struct SubscriptionPrice: Sendable, Hashable {
    package let product: ProductNumber
    /// Alpha-3 code.
    package let territory: String
    /// Of the price list.
    package let tier: String
    /// Nil: since ever, or at once where it is to be set.
    package let start: Date?

    package init(product: ProductNumber, territory: String, tier: String, start: Date?) {
        self.product = product
        self.territory = territory
        self.tier = tier
        self.start = start
    }
}

extension ProductRecord {
    /// The prices of a subscription in all territories: those that were chosen, and those that
    /// follow from the base territory's. Amounts that are no tier's, as imports bring them, have
    /// none.
    package var subscriptionPrices: [SubscriptionPrice] {
        let schedule = product.details.prices
        let chosen = Dictionary(grouping: schedule.entries, by: \.territory)
        return Storefront.all.flatMap { storefront -> [SubscriptionPrice] in
            let ofBase = schedule.entriesOfBase(in: storefront.code)
            let own = chosen[storefront.code] ?? []
            return (ofBase + own).compactMap { entry in
                guard case .tier(let tier) = entry.figure else { return nil }
                return SubscriptionPrice(
                    product: number, territory: storefront.code, tier: tier,
                    start: entry.start)
            }
        }
    }
}

extension PriceSchedule {
    /// The schedule with the price of one territory set.
    func setting(_ price: SubscriptionPrice, now: Date) -> PriceSchedule {
        let base = PriceSchedule(
            baseTerritory: isEmpty ? price.territory : baseTerritory, entries: entries)
        return base.setting(.tier(price.tier), in: price.territory, from: price.start, now: now)
    }
}
