import Foundation
import StoreModel

/// Somebody who earns a share of the sales that come from their links.
package struct Affiliate: Sendable, Hashable {
    package let id: Int64
    /// What stands in links as `at`: 4 to 20 letters and digits.
    package let token: String
    package var name: String
    package var email: String
    /// Hundredths of a percent of the price.
    package var basisPoints: Int
    /// Whether sales are credited.
    package var isActive: Bool
    package let created: Date

    package init(
        id: Int64, token: String, name: String, email: String, basisPoints: Int, isActive: Bool,
        created: Date
    ) {
        self.id = id
        self.token = token
        self.name = name
        self.email = email
        self.basisPoints = basisPoints
        self.isActive = isActive
        self.created = created
    }
}
