import Foundation
import StoreModel

/// By what a lookup finds items.
package enum ItemKey: Sendable, Hashable {
    case app(AppID)
    /// The app that an in-app purchase belongs to.
    case purchase(ProductNumber)
    case bundleID(String)
    case upc(String)
    case isbn(String)
    case amgAlbumID(Int64)
    case amgVideoID(Int64)
}
