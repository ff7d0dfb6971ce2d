/// Tells who uses Connect with the token of a session.
///
/// The portal asks it with each request, the API with each bearer token of a saved session.
package protocol ConnectSessions: Sendable {
    /// Who a token stands for; nil where it is unknown, ended, or its person disabled.
    func visitor(token: String) async throws -> ConnectVisitor?
}

/// A person who is signed in to Connect.
package struct ConnectVisitor: Sendable, Hashable {
    /// A team that the person can act for.
    package struct Team: Sendable, Hashable {
        package let id: Int64
        package let name: String
    }

    package let person: PersonID
    package let name: String
    package let email: String
    /// The teams to choose from, by name.
    package let teams: [Team]
    /// Whether the person can act as the store's staff.
    package let isStaff: Bool
    /// Who the person acts as; nil while that has to be chosen first.
    package let actor: ConnectActor?

    /// The team acted for; nil where that is the store's staff, or nobody yet.
    package var team: Team? {
        guard let id = actor?.team else { return nil }
        return teams.first { $0.id == id }
    }
}
