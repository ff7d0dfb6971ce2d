import Foundation
import StoreModel

/// An offer that the publisher has made in App Store Connect's way: for some time, at a tier in each
/// territory.
package struct ScheduledOffer: Sendable, Hashable {
    /// Without a price.
    package var offer: SubscriptionOffer
    /// Tiers by alpha-3 code; empty for a free trial.
    package var tiers: [String: String]
    /// The territory of a free trial; nil for all.
    package var territory: String?
    package var start: CalendarDay?
    /// The last day.
    package var end: CalendarDay?

    /// The offer in a storefront at a date; nil where it is not to be had.
    func offer(in storefront: Storefront, at date: Date) -> SubscriptionOffer? {
        guard let today = CalendarDay(of: date), start.map({ $0 <= today }) ?? true,
            end.map({ today <= $0 }) ?? true
        else { return nil }
        guard offer.paymentMode != .freeTrial else {
            return territory == nil || territory == storefront.code ? offer : nil
        }
        guard let tier = tiers[storefront.code].flatMap({ PriceTier.named($0) }) else { return nil }
        var offer = offer
        offer.thousandths = tier.price(in: storefront).thousandths
        return offer
    }
}

extension ScheduledOffer {
    /// - Parameter prices: the resources of its prices, where it has some of its own.
    /// - Returns: nil for a kind that is no offer, and for what is not complete.
    init?(_ resource: KeptResource, prices: [KeptResource]) {
        let kind: SubscriptionOffer.Kind
        let name: String?
        switch resource.kind {
        case .subscriptionIntroductoryOffers: (kind, name) = (.introductory, nil)
        case .subscriptionPromotionalOffers:
            (kind, name) = (.promotional, resource.attributes["offerCode"]?.text)
        case .subscriptionOfferCodes: (kind, name) = (.code, resource.attributes["name"]?.text)
        default: return nil
        }
        guard kind == .introductory || name != nil,
            resource.attributes["active"] != .flag(false),
            let mode = resource.attributes["offerMode"]?.text.flatMap({ Self.modes[$0] }),
            let period = resource.attributes["duration"]?.text.flatMap({ name in
                SubscriptionPeriod.ofOffers.first { $0.connectOfferName == name }
            })
        else { return nil }
        let customers: [SubscriptionOffer.Customer]? =
            if case .texts(let names)? = resource.attributes["customerEligibilities"] {
                names.compactMap { SubscriptionOffer.Customer(rawValue: $0.lowercased()) }
            } else {
                nil
            }
        offer = SubscriptionOffer(
            kind: kind, identifier: name, paymentMode: mode, period: period,
            periodCount: max(1, resource.attributes["numberOfPeriods"]?.number ?? 1),
            thousandths: 0, customers: customers,
            isStackable: resource.attributes["offerEligibility"]?.text == "STACK_WITH_INTRO_OFFERS"
                ? true : nil)
        tiers = [:]
        for price in [resource] + prices {
            guard let territory = price.territory,
                let tier = price.links[KeptResource.tier]?.first
            else { continue }
            tiers[territory] = tier
        }
        territory = resource.territory
        start = resource.attributes["startDate"]?.text.flatMap { CalendarDay($0) }
        end = resource.attributes["endDate"]?.text.flatMap { CalendarDay($0) }
    }

    private static let modes: [String: SubscriptionOffer.PaymentMode] = [
        "FREE_TRIAL": .freeTrial, "PAY_AS_YOU_GO": .payAsYouGo, "PAY_UP_FRONT": .payUpFront,
    ]
}
