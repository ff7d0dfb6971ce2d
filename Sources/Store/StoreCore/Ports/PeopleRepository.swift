import Foundation

/// People, their places in teams, and the ways in.
package protocol PeopleRepository {
    func person(_ id: PersonID) throws -> Person?
    /// - Parameter email: in lower case.
    func person(email: String) throws -> Person?
    func insert(_ person: PersonDraft, at date: Date) throws -> Person
    /// Writes name, password, staff role and whether the person is disabled. The schema
    /// refuses to lose the last operator.
    func update(_ person: Person) throws
    /// Whether somebody operates the store.
    func hasOperator() throws -> Bool
    /// Operators who are not disabled.
    func operators() throws -> Int
    /// Who works for the store, by address.
    func staff() throws -> [Person]

    /// Teams by name, behind a name.
    ///
    /// - Parameter search: what the name contains; nil for all.
    func teams(matching search: String?, after name: String?, limit: Int) throws -> [Team]
    func teamCount(matching search: String?) throws -> Int
    func rename(team: Int64, to name: String) throws

    func member(_ person: PersonID, of team: Int64) throws -> Member?
    /// Members by address, behind an address.
    func members(of team: Int64, after email: String?, limit: Int) throws -> [Member]
    func memberCount(of team: Int64) throws -> Int
    func accountHolder(of team: Int64) throws -> Member?
    /// The teams of a person, by name.
    func teams(of person: PersonID) throws -> [Team]
    /// Adds a member, or replaces the roles of one. The schema refuses to take the Account
    /// Holder's role from anybody.
    func set(_ roles: Set<ConnectRole>, of person: PersonID, in team: Int64, at date: Date) throws
    /// Moves the Account Holder's role.
    func moveAccountHolder(of team: Int64, to person: PersonID) throws
    /// Takes a person out of a team, with the sessions in it.
    func remove(_ person: PersonID, from team: Int64) throws

    func invitation(_ id: String) throws -> Invitation?
    func invitation(tokenDigest: Data) throws -> Invitation?
    /// Those that were neither accepted nor revoked, the newest first.
    ///
    /// - Parameter team: nil for the staff's.
    func invitations(to team: Int64?, limit: Int) throws -> [Invitation]
    /// How many can be accepted at a date.
    func openInvitations(to team: Int64?, at date: Date) throws -> Int
    func openInvitation(of email: String, to team: Int64?) throws -> Invitation?
    func insert(_ invitation: Invitation, tokenDigest: Data) throws
    func accept(_ invitation: String, by person: PersonID, at date: Date) throws
    func revoke(_ invitation: String, at date: Date) throws

    /// The digest of the link that makes the first operator.
    func firstLink() throws -> Data?
    /// Replaces the link; nil takes it away.
    func setFirstLink(_ tokenDigest: Data?, at date: Date) throws
}

/// Sessions of Connect.
package protocol ConnectSessionRepository {
    func session(tokenDigest: Data) throws -> ConnectSession?
    func session(_ id: String) throws -> ConnectSession?
    /// Those of a person that have not ended, the last used first.
    func sessions(of person: PersonID, at date: Date) throws -> [ConnectSession]
    func insert(_ session: ConnectSession, tokenDigest: Data) throws
    func setTeam(_ team: Int64?, of session: String) throws
    func recordUse(of session: String, at date: Date) throws
    func delete(_ session: String) throws
    /// Ends all sessions of a person but one.
    func deleteAll(of person: PersonID, except session: String?) throws
    /// Clears away those whose time was over before a date, or that nobody has used since
    /// another.
    func deleteEnded(before date: Date, unusedSince use: Date) throws
}

/// Passwords that were wrong.
package protocol SignInRepository {
    func record(of subject: Data) throws -> SignInRecord?
    func set(_ record: SignInRecord, of subject: Data) throws
    func forget(_ subject: Data) throws
    /// Forgets those whose last failure was before a date.
    func forgetAll(before date: Date) throws
}
