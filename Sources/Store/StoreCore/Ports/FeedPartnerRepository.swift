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

    package init(
        id: Int64, name: String, userName: String, passwordHash: String, isActive: Bool,
        created: Date, lastUse: Date?
    ) {
        self.id = id
        self.name = name
        self.userName = userName
        self.passwordHash = passwordHash
        self.isActive = isActive
        self.created = created
        self.lastUse = lastUse
    }
}

/// Who may fetch the partner feed.
package protocol FeedPartnerRepository {
    func partner(_ id: Int64) throws -> FeedPartner?
    func partner(userName: String) throws -> FeedPartner?
    /// The oldest first.
    func page(_ request: PageRequest) throws -> ListPage<FeedPartner>
    /// Adds an active one, and gives it its number; the schema refuses a user name that there is.
    func insert(
        name: String, userName: String, passwordHash: String, at date: Date
    ) throws -> FeedPartner
    /// Changes name, password, whether it is active, and its last use.
    func update(_ partner: FeedPartner) throws
}
