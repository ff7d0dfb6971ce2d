/// A reduced price of a subscription, for some time.
package struct SubscriptionOffer: Hashable, Sendable, Codable {
    /// What makes a customer eligible.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Never having had one in the subscription's group.
        case introductory
        /// The publisher's server, which signs for it.
        case promotional
        /// A code.
        case code
        /// A subscription that has ended.
        case winBack
    }

    /// How the reduced price is paid.
    package enum PaymentMode: String, Sendable, Codable, CaseIterable {
        /// For each of the offer's periods.
        case payAsYouGo
        /// Once, for all of them.
        case payUpFront
        /// Free trial: nothing, for as long as the offer lasts.
        case freeTrial = "free"
    }

    /// A customer's relation to the subscription's group.
    package enum Customer: String, Sendable, Codable, CaseIterable {
        /// Who never subscribed.
        case new
        /// Who subscribes.
        case existing
        /// Who did once.
        case expired
    }

    package var kind: Kind
    /// The offer's name within the product. An introductory offer has none.
    package var identifier: String?
    package var paymentMode: PaymentMode
    package var period: SubscriptionPeriod
    package var periodCount: Int
    /// The amount of each payment, in thousandths: of the currency of ``territory``, or without one of
    /// the currency of the answer to a device.
    package var thousandths: Int64
    /// The alpha-3 code of the storefront that it was priced in; nil in an answer to a device.
    package var territory: String?
    /// The customers who may have a code's or a win-back offer; nil if its kind alone decides.
    package var customers: [Customer]?
    /// Whether a customer who redeems this code's offer gets the introductory offer first; nil means no.
    package var isStackable: Bool?
    /// The offer that applies after this one: a code's offer after the introductory one. One element; nil
    /// if nothing follows.
    package var followers: [SubscriptionOffer]?

    package init(
        kind: Kind, identifier: String?, paymentMode: PaymentMode, period: SubscriptionPeriod,
        periodCount: Int, thousandths: Int64, territory: String? = nil,
        customers: [Customer]? = nil, isStackable: Bool? = nil,
        followers: [SubscriptionOffer]? = nil
    ) {
        self.kind = kind
        self.identifier = identifier
        self.paymentMode = paymentMode
        self.period = period
        self.periodCount = periodCount
        self.thousandths = thousandths
        self.territory = territory
        self.customers = customers
        self.isStackable = isStackable
        self.followers = followers
    }

    /// This offer with another one behind it.
    package func followed(by follower: SubscriptionOffer) -> SubscriptionOffer {
        var offer = self
        offer.followers = [follower]
        return offer
    }

    package var follower: SubscriptionOffer? { followers?.first }

    /// How long one charge lasts.
    package var chargedPeriod: SubscriptionPeriod { paymentMode == .payAsYouGo ? period : length }

    /// How long all of it lasts.
    package var length: SubscriptionPeriod {
        let (count, isTooLong) = period.count.multipliedReportingOverflow(by: periodCount)
        return SubscriptionPeriod(unit: period.unit, count: isTooLong ? .max : count)
    }
}

extension SubscriptionOffer {
    /// - Throws: `DecodingError`, also for a number of periods that no offer has, and for several offers
    ///   behind one.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            kind: try container.decode(Kind.self, forKey: .kind),
            identifier: try container.decodeIfPresent(String.self, forKey: .identifier),
            paymentMode: try container.decode(PaymentMode.self, forKey: .paymentMode),
            period: try container.decode(SubscriptionPeriod.self, forKey: .period),
            periodCount: try container.decode(.periodCount, in: SubscriptionPeriod.counts),
            thousandths: try container.decode(Int64.self, forKey: .thousandths),
            territory: try container.decodeIfPresent(String.self, forKey: .territory),
            customers: try container.decodeIfPresent([Customer].self, forKey: .customers),
            isStackable: try container.decodeIfPresent(Bool.self, forKey: .isStackable),
            followers: try container.decodeIfPresent(
                [SubscriptionOffer].self, forKey: .followers))
        guard followers.map({ $0.count == 1 && $0[0].followers == nil }) ?? true else {
            throw DecodingError.dataCorruptedError(
                forKey: .followers, in: container,
                debugDescription: "there is not one offer that follows")
        }
    }
}
