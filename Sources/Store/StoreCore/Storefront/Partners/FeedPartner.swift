import Foundation
import StoreDatabase

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

extension StoreRepositories {
    /// Who may fetch the partner feed.
    package var feedPartners: Records<FeedPartner> { Records(connection) }
}

extension Records<FeedPartner> {
    package func partner(userName: String) throws -> FeedPartner? {
        try connection.first(FeedPartner.self, "WHERE user_name = \(userName)")
    }
}

/// What a partner of the feed is called.
package enum FeedPartnerRules {
    /// - Throws: `ConnectRefusal`.
    package static func name(_ text: String) throws -> String {
        try ConnectText.checked(text, field: "name", name: "name", in: 1...100)
    }

    /// The name in HTTP Basic: 3 to 64 of `a-z`, `0-9`, `.`, `_`, `-`.
    ///
    /// - Throws: `ConnectRefusal`.
    package static func userName(_ text: String) throws -> String {
        guard (3...64).contains(text.utf8.count), text.utf8.allSatisfy(isOfUserName) else {
            throw ConnectRefusal(
                .invalid, rule: "userNameInvalid", field: "userName",
                "The user name \(quoted(text)) is not 3 to 64 of a-z, 0-9, '.', '_' and '-'.",
                help: "Choose a short name in small letters, such as example-search.")
        }
        return text
    }

    private static func isOfUserName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
