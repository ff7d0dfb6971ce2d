import Foundation
import StoreDatabase

/// A store of bytes, among those that things are collected from.
package enum ByteStoreKind: String, Sendable, Hashable, CaseIterable, TextColumnValue {
    case content = "CONTENT"
    case pictures = "PICTURES"
}
