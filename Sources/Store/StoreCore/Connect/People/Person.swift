import Foundation

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

    package init(
        id: PersonID, email: String, name: String, passwordHash: String, staffRole: ConnectRole?,
        created: Date, disabled: Date?
    ) {
        self.id = id
        self.email = email
        self.name = name
        self.passwordHash = passwordHash
        self.staffRole = staffRole
        self.created = created
        self.disabled = disabled
    }
}

/// A person to be added.
package struct PersonDraft: Sendable, Hashable {
    package var email: String
    package var name: String
    package var passwordHash: String
    package var staffRole: ConnectRole?

    package init(email: String, name: String, passwordHash: String, staffRole: ConnectRole?) {
        self.email = email
        self.name = name
        self.passwordHash = passwordHash
        self.staffRole = staffRole
    }
}

/// A person as a member of a team.
package struct Member: Sendable, Hashable {
    package let person: Person
    package let team: Int64
    /// Never empty.
    package let roles: Set<ConnectRole>
    package let since: Date

    package init(person: Person, team: Int64, roles: Set<ConnectRole>, since: Date) {
        self.person = person
        self.team = team
        self.roles = roles
        self.since = since
    }
}
