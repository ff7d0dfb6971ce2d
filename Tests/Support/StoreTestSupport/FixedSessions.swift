@testable import StoreCore

/// Sessions of the portal whose tokens say who it is, for tests of pages without people.
package struct FixedSessions: ConnectSessions {
    /// Visitors by the tokens of their sessions, which have 32 characters or more.
    package var visitors: [String: ConnectVisitor]

    package init(_ visitors: [String: ConnectVisitor] = [:]) {
        self.visitors = visitors
    }

    package func visitor(token: String) async throws -> ConnectVisitor? { visitors[token] }

    /// A person of a team, or of the store's staff where there is none.
    package static func visitor(
        _ roles: Set<ConnectRole>, team: ConnectVisitor.Team?, name: String = "Ada Admin"
    ) -> ConnectVisitor {
        let email = "ada@example.com"
        let person = PersonID(number: 1)
        return ConnectVisitor(
            person: person, name: name, email: email, teams: team.map { [$0] } ?? [],
            isStaff: team == nil,
            actor: ConnectActor(
                kind: .person(person, email: email), team: team?.id, roles: roles))
    }
}
