import Foundation
import StoreDatabase

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
}

extension Affiliate: Record {
    package static let table: StaticString = "affiliate"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        token = try column("token", \.token, .immutable)
        name = try column("name", \.name)
        email = try column("email", \.email)
        basisPoints = try column("basis_points", \.basisPoints)
        isActive = try column("active", \.isActive)
        created = try column("created", \.created, .immutable)
    }
}
