import Foundation
import StoreCore
import StoreServer
import Testing

@Suite struct InvitationTests {
    @Test func `an invitation makes a person with its roles, once`() async throws {
        let fixture = try await PeopleFixture()
        let invitations = fixture.people.invitations
        let issued = try await invitations.invite(
            email: "Grace@Example.com", roles: [.developer, .marketing], to: fixture.team.id,
            by: fixture.owner)
        #expect(issued.path == "/connect/invitations/\(issued.token)")
        let offer = try #require(try await invitations.offer(token: issued.token))
        #expect(offer.teamName == "Example")
        #expect(!offer.isKnown)
        let grace = try await invitations.accept(
            token: issued.token, name: "Grace", password: PeopleFixture.password, address: nil)
        let member = try await fixture.people.members.member(
            grace.id, of: fixture.team.id, by: fixture.owner)
        #expect(member.roles == [.developer, .marketing])
        #expect(try await invitations.offer(token: issued.token) == nil)
        let again = try await rule(fixture) {
            _ = try await invitations.accept(
                token: issued.token, name: "Grace", password: PeopleFixture.password,
                address: nil)
        }
        #expect(again == "invitationUnknown")
        #expect(
            try await fixture.actions().prefix(2) == ["invitation.accept", "invitation.create"])
    }

    @Test func `somebody who exists joins with the own password, and keeps it`() async throws {
        let fixture = try await PeopleFixture()
        let made = try await fixture.people.teams.create(
            name: "Second", accountHolder: "ada@example.com", by: fixture.admin)
        let token = try #require(made.invitation).token
        #expect(try await fixture.people.invitations.offer(token: token)?.isKnown == true)
        let wrong = try await rule(fixture) {
            _ = try await fixture.people.invitations.accept(
                token: token, name: "Mallory", password: "not the password", address: nil)
        }
        #expect(wrong == "signInWrong")
        let person = try await fixture.people.invitations.accept(
            token: token, name: "Mallory", password: PeopleFixture.password, address: nil)
        #expect(person.id == fixture.holder.id)
        #expect(person.name == "Ada")
        let session = try await fixture.signIn("ada@example.com")
        #expect(session.visitor.teams.map(\.name) == ["Example", "Second"])
    }

    @Test func `an old, revoked or replaced link does not work`() async throws {
        let fixture = try await PeopleFixture()
        let invitations = fixture.people.invitations
        func invite() async throws -> IssuedInvitation {
            try await invitations.invite(
                email: "grace@example.com", roles: [.developer], to: fixture.team.id,
                by: fixture.owner)
        }
        let replaced = try await invite()
        let revoked = try await invite()
        #expect(try await invitations.offer(token: replaced.token) == nil)
        try await invitations.revoke(revoked.invitation.id, by: fixture.owner)
        #expect(try await invitations.offer(token: revoked.token) == nil)
        let old = try await invite()
        fixture.clock.advance(by: Invitation.duration - 1)
        #expect(try await invitations.offer(token: old.token) != nil)
        fixture.clock.advance(by: 1)
        #expect(try await invitations.offer(token: old.token) == nil)
        for token in [replaced.token, revoked.token, old.token, "", "x"] {
            let refused = try await rule(fixture) {
                _ = try await invitations.accept(
                    token: token, name: "Grace", password: PeopleFixture.password, address: nil)
            }
            #expect(refused == "invitationUnknown")
        }
    }

    @Test func `invitations that are too old do not count`() async throws {
        let fixture = try await PeopleFixture()
        func invite(_ number: Int) async throws {
            _ = try await fixture.people.invitations.invite(
                email: "guest\(number)@example.com", roles: [.developer], to: fixture.team.id,
                by: fixture.owner)
        }
        for number in 0..<InvitationService.limit { try await invite(number) }
        #expect(try await rule(fixture) { try await invite(999) } == "invitationsOpen")
        try await invite(7)
        fixture.clock.advance(by: Invitation.duration)
        try await invite(999)
    }

    @Test func `an old invitation among the staff gives nobody another role`() async throws {
        let fixture = try await PeopleFixture()
        func invite(_ email: String) async throws -> IssuedInvitation {
            try await fixture.people.invitations.invite(
                email: email, roles: [.operator], to: nil, by: fixture.admin)
        }
        func accept(_ issued: IssuedInvitation) async throws -> String? {
            try await rule(fixture) {
                _ = try await fixture.people.invitations.accept(
                    token: issued.token, name: "N", password: PeopleFixture.password,
                    address: nil)
            }
        }
        // Changed by the operator: the invitation ends.
        let grace = try await fixture.join("grace@example.com", [.developer])
        let issued = try await invite("grace@example.com")
        _ = try await fixture.people.staff.update(
            grace.id, role: .some(.reviewer), isDisabled: nil, by: fixture.admin)
        #expect(try await accept(issued) == "invitationUnknown")
        // Changed by another way: it is refused.
        let ida = try await fixture.join("ida@example.com", [.developer])
        let second = try await invite("ida@example.com")
        try await fixture.store.database.write { repositories in
            var person = try #require(try repositories.people.person(ida.id))
            person.staffRole = .reviewer
            try repositories.people.update(person)
        }
        #expect(try await accept(second) == "memberAlready")
        let staff = try await fixture.people.staff.staff(by: fixture.admin)
        #expect(staff.filter { $0.staffRole == .reviewer }.map(\.id) == [grace.id, ida.id])
    }

    @Test func `what can't be invited is refused`() async throws {
        let fixture = try await PeopleFixture()
        let invitations = fixture.people.invitations
        let team = fixture.team.id
        typealias Case = (
            email: String, roles: Set<ConnectRole>, team: Int64?, actor: ConnectActor,
            rule: String
        )
        let developer = fixture.actor(fixture.holder, [.developer])
        let stranger = ConnectActor(kind: .machine, team: 999, roles: [.admin])
        let cases: [Case] = [
            ("nobody", [.admin], team, fixture.owner, "emailMalformed"),
            ("x@example.com", [], team, fixture.owner, "rolesEmpty"),
            ("x@example.com", [.reviewer], team, fixture.owner, "roleOfStaff"),
            ("x@example.com", [.accountHolder], team, fixture.owner, "accountHolderHandedOver"),
            ("x@example.com", [.accountHolder], team, fixture.admin, "accountHolderHandedOver"),
            ("ada@example.com", [.admin], team, fixture.owner, "memberAlready"),
            ("x@example.com", [.admin], team, developer, "role"),
            ("x@example.com", [.admin], team, stranger, "notFound"),
            ("x@example.com", [.operator], nil, fixture.owner, "role"),
            ("x@example.com", [.admin], nil, fixture.admin, "roleOfTeam"),
            ("op@example.com", [.reviewer], nil, fixture.admin, "memberAlready"),
        ]
        for one in cases {
            let refused = try await rule(fixture) {
                _ = try await invitations.invite(
                    email: one.email, roles: one.roles, to: one.team, by: one.actor)
            }
            #expect(refused == one.rule)
        }
    }

    @Test func `what is revoked by others is not found, and what was accepted stays`()
        async throws
    {
        let fixture = try await PeopleFixture()
        let invitations = fixture.people.invitations
        let open = try await invitations.invite(
            email: "grace@example.com", roles: [.developer], to: fixture.team.id, by: fixture.owner)
        let staff = try await invitations.invite(
            email: "rita@example.com", roles: [.reviewer], to: nil, by: fixture.admin)
        let stranger = ConnectActor(kind: .machine, team: 999, roles: [.admin])
        let unseen = try await rule(fixture) {
            try await invitations.revoke(open.invitation.id, by: stranger)
        }
        #expect(unseen == "notFound")
        let foreign = try await rule(fixture) {
            try await invitations.revoke(staff.invitation.id, by: fixture.owner)
        }
        #expect(foreign == "notFound")
        _ = try await invitations.accept(
            token: open.token, name: "Grace", password: PeopleFixture.password, address: nil)
        let late = try await rule(fixture) {
            try await invitations.revoke(open.invitation.id, by: fixture.owner)
        }
        #expect(late == "invitationAccepted")
        let rita = try await invitations.accept(
            token: staff.token, name: "Rita", password: PeopleFixture.password, address: nil)
        #expect(
            try await fixture.people.staff.staff(by: fixture.admin).contains { $0.id == rita.id })
        let session = try await fixture.signIn("rita@example.com")
        #expect(session.visitor.actor?.roles == [.reviewer])
    }
}
