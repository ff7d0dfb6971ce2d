import Foundation

extension PeopleRepository {
    package func invitation(_ id: String) throws -> Invitation? {
        try withRoles(
            connection.row(
                """
                SELECT id, team, email, inviter, created, ends, accepted, revoked
                FROM invitation WHERE id = ?1
                """, [.text(id)], Self.readInvitation))
    }

    package func invitation(tokenDigest: Data) throws -> Invitation? {
        try withRoles(
            connection.row(
                """
                SELECT id, team, email, inviter, created, ends, accepted, revoked
                FROM invitation WHERE token_digest = ?1
                """, [.blob(tokenDigest)], Self.readInvitation))
    }

    /// Those that were neither accepted nor revoked, the newest first.
    ///
    /// - Parameter team: nil for the staff's.
    package func invitations(to team: Int64?, limit: Int) throws -> [Invitation] {
        try connection.rows(
            """
            SELECT id, team, email, inviter, created, ends, accepted, revoked FROM invitation
            WHERE ifnull(team, 0) = ?1 AND accepted IS NULL AND revoked IS NULL
            ORDER BY created DESC, id LIMIT ?2
            """, [.integer(team ?? 0), .integer(limit)], Self.readInvitation
        ).compactMap { try withRoles($0) }
    }

    /// How many can be accepted at a date.
    package func openInvitations(to team: Int64?, at date: Date) throws -> Int {
        let count = try connection.row(
            """
            SELECT count(*) FROM invitation
            WHERE ifnull(team, 0) = ?1 AND accepted IS NULL AND revoked IS NULL AND ends > ?2
            """, [.integer(team ?? 0), .date(date)]
        ) { Int($0.integer(0)) }
        return count ?? 0
    }

    package func openInvitation(of email: String, to team: Int64?) throws -> Invitation? {
        try withRoles(
            connection.row(
                """
                SELECT id, team, email, inviter, created, ends, accepted, revoked FROM invitation
                WHERE ifnull(team, 0) = ?1 AND email = ?2 AND accepted IS NULL
                    AND revoked IS NULL
                """, [.integer(team ?? 0), .text(email)], Self.readInvitation))
    }

    package func insert(_ invitation: Invitation, tokenDigest: Data) throws {
        try connection.run(
            """
            INSERT INTO invitation (id, team, email, token_digest, inviter, created, ends)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                .text(invitation.id), invitation.team.map { .integer($0) } ?? .noInteger,
                .text(invitation.email), .blob(tokenDigest), .text(invitation.inviter),
                .date(invitation.created), .date(invitation.end),
            ])
        for role in invitation.roles {
            try connection.run(
                "INSERT INTO invitation_role (invitation, role) VALUES (?1, ?2)",
                [.text(invitation.id), .text(role.rawValue)])
        }
    }

    package func accept(_ invitation: String, by person: PersonID, at date: Date) throws {
        try connection.run(
            "UPDATE invitation SET accepted = ?2, person = ?3 WHERE id = ?1",
            [.text(invitation), .date(date), .integer(person.number)])
    }

    package func revoke(_ invitation: String, at date: Date) throws {
        try connection.run(
            "UPDATE invitation SET revoked = ?2 WHERE id = ?1", [.text(invitation), .date(date)])
    }

    /// The digest of the link that makes the first operator.
    package func firstLink() throws -> Data? {
        try connection.row("SELECT hex(token_digest) FROM first_link", []) {
            Data(hexadecimal: $0.text(0))
        }
    }

    /// Replaces the link; nil takes it away.
    package func setFirstLink(_ tokenDigest: Data?, at date: Date) throws {
        guard let tokenDigest else { return try connection.run("DELETE FROM first_link", []) }
        try connection.run(
            """
            INSERT INTO first_link (id, token_digest, created) VALUES (1, ?1, ?2)
            ON CONFLICT (id) DO UPDATE SET
                token_digest = excluded.token_digest, created = excluded.created
            """, [.blob(tokenDigest), .date(date)])
    }

    private static func readInvitation(_ row: any SQLRow) throws -> Invitation {
        Invitation(
            id: row.text(0), team: row.optionalInteger(1), email: row.text(2), roles: [],
            inviter: row.text(3), created: row.date(4), end: row.date(5),
            accepted: row.isNull(6) ? nil : row.date(6),
            revoked: row.isNull(7) ? nil : row.date(7))
    }

    private func withRoles(_ invitation: Invitation?) throws -> Invitation? {
        guard let invitation else { return nil }
        let roles = try connection.rows(
            "SELECT role FROM invitation_role WHERE invitation = ?1", [.text(invitation.id)]
        ) { try $0.value(0, ConnectRole.init(rawValue:)) }
        return Invitation(
            id: invitation.id, team: invitation.team, email: invitation.email,
            roles: Set(roles), inviter: invitation.inviter, created: invitation.created,
            end: invitation.end, accepted: invitation.accepted, revoked: invitation.revoked)
    }
}

extension Data {
    /// The bytes of a text with two digits each, as SQL's `hex` writes them.
    fileprivate init(hexadecimal text: String) {
        let digits: [Int] = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        self.init()
        for place in stride(from: 0, to: digits.count - 1, by: 2) {
            append(UInt8(digits[place] << 4 | digits[place + 1]))
        }
    }
}
