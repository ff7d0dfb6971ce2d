import Foundation
import StoreDatabase

extension PeopleRepository {
    package func invitation(_ id: String) throws -> Invitation? {
        try invitations("WHERE id = \(id)").first
    }

    package func invitation(tokenDigest: Data) throws -> Invitation? {
        try invitations("WHERE token_digest = \(tokenDigest)").first
    }

    /// Those that were neither accepted nor revoked, the newest first.
    ///
    /// - Parameter team: nil for the staff's.
    package func invitations(to team: Int64?, limit: Int) throws -> [Invitation] {
        try invitations(
            "WHERE \(Self.isWaiting(to: team)) ORDER BY created DESC, id LIMIT \(limit)")
    }

    /// Those of an inviter that were neither accepted nor revoked.
    package func invitations(by inviter: String) throws -> [Invitation] {
        try invitations(
            "WHERE inviter = \(inviter) AND accepted IS NULL AND revoked IS NULL ORDER BY id")
    }

    /// How many can be accepted at a date.
    package func openInvitations(to team: Int64?, at date: Date) throws -> Int {
        let count = try connection.value(
            Int.self,
            "SELECT count(*) FROM invitation WHERE \(Self.isWaiting(to: team)) AND ends > \(date)")
        return count ?? 0
    }

    package func openInvitation(of email: String, to team: Int64?) throws -> Invitation? {
        try invitations("WHERE \(Self.isWaiting(to: team)) AND email = \(email)").first
    }

    private static func isWaiting(to team: Int64?) -> SQL {
        "ifnull(team, 0) = \(team ?? 0) AND accepted IS NULL AND revoked IS NULL"
    }

    package func insert(_ invitation: Invitation, tokenDigest: Data) throws {
        try connection.insert(invitation, with: OtherColumn("token_digest", tokenDigest))
        for role in invitation.roles {
            try connection.run(
                """
                INSERT INTO invitation_role (invitation, role)
                VALUES (\(invitation.id), \(role))
                """)
        }
    }

    package func accept(_ invitation: String, by person: PersonID, at date: Date) throws {
        try connection.run(
            """
            UPDATE invitation SET accepted = \(date), person = \(person) WHERE id = \(invitation)
            """)
    }

    package func revoke(_ invitation: String, at date: Date) throws {
        try connection.run("UPDATE invitation SET revoked = \(date) WHERE id = \(invitation)")
    }

    /// The digest of the link that makes the first operator.
    package func firstLink() throws -> Data? {
        try connection.value(Data.self, "SELECT token_digest FROM first_link")
    }

    /// Replaces the link; nil takes it away.
    package func setFirstLink(_ tokenDigest: Data?, at date: Date) throws {
        guard let tokenDigest else { return try connection.run("DELETE FROM first_link") }
        try connection.run(
            """
            INSERT INTO first_link (id, token_digest, created) VALUES (1, \(tokenDigest), \(date))
            ON CONFLICT (id) DO UPDATE SET
                token_digest = excluded.token_digest, created = excluded.created
            """)
    }

    private func invitations(_ rest: SQL) throws -> [Invitation] {
        try connection.all(Invitation.self, rest).map { invitation in
            var invitation = invitation
            invitation.roles = Set(
                try connection.values(
                    ConnectRole.self,
                    "SELECT role FROM invitation_role WHERE invitation = \(invitation.id)"))
            return invitation
        }
    }
}
