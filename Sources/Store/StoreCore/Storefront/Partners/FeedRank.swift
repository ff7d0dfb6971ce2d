import Foundation
import StoreModel

/// The place of an item among others.
package struct FeedRank: Sendable, Hashable {
    package let item: ItemID
    package let popularity: Int64
}
