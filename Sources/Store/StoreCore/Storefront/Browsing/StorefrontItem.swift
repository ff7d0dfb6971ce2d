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

        package init(
            item: Item, text: ItemText, price: Money?, artist: Artist?, artwork: ItemMedia?
        ) {
            self.item = item
            self.text = text
            self.price = price
            self.artist = artist
            self.artwork = artwork
        }
    }

    package init(
        item: Item, storefront: Storefront, text: ItemText, price: Money?, rentalPrice: Money?,
        artist: Artist?, parent: Parent?, rating: RatingSummary, versionRating: RatingSummary,
        media: [ItemMedia], sellerName: String, app: App?
    ) {
        self.item = item
        self.storefront = storefront
        self.text = text
        self.price = price
        self.rentalPrice = rentalPrice
        self.artist = artist
        self.parent = parent
        self.rating = rating
        self.versionRating = versionRating
        self.media = media
        self.sellerName = sellerName
        self.app = app
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
