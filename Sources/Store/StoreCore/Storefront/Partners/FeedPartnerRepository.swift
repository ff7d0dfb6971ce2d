import Foundation
import StoreDatabase

/// Who may fetch the partner feed.
package struct FeedPartnerRepository {
    let connection: any SQLConnection

    package func partner(_ id: Int64) throws -> FeedPartner? {
        try connection.find(FeedPartner.self, id)
    }

    package func partner(userName: String) throws -> FeedPartner? {
        try connection.first(FeedPartner.self, "WHERE user_name = \(userName)")
    }

    /// The oldest first.
    package func page(_ request: PageRequest) throws -> ListPage<FeedPartner> {
        try connection.page(FeedPartner.self, by: "id", request)
    }

    /// Adds an active one, and gives it its number; the schema refuses a user name that there is.
    package func insert(
        name: String, userName: String, passwordHash: String, at date: Date
    ) throws -> FeedPartner {
        try connection.inserted(
            FeedPartner(
                id: 0, name: name, userName: userName, passwordHash: passwordHash, isActive: true,
                created: date))
    }

    /// Changes name, password, whether it is active, and its last use.
    package func update(_ partner: FeedPartner) throws { try connection.update(partner) }
}

extension StoreRepositories {
    package var feedPartners: FeedPartnerRepository {
        FeedPartnerRepository(connection: connection)
    }
}
