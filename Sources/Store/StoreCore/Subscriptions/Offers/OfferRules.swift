import Foundation
import StoreModel

/// What a customer is to a group of subscriptions, as far as offers go by it.
package struct OfferCustomer: Sendable, Hashable {
    package enum Status: Sendable, Hashable {
        /// Has never subscribed.
        case new
        case existing
        /// Did subscribe.
        ///
        /// - Parameter cancelled: whether it ended because the customer wanted it to.
        case expired(cancelled: Bool)

        /// What the customer of a subscription is, be it running or over.
        init(of subscription: Subscription, at date: Date) {
            // One that ends, and was not looked at yet, is over.
            let runs =
                subscription.state.isRunning
                && (subscription.renews || subscription.expiration > date)
            self = runs ? .existing : .expired(cancelled: !subscription.renews)
        }

        var customer: SubscriptionOffer.Customer {
            switch self {
            case .new: .new
            case .existing: .existing
            case .expired: .expired
            }
        }
    }

    package var status: Status
    /// Whether the customer subscribes to anything in the app, or did.
    package var hasSubscribed: Bool
    /// Whether an introductory offer of the group was charged.
    package var hadIntroductory: Bool
    /// Whether the next period is to be charged by an offer already.
    package var hasAccepted: Bool = false
    /// The remaining periods of the introductory offer that the subscription is charged by; nil if none
    /// remain.
    package var introductory: SubscriptionOffer?
}

/// Who gets which offer: eligibility for a free trial or another introductory offer, for promotional
/// offers, codes and win-back offers.
package enum OfferRules {
    /// The offer that an order is sold with; nil for none.
    ///
    /// - Parameters:
    ///   - offers: the product's, priced where the customer is.
    ///   - order: what it does to the customer's subscription.
    package static func offer(
        for claim: OfferClaim, among offers: [SubscriptionOffer], _ order: SubscriptionOrder,
        _ customer: OfferCustomer
    ) -> Result<SubscriptionOffer?, OfferRefusal> {
        guard let name = claim.identifier else {
            if claim.allowsIntroductory != nil, let refusal = refusal(of: claim) {
                return .failure(refusal)
            }
            let isEligible = claim.allowsIntroductory ?? !customer.hadIntroductory
            return .success(isEligible ? introductory(among: offers, order, customer) : nil)
        }
        // A win-back offer may have the name of a promotional one, and needs no signature.
        let kinds: [SubscriptionOffer.Kind] =
            claim.isOfCode
            ? [.code]
            : claim.permission == .none ? [.winBack, .promotional] : [.promotional, .winBack]
        let named = offers.filter { $0.identifier == name }
        guard let offer = kinds.lazy.compactMap({ kind in named.first { $0.kind == kind } }).first
        else { return .failure(.unknown) }
        if offer.kind == .promotional, let refusal = refusal(of: claim) {
            return .failure(refusal)
        }
        let isEligible: Bool =
            switch (offer.kind, customer.status) {
            case (.winBack, .expired(let cancelled)):
                cancelled && offer.customers?.contains(.expired) ?? true
            case (.winBack, _): false
            // Nobody is led to less than they have, nor loses an offer for another one.
            case (.code, let status):
                order != .downgrade && !(order == .keep && customer.hasAccepted)
                    && offer.customers?.contains(status.customer) ?? true
            default: customer.hasSubscribed
            }
        guard isEligible else { return .failure(.ineligible) }
        guard offer.isStackable == true else { return .success(offer) }
        // What is sold says it by its followers.
        var stackable = offer
        stackable.isStackable = nil
        let first =
            order == .keep
            ? customer.introductory
            : customer.hadIntroductory ? nil : introductory(among: offers, order, customer)
        return .success(first?.followed(by: stackable) ?? stackable)
    }

    /// The introductory offer, if the order begins a subscription; nil if the customer has one.
    private static func introductory(
        among offers: [SubscriptionOffer], _ order: SubscriptionOrder, _ customer: OfferCustomer
    ) -> SubscriptionOffer? {
        guard order == .begin, customer.status != .existing else { return nil }
        return offers.first { $0.kind == .introductory }
    }

    /// What is wrong with the publisher's permission; nil for nothing.
    private static func refusal(of claim: OfferClaim) -> OfferRefusal? {
        switch claim.permission {
        case .none: .signatureMissing
        case .wrong: .signatureInvalid
        case .given: nil
        case .signed(_, let signed):
            claim.received.timeIntervalSince(signed) <= OfferClaim.lifetime
                && signed.timeIntervalSince(claim.received) <= OfferClaim.tolerance
                ? nil : .signatureInvalid
        }
    }
}

extension Product {
    /// The subscription's offers where a customer is at a date, with their prices there. One without a
    /// price there is left out. What the publisher has scheduled takes the place of what a `.storekit`
    /// file has under the same name.
    package func offers(in storefront: Storefront, at date: Date) -> [SubscriptionOffer] {
        let introductory = scheduledIntroductory(in: storefront, at: date)
        let scheduled = scheduledOffers.compactMap { scheduled -> SubscriptionOffer? in
            guard scheduled.offer.kind != .introductory || scheduled == introductory else {
                return nil
            }
            return scheduled.offer(in: storefront, at: date)
        }
        let imported = (details.subscription?.offers ?? []).filter { offer in
            !scheduled.contains { $0.kind == offer.kind && $0.identifier == offer.identifier }
        }
        return (scheduled + imported.compactMap { $0.priced(in: storefront) })
            .filter { Self.periodCounts.contains($0.periodCount) }
    }

    /// The one introductory offer of a storefront at a date: its own before one for all territories,
    /// and of two that a former version of the store took for the same days, the later one.
    private func scheduledIntroductory(
        in storefront: Storefront, at date: Date
    ) -> ScheduledOffer? {
        scheduledOffers
            .filter {
                $0.offer.kind == .introductory && $0.offer(in: storefront, at: date) != nil
            }
            .max {
                ($0.territory == nil ? 0 : 1, $0.start?.beginning ?? .distantPast)
                    < ($1.territory == nil ? 0 : 1, $1.start?.beginning ?? .distantPast)
            }
    }

    /// So many periods an offer may have.
    private static let periodCounts = 1...12
}

extension SubscriptionOffer {
    /// An offer of a `.storekit` file with its price in a storefront; nil where it has none there, and
    /// for one that was imported before the storefront of its price was kept.
    package func priced(in storefront: Storefront) -> SubscriptionOffer? {
        var offer = self
        offer.territory = nil
        guard thousandths > 0, territory != storefront.code else { return offer }
        guard let home = territory.flatMap({ Storefront.named($0) }),
            let tier = PriceTier.priced(
                Money(thousandths: thousandths, currency: home.currency), in: home)
        else { return nil }
        offer.thousandths = tier.price(in: storefront).thousandths
        return offer
    }
}
