import Foundation
import StoreModel

/// What a customer is to a group of subscriptions, as far as offers go by it.
package struct OfferCustomer: Sendable, Hashable {
    package enum Standing: Sendable, Hashable {
        /// Has never subscribed.
        case new
        case existing
        /// Did subscribe.
        ///
        /// - Parameter cancelled: whether it ended because the customer wanted it to.
        case expired(cancelled: Bool)

        /// What the customer of a subscription is, be it running or over.
        init(of subscription: Subscription, at date: Date) {
            // One that is due and was not looked at yet is over.
            let runs =
                subscription.state.isRunning
                && (subscription.state != .active || subscription.expiration > date)
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

    package var standing: Standing
    /// Whether an introductory offer of the group was charged.
    package var hadIntroductory: Bool

    package init(standing: Standing, hadIntroductory: Bool) {
        self.standing = standing
        self.hadIntroductory = hadIntroductory
    }
}

/// Who gets which offer.
package enum OfferRules {
    /// The offer that an order is sold with; nil for none.
    ///
    /// - Parameters:
    ///   - offers: the product's, priced where the customer is.
    ///   - order: what it does to the customer's subscription.
    package static func offer(
        for claim: OfferClaim, among offers: [SubscriptionOffer], _ order: SubscriptionOrder,
        _ customer: OfferCustomer, at date: Date
    ) -> Result<SubscriptionOffer?, OfferRefusal> {
        guard let name = claim.identifier else {
            if claim.allowsIntroductory != nil,
                let refusal = refusal(of: claim.permission, at: date)
            {
                return .failure(refusal)
            }
            let isEligible = claim.allowsIntroductory ?? !customer.hadIntroductory
            guard order == .begin, customer.standing != .existing, isEligible else {
                return .success(nil)
            }
            return .success(offers.first { $0.kind == .introductory })
        }
        let kinds: [SubscriptionOffer.Kind] = claim.isOfCode ? [.code] : [.promotional, .winBack]
        guard
            let offer = offers.first(where: { $0.identifier == name && kinds.contains($0.kind) })
        else { return .failure(.unknown) }
        if offer.kind == .promotional, let refusal = refusal(of: claim.permission, at: date) {
            return .failure(refusal)
        }
        let isEligible: Bool =
            switch (offer.kind, customer.standing) {
            case (.winBack, .expired(let cancelled)):
                cancelled && offer.customers?.contains(.expired) ?? true
            case (.winBack, _): false
            // Nobody is led to less than they have.
            case (.code, let standing):
                order != .downgrade && offer.customers?.contains(standing.customer) ?? true
            case (_, let standing): standing != .new
            }
        return isEligible ? .success(offer) : .failure(.ineligible)
    }

    /// What is wrong with the publisher's permission; nil for nothing.
    private static func refusal(
        of permission: OfferClaim.Permission, at date: Date
    ) -> OfferRefusal? {
        switch permission {
        case .none: .signatureMissing
        case .wrong: .signatureInvalid
        case .given: nil
        case .signed(_, let signed):
            date.timeIntervalSince(signed) <= OfferClaim.lifetime
                && signed.timeIntervalSince(date) <= OfferClaim.tolerance
                ? nil : .signatureInvalid
        }
    }
}

extension Product {
    /// The subscription's offers where a customer is at a date, with their prices there. One without a
    /// price there is left out. What the publisher has scheduled takes the place of what a `.storekit`
    /// file has under the same name.
    package func offers(in storefront: Storefront, at date: Date) -> [SubscriptionOffer] {
        let scheduled = scheduledOffers.compactMap { $0.offer(in: storefront, at: date) }
        let imported = (details.subscription?.offers ?? []).filter { offer in
            !scheduled.contains { $0.kind == offer.kind && $0.identifier == offer.identifier }
        }
        return scheduled
            + imported.compactMap { offer in
                var offer = offer
                let territory = offer.territory ?? details.prices.baseTerritory
                offer.territory = nil
                guard offer.thousandths > 0, territory != storefront.code else { return offer }
                guard let home = Storefront.named(territory),
                    let tier = PriceTier.priced(
                        Money(thousandths: offer.thousandths, currency: home.currency), in: home)
                else { return nil }
                offer.thousandths = tier.price(in: storefront).thousandths
                return offer
            }
    }
}
