import Foundation

/// People, their places in teams, and the ways in.
package struct PeopleRepository {
    let connection: any SQLConnection

    // MARK: People

    package func person(_ id: PersonID) throws -> Person? {
        try connection.row(
            """
            SELECT id, email, name, password_hash, staff_role, created, disabled FROM person
            WHERE id = ?1
            """, [.integer(id.number)], Self.readPerson)
    }

    /// - Parameter email: in lower case.
    package func person(email: String) throws -> Person? {
        try connection.row(
            """
            SELECT id, email, name, password_hash, staff_role, created, disabled FROM person
            WHERE email = ?1
            """, [.text(email)], Self.readPerson)
    }

    package func insert(_ person: PersonDraft, at date: Date) throws -> Person {
        let inserted = try connection.row(
            """
            INSERT INTO person (email, name, password_hash, staff_role, created)
            VALUES (?1, ?2, ?3, ?4, ?5)
            RETURNING id, email, name, password_hash, staff_role, created, disabled
            """,
            [
                .text(person.email), .text(person.name), .text(person.passwordHash),
                .text(person.staffRole?.rawValue), .date(date),
            ], Self.readPerson)
        return try inserted.orMissing("person")
    }

    /// Writes name, password, staff role and whether the person is disabled. The schema
    /// refuses to lose the last operator.
    package func update(_ person: Person) throws {
        try connection.run(
            """
            UPDATE person SET name = ?2, password_hash = ?3, staff_role = ?4, disabled = ?5
            WHERE id = ?1
            """,
            [
                .integer(person.id.number), .text(person.name), .text(person.passwordHash),
                .text(person.staffRole?.rawValue), .date(person.disabled),
            ])
    }

    /// Whether somebody operates the store.
    package func hasOperator() throws -> Bool {
        try connection.row(
            "SELECT 1 FROM person WHERE staff_role = 'OPERATOR' LIMIT 1", []
        ) { _ in true } ?? false
    }

    /// Operators who are not disabled.
    package func operators() throws -> Int {
        try connection.row(
            "SELECT count(*) FROM person WHERE staff_role = 'OPERATOR' AND disabled IS NULL", []
        ) { Int($0.integer(0)) } ?? 0
    }

    /// Who works for the store, by address.
    package func staff() throws -> [Person] {
        try connection.rows(
            """
            SELECT id, email, name, password_hash, staff_role, created, disabled FROM person
            WHERE staff_role IS NOT NULL ORDER BY email
            """, [], Self.readPerson)
    }

    static func readPerson(_ row: any SQLRow) throws -> Person {
        Person(
            id: PersonID(number: row.integer(0)), email: row.text(1), name: row.text(2),
            passwordHash: row.text(3),
            staffRole: row.isNull(4) ? nil : try row.value(4, ConnectRole.init(rawValue:)),
            created: row.date(5), disabled: row.isNull(6) ? nil : row.date(6))
    }

    // MARK: Teams

    /// Teams by name, behind a name.
    ///
    /// - Parameter search: what the name contains; nil for all.
    package func teams(matching search: String?, after name: String?, limit: Int) throws -> [Team] {
        try connection.rows(
            """
            SELECT id, name, has_paid_agreement FROM team
            WHERE (?1 IS NULL OR name LIKE ?1 ESCAPE '\\') AND name > ?2 ORDER BY name LIMIT ?3
            """,
            [.text(search.map(LikePattern.containing)), .text(name ?? ""), .integer(limit)],
            Self.readTeam)
    }

    package func teamCount(matching search: String?) throws -> Int {
        try connection.row(
            "SELECT count(*) FROM team WHERE ?1 IS NULL OR name LIKE ?1 ESCAPE '\\'",
            [.text(search.map(LikePattern.containing))]
        ) { Int($0.integer(0)) } ?? 0
    }

    package func rename(team: Int64, to name: String) throws {
        try connection.run(
            "UPDATE team SET name = ?2 WHERE id = ?1", [.integer(team), .text(name)])
    }

    private static func readTeam(_ row: any SQLRow) -> Team {
        Team(id: row.integer(0), name: row.text(1), hasPaidAgreement: row.integer(2) == 1)
    }

    // MARK: Members

    package func member(_ person: PersonID, of team: Int64) throws -> Member? {
        guard
            let found = try connection.row(
                """
                SELECT p.id, p.email, p.name, p.password_hash, p.staff_role, p.created,
                    p.disabled, m.since
                FROM membership m JOIN person p ON p.id = m.person
                WHERE m.team = ?1 AND m.person = ?2
                """, [.integer(team), .integer(person.number)],
                { (person: try Self.readPerson($0), since: $0.date(7)) })
        else { return nil }
        return try member(found.person, of: team, since: found.since)
    }

    /// Members by address, behind an address.
    package func members(of team: Int64, after email: String?, limit: Int) throws -> [Member] {
        let found = try connection.rows(
            """
            SELECT p.id, p.email, p.name, p.password_hash, p.staff_role, p.created, p.disabled,
                m.since
            FROM membership m JOIN person p ON p.id = m.person
            WHERE m.team = ?1 AND p.email > ?2 ORDER BY p.email LIMIT ?3
            """, [.integer(team), .text(email ?? ""), .integer(limit)]
        ) { (person: try Self.readPerson($0), since: $0.date(7)) }
        return try found.map { try member($0.person, of: team, since: $0.since) }
    }

    package func memberCount(of team: Int64) throws -> Int {
        try connection.row(
            "SELECT count(*) FROM membership WHERE team = ?1", [.integer(team)]
        ) { Int($0.integer(0)) } ?? 0
    }

    package func accountHolder(of team: Int64) throws -> Member? {
        let holder = try connection.row(
            "SELECT person FROM membership_role WHERE team = ?1 AND role = 'ACCOUNT_HOLDER'",
            [.integer(team)]
        ) { PersonID(number: $0.integer(0)) }
        return try holder.flatMap { try member($0, of: team) }
    }

    /// The teams of a person, by name.
    package func teams(of person: PersonID) throws -> [Team] {
        try connection.rows(
            """
            SELECT t.id, t.name, t.has_paid_agreement
            FROM membership m JOIN team t ON t.id = m.team WHERE m.person = ?1 ORDER BY t.name
            """, [.integer(person.number)], Self.readTeam)
    }

    /// Adds a member, or replaces the roles of one. The schema refuses to take the Account
    /// Holder's role from anybody.
    package func set(
        _ roles: Set<ConnectRole>, of person: PersonID, in team: Int64, at date: Date
    ) throws {
        let key: [SQLValue] = [.integer(team), .integer(person.number)]
        try connection.run(
            """
            INSERT INTO membership (team, person, since) VALUES (?1, ?2, ?3)
            ON CONFLICT (team, person) DO NOTHING
            """, key + [.date(date)])
        let known = try self.roles(of: person, in: team)
        for role in known.subtracting(roles) {
            try connection.run(
                "DELETE FROM membership_role WHERE team = ?1 AND person = ?2 AND role = ?3",
                key + [.text(role.rawValue)])
        }
        for role in roles.subtracting(known) {
            try connection.run(
                "INSERT INTO membership_role (team, person, role) VALUES (?1, ?2, ?3)",
                key + [.text(role.rawValue)])
        }
    }

    /// Moves the Account Holder's role.
    package func moveAccountHolder(of team: Int64, to person: PersonID) throws {
        try connection.run(
            """
            UPDATE membership_role SET person = ?2 WHERE team = ?1 AND role = 'ACCOUNT_HOLDER'
            """, [.integer(team), .integer(person.number)])
    }

    /// Takes a person out of a team, with the sessions in it.
    package func remove(_ person: PersonID, from team: Int64) throws {
        try connection.run(
            "DELETE FROM membership WHERE team = ?1 AND person = ?2",
            [.integer(team), .integer(person.number)])
    }

    private func member(_ person: Person, of team: Int64, since: Date) throws -> Member {
        Member(person: person, team: team, roles: try roles(of: person.id, in: team), since: since)
    }

    private func roles(of person: PersonID, in team: Int64) throws -> Set<ConnectRole> {
        Set(
            try connection.rows(
                "SELECT role FROM membership_role WHERE team = ?1 AND person = ?2",
                [.integer(team), .integer(person.number)]
            ) { try $0.value(0, ConnectRole.init(rawValue:)) })
    }
}
