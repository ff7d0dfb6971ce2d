import Foundation
import StoreModel

/// What an order says of offers.
package struct OfferClaim: Sendable, Hashable {
    /// The publisher's permission to have a promotional offer.
    package enum Permission: Sendable, Hashable {
        case none
        /// The publisher's key has signed it.
        ///
        /// - Parameters:
        ///   - nonce: is good for one purchase.
        ///   - date: when it was signed.
        case signed(nonce: UUID, date: Date)
        /// Nobody's key has signed it for this purchase.
        case wrong
        /// A test gives it.
        case given
    }

    /// The offer that it asks for by name; nil for the introductory one, where there is one.
    package var identifier: String?
    /// Whether the name is that of a code's offer.
    package var isOfCode: Bool
    package var permission: Permission
    /// Whether the publisher's server says that the customer may have an introductory offer, as the
    /// permission shows; nil where the store decides.
    package var allowsIntroductory: Bool?
    /// When it was received, by the store's time: publishers' servers know no other.
    package var received: Date

    package init(
        identifier: String? = nil, isOfCode: Bool = false, permission: Permission = .none,
        allowsIntroductory: Bool? = nil, received: Date = .distantPast
    ) {
        self.received = received
        self.identifier = identifier
        self.isOfCode = isOfCode
        self.permission = permission
        self.allowsIntroductory = allowsIntroductory
    }

    /// The number that its signature is good for once, where an offer is had by it.
    func nonce(for offer: SubscriptionOffer?) -> UUID? {
        guard let offer, case .signed(let nonce, _) = permission,
            offer.kind == .promotional || allowsIntroductory == true
        else { return nil }
        return nonce
    }

    /// What refusals call the offer.
    package var name: String { identifier ?? "introductory" }

    /// How long a signature is good for, in seconds: a day.
    package static let lifetime: TimeInterval = 24 * 3600
    /// How far ahead of the store's clock the publisher's may be, in seconds.
    package static let tolerance: TimeInterval = 5 * 60
}

/// Why an order does not get the offer that it asks for.
package enum OfferRefusal: String, Error, Sendable, Hashable, CaseIterable {
    /// The product has no such offer, or it has no price where the customer is.
    case unknown
    /// It is for other customers.
    case ineligible
    /// The publisher's key has not signed it, or not for this purchase, or too long ago.
    case signatureInvalid
    /// A promotional offer has to be signed for.
    case signatureMissing
}
