import Foundation
import StoreCore
import StoreServer
import StoreTestSupport
import Testing

/// A store with an operator, a team and its account holder, made the way people make them.
final class PeopleFixture: Sendable {
    static let password = "correct horse battery"

    let folder: TemporaryFolder
    let store: Store
    let clock = SettableClock()
    let people: PeopleServices
    let admin: ConnectActor
    let team: Team
    let holder: Person

    init() async throws {
        folder = try TemporaryFolder()
        try PreparedDatabase.install(into: folder.file("store"))
        try await PreparedKeys.install(into: folder.file("store"), clock: clock)
        store = try Store(
            directory: folder.file("store"), clock: clock, vault: OpenSSLVault.forTests,
            log: .silent)
        people = store.services.people
        let link = try #require(try await people.firstOperator.makeLink())
        let person = try await people.firstOperator.create(
            token: link, email: "op@example.com", name: "Olga", password: Self.password)
        admin = ConnectActor(
            kind: .person(person.id, email: person.email), team: nil, roles: [.operator])
        let made = try await people.teams.create(
            name: "Example", accountHolder: "ada@example.com", by: admin)
        team = made.team
        holder = try await people.invitations.accept(
            token: try #require(made.invitation).token, name: "Ada", password: Self.password,
            address: nil)
    }

    deinit {
        store.close()
    }

    /// Somebody as a member of the team, for the rules.
    func actor(_ person: Person, _ roles: Set<ConnectRole>) -> ConnectActor {
        ConnectActor(kind: .person(person.id, email: person.email), team: team.id, roles: roles)
    }

    var owner: ConnectActor { actor(holder, [.accountHolder]) }

    /// Makes a member by invitation.
    func join(_ email: String, _ roles: Set<ConnectRole>) async throws -> Person {
        let invitation = try await people.invitations.invite(
            email: email, roles: roles, to: team.id, by: owner)
        return try await people.invitations.accept(
            token: invitation.token, name: "Member", password: Self.password, address: nil)
    }

    func signIn(
        _ email: String, _ password: String = PeopleFixture.password, address: String? = nil
    ) async throws -> StartedConnectSession {
        try await people.sessions.signIn(
            email: email, password: password, kind: .browser, client: "Test", address: address)
    }

    /// Everything that is written down about people, to see that nothing has changed.
    func picture() async throws -> [String] {
        let team = team.id
        return try await store.database.read { repositories in
            let people = repositories.people
            var lines = try people.staff().map { "staff \($0)" }
            for member in try people.members(of: team, after: nil, limit: 100) {
                lines.append("\(member.person) \(member.roles.titles)")
            }
            lines += try people.invitations(to: team, limit: 100).map { "\($0.id)" }
            lines += try people.invitations(to: nil, limit: 100).map { "\($0.id)" }
            lines += try people.teams(matching: nil, after: nil, limit: 100).map { "\($0)" }
            lines += try repositories.agreements.agreements(of: team).map { "\($0)" }
            lines += try repositories.apiKeys.keys().map { "\($0)" }
            lines.append("\(try repositories.agreements.bankAccount(of: team) as Any)")
            lines.append("\(try repositories.agreements.taxForm(of: team) as Any)")
            lines += try repositories.audit.entries(team: nil, before: nil, limit: 1000)
                .map { "\($0.number)" }
            return lines
        }
    }

    /// The actions of the audit log, the newest first.
    func actions() async throws -> [String] {
        try await people.audit.entries(of: nil, limit: 100, by: admin).map(\.entry.action)
    }
}

/// The rule that refuses what is done, and that nothing changed by it.
func rule(
    _ fixture: PeopleFixture, _ body: () async throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws -> String? {
    let before = try await fixture.picture()
    do {
        try await body()
        return nil
    } catch let refusal as ConnectRefusal {
        #expect(try await fixture.picture() == before, sourceLocation: sourceLocation)
        #expect(refusal.problem.hasSuffix("."), sourceLocation: sourceLocation)
        #expect(refusal.help.hasSuffix("."), sourceLocation: sourceLocation)
        return refusal.rule
    }
}
