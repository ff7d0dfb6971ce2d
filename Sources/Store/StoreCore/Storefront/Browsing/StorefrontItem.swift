import Foundation
import StoreModel

/// An item as customers of one storefront see it, with what belongs to it.
package struct StorefrontItem: Sendable, Hashable {
    package var item: Item
    package var storefront: Storefront
    package var text: ItemText
    /// Nil where only to look at, such as a part that is not sold by itself.
    package var price: Money?
    package var rentalPrice: Money?
    /// What keeps it from being sold at its price; nil for nothing.
    package var obstacle: ItemSaleObstacle?
    package var artist: Artist?
    /// The album or season.
    package var parent: Parent?
    package var rating: RatingSummary
    /// Of this version of an app; the same as `rating` for what has no versions.
    package var versionRating: RatingSummary
    /// In their order.
    package var media: [ItemMedia]
    package var sellerName: String
    package var app: App?

    /// What a part shows of the whole.
    package struct Parent: Sendable, Hashable {
        package var item: Item
        package var text: ItemText
        package var price: Money?
        package var artist: Artist?
        package var artwork: ItemMedia?
    }

    package var id: ItemID { item.id }
    package var kind: ItemKind { item.details.kind }

    /// Its own artwork, or the one of what it is a part of.
    package var artwork: ItemMedia? {
        media.first { $0.kind == .artwork } ?? parent?.artwork
    }

    package func media(_ kind: ItemMedia.Kind) -> [ItemMedia] {
        media.filter { $0.kind == kind }
    }
}
