import Foundation
import StoreModel

/// The number of an event; later events have larger ones.
package struct DeviceEventID: Hashable, Sendable, Comparable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Something that devices of an account should hear of at once.
package struct DeviceEventDraft: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// There are transactions that no device has asked for, or decisions on ones that wait.
        case transactions
        /// The customer may not use a product any longer.
        case revocation(ProductID)
        /// The customer wants to buy something that they found in the store.
        case storePayment(ProductID)
        /// There is a question about a price.
        case priceConsent
    }

    package var account: AccountID
    package var app: AppID
    package var kind: Kind

    package init(account: AccountID, app: AppID, kind: Kind) {
        self.account = account
        self.app = app
        self.kind = kind
    }
}

/// An event as it was written down.
package struct DeviceEvent: Sendable, Hashable {
    package let id: DeviceEventID
    package let kind: DeviceEventDraft.Kind

    package init(id: DeviceEventID, kind: DeviceEventDraft.Kind) {
        self.id = id
        self.kind = kind
    }
}
