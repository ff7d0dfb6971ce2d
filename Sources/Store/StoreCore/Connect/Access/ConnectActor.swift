import Foundation
import StoreModel

/// A user of Connect.
package typealias PersonID = ID<Person>

/// Who does something in Connect: a person, a program with a key, or whoever runs commands
/// on the machine of the store.
package struct ConnectActor: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case person(PersonID, email: String)
        case key(APIKeyID)
        /// The machine's owner needs no key.
        case machine
        /// Somebody who has not said who they are, for what is open to all.
        case nobody
    }

    package let kind: Kind
    /// The team acted for; nil for the store's staff, who see all teams, and for
    /// `nobody`, who sees none.
    package let team: Int64?
    package let roles: Set<ConnectRole>

    package init(kind: Kind, team: Int64?, roles: Set<ConnectRole>) {
        self.kind = kind
        self.team = team
        self.roles = roles
    }

    /// Commands on the store's machine.
    package static let machine = ConnectActor(kind: .machine, team: nil, roles: [.operator])

    /// Whoever calls what is open to all.
    package static let nobody = ConnectActor(kind: .nobody, team: nil, roles: [])

    /// Whether it is a program with a key, be it the store's own.
    package var isKey: Bool { if case .key = kind { true } else { false } }

    package func allows(_ permission: ConnectPermission) -> Bool {
        !permission.roles.isDisjoint(with: roles)
    }

    /// - Throws: `ConnectRefusal` with 403's meaning.
    package func require(_ permission: ConnectPermission) throws {
        guard allows(permission) else {
            throw ConnectRefusal(
                .forbidden, rule: "role",
                "The \(roleNames) can't do this.",
                help: "It takes one of: "
                    + permission.roles.map(\.title).sorted().joined(separator: ", ") + ".")
        }
    }

    /// Whether something that belongs to a team is visible. What is not is answered like
    /// what isn't there.
    package func sees(team: Int64) -> Bool {
        // Without a team: the staff, who see all of them, have a role; nobody has none.
        self.team.map { $0 == team } ?? !roles.isEmpty
    }

    private var roleNames: String {
        let names = roles.map(\.title).sorted().joined(separator: ", ")
        return names.isEmpty ? "account without a role" : "role \(names)"
    }

    /// How the audit log names it.
    package var auditName: String { kind.auditName }
}

extension ConnectActor.Kind {
    var auditName: String {
        switch self {
        case .person(_, let email): email
        case .key(let id): "key \(id)"
        case .machine: "command line"
        case .nobody: "nobody"
        }
    }
}
