import Foundation
import StoreModel

/// A store of bytes, among those that things are collected from.
package enum BytePlace: String, Sendable, Hashable {
    case content = "CONTENT"
    case pictures = "PICTURES"
}
