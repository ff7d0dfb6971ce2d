import Foundation
import StoreModel

/// Body of `POST /device/v1/quotes`.
package struct QuoteRequest: Codable, Sendable, Hashable {
    package var productId: String
    package var offer: OfferWish?
    /// Of the payment: a promotional offer is signed for it.
    package var applicationUsername: String?
    /// An offer code as the customer typed it: the answer is about what it gives.
    package var code: String?

    package init(
        productId: String, offer: OfferWish? = nil, applicationUsername: String? = nil,
        code: String? = nil
    ) {
        self.code = code
        self.productId = productId
        self.offer = offer
        self.applicationUsername = applicationUsername
    }
}

/// Answer of `POST /device/v1/quotes`: when a purchase would charge the account, and by which offer.
package struct QuoteAnswer: Codable, Sendable, Hashable {
    /// The names of `ChargeNotice`. What is unknown counts as `now`.
    package struct Charge: RawRepresentable, Codable, Sendable, Hashable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let now = Charge(rawValue: "now")
        package static let owned = Charge(rawValue: "owned")
        package static let running = Charge(rawValue: "running")
        /// With `startDate`.
        package static let later = Charge(rawValue: "later")
        /// With `offer` and `startDate`.
        package static let accepted = Charge(rawValue: "accepted")
        /// With `offer`.
        package static let offer = Charge(rawValue: "offer")
        /// Without an offer. One that comes with an upgrade is an `offer` with `isUpgrade`: devices that
        /// know no upgrades have to know of the offer.
        package static let upgrade = Charge(rawValue: "upgrade")
    }

    package var charge: Charge
    /// When the product that is paid for later begins, milliseconds since 1970.
    package var startDate: Int64?
    /// What a subscription begins with, priced in the product's currency.
    package var offer: SubscriptionOffer?
    /// Whether the offer begins in place of a subscription that is paid for.
    package var isUpgrade: Bool?
    /// The subscription that a code is for. Codes for other products have none.
    package var product: WireProduct?

    package init(_ notice: ChargeNotice) {
        switch notice {
        case .now: charge = .now
        case .owned: charge = .owned
        case .running: charge = .running
        case .later(let date):
            charge = .later
            startDate = date.milliseconds
        case .offer(let applied):
            charge = .offer
            offer = applied
        case .upgrade(let applied):
            charge = applied == nil ? .upgrade : .offer
            offer = applied
            isUpgrade = applied == nil ? nil : true
        case .accepted(let applied, let date):
            charge = .accepted
            offer = applied
            startDate = date.milliseconds
        }
    }

    package var notice: ChargeNotice {
        switch (charge, startDate, offer) {
        case (.owned, _, _): .owned
        case (.running, _, _): .running
        case (.later, let date?, _): .later(Date(milliseconds: date))
        case (.offer, _, let offer?): isUpgrade == true ? .upgrade(offer) : .offer(offer)
        case (.upgrade, _, _): .upgrade(nil)
        case (.accepted, let date?, let offer?): .accepted(offer, start: Date(milliseconds: date))
        default: .now
        }
    }
}
