import Foundation
import StoreModel

/// The number of an event; later events have larger ones.
package typealias DeviceEventID = ID<DeviceEvent>

/// Something that devices should hear of at once.
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
        /// Owners of a product get another version of its content.
        case contentVersion(ProductID)
        /// A subscription of the account, or one that is shared with it, stands otherwise.
        case subscription
    }

    /// Whose devices hear of it.
    package enum Audience: Sendable, Hashable {
        case account(AccountID)
        /// Everybody who has the app, in one environment.
        case everyone(StoreEnvironment)
    }

    package var audience: Audience
    package var app: AppID
    package var kind: Kind

    package init(audience: Audience, app: AppID, kind: Kind) {
        self.audience = audience
        self.app = app
        self.kind = kind
    }

    package init(account: AccountID, app: AppID, kind: Kind) {
        self.init(audience: .account(account), app: app, kind: kind)
    }
}

/// An event as it was written down.
package struct DeviceEvent: Sendable, Hashable {
    package let id: DeviceEventID
    package let kind: DeviceEventDraft.Kind
}

/// Who has events that they may not have heard of, with the last one of each.
package struct LatestEvents: Sendable, Hashable {
    package let accounts: [AccountID: DeviceEventID]
    package let places: [AppScope: DeviceEventID]

    /// The last event that an account may see in an app; nil where it has none.
    package func last(of account: AccountID, at place: AppScope) -> DeviceEventID? {
        [accounts[account], places[place]].compactMap { $0 }.max()
    }
}
