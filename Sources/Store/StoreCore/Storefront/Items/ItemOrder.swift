import Foundation

package enum ItemOrder: String, Sendable, Hashable {
    case popular
    case recent
}
