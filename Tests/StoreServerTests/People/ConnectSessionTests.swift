import Foundation
import StoreCore
import StoreServer
import Testing

@Suite struct ConnectSessionTests {
    @Test func `a session stands for the person in the first team, or for the staff`()
        async throws
    {
        let fixture = try await PeopleFixture()
        let ada = try await fixture.signIn("ada@example.com")
        #expect(ada.visitor.actor == fixture.owner)
        #expect(ada.visitor.team?.name == "Example")
        #expect(!ada.visitor.isStaff)
        #expect(try await fixture.people.sessions.visitor(token: ada.token) == ada.visitor)
        let op = try await fixture.signIn("op@example.com")
        #expect(op.visitor.actor == fixture.admin)
        #expect(op.visitor.isStaff)
        for token in ["", "x", ada.token + "x", String(repeating: "x", count: 10_000)] {
            #expect(try await fixture.people.sessions.visitor(token: token) == nil)
        }
    }

    @Test func `a session ends twelve hours after the last use`() async throws {
        let fixture = try await PeopleFixture()
        let sessions = fixture.people.sessions
        let token = try await fixture.signIn("ada@example.com").token
        fixture.clock.advance(by: ConnectSession.idleDuration - 1)
        #expect(try await sessions.visitor(token: token) != nil)
        fixture.clock.advance(by: ConnectSession.idleDuration - 1)
        #expect(try await sessions.visitor(token: token) != nil)
        fixture.clock.advance(by: ConnectSession.idleDuration)
        #expect(try await sessions.visitor(token: token) == nil)
    }

    @Test func `a session ends after fourteen days, however much it is used`() async throws {
        let fixture = try await PeopleFixture()
        let token = try await fixture.signIn("ada@example.com").token
        for hour in stride(from: 6, to: 15 * 24, by: 6) {
            fixture.clock.advance(by: 6 * 3600)
            let visitor = try await fixture.people.sessions.visitor(token: token)
            #expect((visitor != nil) == (hour < 14 * 24), "\(hour)")
        }
    }

    @Test func `signing in again or out ends the session`() async throws {
        let fixture = try await PeopleFixture()
        let sessions = fixture.people.sessions
        let old = try await fixture.signIn("ada@example.com").token
        let new = try await sessions.signIn(
            email: "ada@example.com", password: PeopleFixture.password, kind: .browser,
            client: "Test", address: nil, replacing: old
        ).token
        #expect(try await sessions.visitor(token: old) == nil)
        #expect(try await sessions.visitor(token: new) != nil)
        try await sessions.signOut(token: new)
        #expect(try await sessions.visitor(token: new) == nil)
        try await sessions.signOut(token: new)
    }

    @Test func `a team is chosen among one's own`() async throws {
        let fixture = try await PeopleFixture()
        let sessions = fixture.people.sessions
        let made = try await fixture.people.teams.create(
            name: "Another", accountHolder: "ada@example.com", by: fixture.admin)
        _ = try await fixture.people.invitations.accept(
            token: try #require(made.invitation).token, name: "", password: PeopleFixture.password,
            address: nil)
        let foreign = try await fixture.people.teams.create(
            name: "Foreign", accountHolder: nil, by: fixture.admin
        ).team
        let token = try await fixture.signIn("ada@example.com").token
        #expect(try await sessions.visitor(token: token)?.team?.name == "Another")
        let chosen = try await sessions.choose(team: fixture.team.id, token: token)
        #expect(chosen.team?.name == "Example")
        #expect(try await sessions.visitor(token: token) == chosen)
        for (team, wanted) in [(foreign.id, "notFound"), (nil, "staffOnly"), (999, "notFound")]
            as [(Int64?, String)]
        {
            let refused = try await rule(fixture) {
                _ = try await sessions.choose(team: team, token: token)
            }
            #expect(refused == wanted)
        }
        #expect(try await sessions.visitor(token: token) == chosen)
        let ended = try await rule(fixture) {
            _ = try await sessions.choose(team: fixture.team.id, token: "none")
        }
        #expect(ended == "sessionEnded")
    }

    @Test func `everybody sees and ends the own sessions only`() async throws {
        let fixture = try await PeopleFixture()
        let sessions = fixture.people.sessions
        let here = try await fixture.signIn("ada@example.com")
        let there = try await sessions.signIn(
            email: "ada@example.com", password: PeopleFixture.password, kind: .command,
            client: String(repeating: "a", count: 5000), address: nil)
        let op = try await fixture.signIn("op@example.com")
        let own = try await sessions.sessions(by: fixture.owner)
        #expect(Set(own.map(\.id)) == [here.session.id, there.session.id])
        #expect(own.map(\.client.count).max() == 200)
        let foreign = try await rule(fixture) {
            try await sessions.end(op.session.id, by: fixture.owner)
        }
        #expect(foreign == "notFound")
        try await sessions.end(there.session.id, by: fixture.owner)
        #expect(try await sessions.visitor(token: there.token) == nil)
        #expect(try await sessions.visitor(token: here.token) != nil)
        let key = ConnectActor(kind: .key(APIKeyID("2X9R4HXF34")!), team: 1, roles: [.admin])
        for actor in [key, .machine] {
            let refused = try await rule(fixture) { _ = try await sessions.sessions(by: actor) }
            #expect(refused == "personOnly")
        }
    }

    @Test func `a new password ends the other sessions`() async throws {
        let fixture = try await PeopleFixture()
        let here = try await fixture.signIn("ada@example.com").token
        let there = try await fixture.signIn("ada@example.com").token
        func change(_ current: String, _ new: String) async throws {
            try await fixture.people.persons.changePassword(
                from: current, to: new, token: here, address: nil, by: fixture.owner)
        }
        let wrong = try await rule(fixture) { try await change("wrong", "another password") }
        #expect(wrong == "passwordWrong")
        let short = try await rule(fixture) { try await change(PeopleFixture.password, "short") }
        #expect(short == "passwordLength")
        try await change(PeopleFixture.password, "another password")
        #expect(try await fixture.people.sessions.visitor(token: here) != nil)
        #expect(try await fixture.people.sessions.visitor(token: there) == nil)
        _ = try await fixture.signIn("ada@example.com", "another password")
        await #expect(throws: ConnectRefusal.self) { try await fixture.signIn("ada@example.com") }
    }

    @Test func `a name is changed, and the change written down`() async throws {
        let fixture = try await PeopleFixture()
        #expect(
            try await fixture.people.persons.rename(to: " Ada L. ", by: fixture.owner).name
                == "Ada L.")
        #expect(try await fixture.actions().first == "person.rename")
        let refused = try await rule(fixture) {
            _ = try await fixture.people.persons.rename(to: "", by: fixture.owner)
        }
        #expect(refused == "nameInvalid")
    }

    @Test(arguments: ["another password", "disabled"])
    func `who was changed since the password was checked gets no session`(
        change: String
    ) async throws {
        let fixture = try await PeopleFixture()
        let sessions = fixture.people.sessions
        let ada = try await sessions.authenticate(
            email: fixture.holder.email, password: PeopleFixture.password, address: nil)
        try await fixture.store.database.write { repositories in
            var changed = ada
            if change == "disabled" {
                changed.disabled = fixture.clock.now()
            } else {
                changed.passwordHash = "another"
            }
            try repositories.people.update(changed)
        }
        let refused = try await rule(fixture) {
            _ = try await sessions.start(ada, kind: .browser, client: "Test")
        }
        #expect(refused == "signInWrong")
    }
}
