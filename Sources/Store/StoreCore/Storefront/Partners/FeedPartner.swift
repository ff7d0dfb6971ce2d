import Foundation
import StoreModel

/// Somebody who may fetch the partner feed.
package struct FeedPartner: Sendable, Hashable {
    package let id: Int64
    package var name: String
    /// The name in HTTP Basic.
    package let userName: String
    package var passwordHash: String
    package var isActive: Bool
    package let created: Date
    package var lastUse: Date?
}
