import Foundation
import StoreDatabase

/// People, their places in teams, and the ways in.
package struct PeopleRepository {
    let connection: any SQLConnection

    // MARK: People

    package func person(_ id: PersonID) throws -> Person? { try connection.find(Person.self, id) }

    /// The person as it is now.
    ///
    /// - Parameter known: as it was when the password was checked, before the transaction began.
    /// - Returns: nil if the person was disabled, or the password changed, meanwhile.
    package func person(stillAuthenticated known: Person) throws -> Person? {
        try person(known.id).flatMap { person in
            person.disabled == nil && person.passwordHash == known.passwordHash ? person : nil
        }
    }

    /// - Parameter email: in lower case.
    package func person(email: String) throws -> Person? {
        try connection.first(Person.self, "WHERE email = \(email)")
    }

    package func insert(_ person: PersonDraft, at date: Date) throws -> Person {
        try connection.inserted(
            Person(
                id: PersonID(number: 0), email: person.email, name: person.name,
                passwordHash: person.passwordHash, staffRole: person.staffRole, created: date))
    }

    /// Writes name, password, staff role and whether the person is disabled. The schema
    /// refuses to lose the last operator.
    package func update(_ person: Person) throws { try connection.update(person) }

    /// Whether somebody operates the store.
    package func hasOperator() throws -> Bool {
        try connection.exists("FROM person WHERE staff_role = \(ConnectRole.operator)")
    }

    /// Operators who are not disabled.
    package func operators() throws -> Int {
        try connection.value(
            Int.self,
            "SELECT count(*) FROM person WHERE staff_role = 'OPERATOR' AND disabled IS NULL") ?? 0
    }

    /// Who works for the store, by address.
    package func staff() throws -> [Person] {
        try connection.all(Person.self, "WHERE staff_role IS NOT NULL ORDER BY email")
    }

    // MARK: Teams

    /// Teams by name, behind a name.
    ///
    /// - Parameter search: what the name contains; nil for all.
    package func teams(matching search: String?, after name: String?, limit: Int) throws -> [Team] {
        try connection.all(
            Team.self,
            "WHERE name > \(name ?? "") \(Self.matching(search)) ORDER BY name LIMIT \(limit)")
    }

    package func teamCount(matching search: String?) throws -> Int {
        try connection.value(
            Int.self, "SELECT count(*) FROM team WHERE 1 = 1 \(Self.matching(search))") ?? 0
    }

    private static func matching(_ search: String?) -> SQL? {
        search.map { "AND name LIKE \(LikePattern.containing($0)) ESCAPE '\\'" }
    }

    // MARK: Members

    /// A person's place in a team.
    private struct Membership: RecordPart {
        let person: Person
        let since: Date

        init(_ column: borrowing RecordColumns<Self>) throws {
            person = try column.part(\.person)
            since = try column("since", \.since)
        }
    }

    private func members(of team: Int64, _ rest: SQL) throws -> [Member] {
        let found = try connection.records(
            Membership.self,
            """
            SELECT \(Person.columns, of: "p"), m.since
            FROM membership m JOIN person p ON p.id = m.person WHERE m.team = \(team) \(rest)
            """)
        return try found.map {
            Member(
                person: $0.person, team: team, roles: try roles(of: $0.person.id, in: team),
                since: $0.since)
        }
    }

    package func member(_ person: PersonID, of team: Int64) throws -> Member? {
        try members(of: team, "AND m.person = \(person)").first
    }

    /// Members by address, behind an address.
    package func members(of team: Int64, after email: String?, limit: Int) throws -> [Member] {
        try members(of: team, "AND p.email > \(email ?? "") ORDER BY p.email LIMIT \(limit)")
    }

    package func memberCount(of team: Int64) throws -> Int {
        try connection.value(
            Int.self, "SELECT count(*) FROM membership WHERE team = \(team)") ?? 0
    }

    package func accountHolder(of team: Int64) throws -> Member? {
        let holder = try connection.value(
            PersonID.self,
            """
            SELECT person FROM membership_role WHERE team = \(team) AND role = 'ACCOUNT_HOLDER'
            """)
        return try holder.flatMap { try member($0, of: team) }
    }

    /// The teams of a person, by name.
    package func teams(of person: PersonID) throws -> [Team] {
        try connection.records(
            Team.self,
            """
            SELECT \(Team.columns, of: "t") FROM membership m JOIN team t ON t.id = m.team
            WHERE m.person = \(person) ORDER BY t.name
            """)
    }

    /// Adds a member, or replaces the roles of one. The schema refuses to take the Account
    /// Holder's role from anybody.
    package func set(
        _ roles: Set<ConnectRole>, of person: PersonID, in team: Int64, at date: Date
    ) throws {
        try connection.run(
            """
            INSERT INTO membership (team, person, since) VALUES (\(team), \(person), \(date))
            ON CONFLICT (team, person) DO NOTHING
            """)
        let known = try self.roles(of: person, in: team)
        for role in known.subtracting(roles) {
            try connection.run(
                """
                DELETE FROM membership_role
                WHERE team = \(team) AND person = \(person) AND role = \(role)
                """)
        }
        for role in roles.subtracting(known) {
            try connection.run(
                """
                INSERT INTO membership_role (team, person, role)
                VALUES (\(team), \(person), \(role))
                """)
        }
    }

    /// Moves the Account Holder's role.
    package func moveAccountHolder(of team: Int64, to person: PersonID) throws {
        try connection.run(
            """
            UPDATE membership_role SET person = \(person)
            WHERE team = \(team) AND role = 'ACCOUNT_HOLDER'
            """)
    }

    /// Takes a person out of a team, with the sessions in it.
    package func remove(_ person: PersonID, from team: Int64) throws {
        try connection.run("DELETE FROM membership WHERE team = \(team) AND person = \(person)")
    }

    private func roles(of person: PersonID, in team: Int64) throws -> Set<ConnectRole> {
        Set(
            try connection.values(
                ConnectRole.self,
                "SELECT role FROM membership_role WHERE team = \(team) AND person = \(person)"))
    }
}

extension StoreRepositories {
    package var people: PeopleRepository { PeopleRepository(connection: connection) }
}
