import Foundation
import StoreDatabase

/// Somebody who uses Connect: a publisher's people, and the store's staff.
package struct Person: Sendable, Hashable {
    package let id: PersonID
    /// In lower case; what the person signs in with.
    package let email: String
    package var name: String
    package var passwordHash: String
    /// What the person does for the store; nil for who only belongs to teams.
    package var staffRole: ConnectRole?
    package let created: Date
    /// When all rights were taken away; nil for who has them.
    package var disabled: Date?
}

extension Person: Record {
    package static let table: StaticString = "person"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        email = try column("email", \.email, .immutable)
        name = try column("name", \.name)
        passwordHash = try column("password_hash", \.passwordHash)
        staffRole = try column("staff_role", \.staffRole)
        created = try column("created", \.created, .immutable)
        disabled = try column("disabled", \.disabled)
    }
}

/// A person to be added.
package struct PersonDraft: Sendable, Hashable {
    package var email: String
    package var name: String
    package var passwordHash: String
    package var staffRole: ConnectRole?
}

/// A person as a member of a team.
package struct Member: Sendable, Hashable {
    package let person: Person
    package let team: Int64
    /// Never empty.
    package let roles: Set<ConnectRole>
    package let since: Date
}
