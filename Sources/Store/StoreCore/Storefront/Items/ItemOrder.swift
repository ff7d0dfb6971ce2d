import Foundation
import StoreModel

package enum ItemOrder: String, Sendable, Hashable {
    case popular
    case recent
}
