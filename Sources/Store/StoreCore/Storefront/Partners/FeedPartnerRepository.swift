import Foundation
import StoreDatabase

extension StoreRepositories {
    /// Who may fetch the partner feed.
    package var feedPartners: Records<FeedPartner> { Records(connection) }
}

extension Records<FeedPartner> {
    package func partner(userName: String) throws -> FeedPartner? {
        try connection.first(FeedPartner.self, "WHERE user_name = \(userName)")
    }
}
