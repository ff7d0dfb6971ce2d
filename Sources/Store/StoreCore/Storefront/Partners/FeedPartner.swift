import Foundation
import StoreDatabase
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

extension FeedPartner: Record {
    package static let table: StaticString = "feed_partner"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        name = try column("name", \.name)
        userName = try column("user_name", \.userName, .immutable)
        passwordHash = try column("password_hash", \.passwordHash)
        isActive = try column("is_active", \.isActive)
        created = try column("created", \.created, .immutable)
        lastUse = try column("last_use", \.lastUse)
    }
}
