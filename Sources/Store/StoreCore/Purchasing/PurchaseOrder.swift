import Foundation
import StoreModel

/// What a customer confirmed.
package struct PurchaseOrder: Sendable, Hashable {
    package var key: PurchaseKey
    package var productID: String
    package var quantity: Int
    /// The price of one that the customer saw.
    package var confirmedPrice: Money
    package var applicationUsername: String?
    package var device: String
    /// Whether the sandbox is to treat it as one that somebody else approves.
    package var simulatesAskToBuy: Bool
    /// What it says of offers.
    package var claim: OfferClaim
    /// The offer that the customer was told of.
    package var agreedOffer: SubscriptionOffer?
    /// Whether the customer was told that it charges nothing.
    package var isFree: Bool

    package init(
        key: PurchaseKey, productID: String, quantity: Int, confirmedPrice: Money,
        applicationUsername: String?, device: String, simulatesAskToBuy: Bool = false,
        claim: OfferClaim = OfferClaim(), agreedOffer: SubscriptionOffer? = nil,
        isFree: Bool = false
    ) {
        self.agreedOffer = agreedOffer
        self.isFree = isFree
        self.simulatesAskToBuy = simulatesAskToBuy
        self.claim = claim
        self.key = key
        self.productID = productID
        self.quantity = quantity
        self.confirmedPrice = confirmedPrice
        self.applicationUsername = applicationUsername
        self.device = device
    }
}

/// What the store says instead of selling.
package enum PurchaseRefusal: Error, Sendable, Hashable {
    case invalidProduct(InvalidReason)
    case typeNotSold(ProductType)
    case quantityOutOfRange(Int)
    case priceChanged(current: Money)
    /// The key was used for another product or quantity.
    case keyReused
    /// The offer that was asked for by name is not to be had.
    case offer(String, OfferRefusal)
    /// The guardian declined it.
    case declined
    /// Nobody approved it in time.
    case approvalLapsed
    /// The payment was declined: nothing was charged, and nothing is sold.
    case paymentDeclined
    /// The customer has to settle something first; the store sells it then by itself.
    case interrupted
    /// It was sold under this key, and taken back since.
    case revoked
}
