import Foundation
import StoreCore
import StoreServer
import Testing

@Suite struct InvitationTests {
    @Test func `an invitation makes a person with its roles, once`() async throws {
        let stage = try await PeopleStage()
        let invitations = stage.people.invitations
        let issued = try await invitations.invite(
            email: "Grace@Example.com", roles: [.developer, .marketing], to: stage.team.id,
            by: stage.owner)
        #expect(issued.path == "/connect/invitations/\(issued.token)")
        let offer = try #require(try await invitations.offer(token: issued.token))
        #expect(offer.teamName == "Example")
        #expect(!offer.isKnown)
        let grace = try await invitations.accept(
            token: issued.token, name: "Grace", password: PeopleStage.password, address: nil)
        let member = try await stage.people.members.member(
            grace.id, of: stage.team.id, by: stage.owner)
        #expect(member.roles == [.developer, .marketing])
        #expect(try await invitations.offer(token: issued.token) == nil)
        let again = try await rule(stage) {
            _ = try await invitations.accept(
                token: issued.token, name: "Grace", password: PeopleStage.password,
                address: nil)
        }
        #expect(again == "invitationUnknown")
        #expect(
            try await stage.actions().prefix(2) == ["invitation.accept", "invitation.create"])
    }

    @Test func `somebody who exists joins with the own password, and keeps it`() async throws {
        let stage = try await PeopleStage()
        let made = try await stage.people.teams.create(
            name: "Second", accountHolder: "ada@example.com", by: stage.admin)
        let token = try #require(made.invitation).token
        #expect(try await stage.people.invitations.offer(token: token)?.isKnown == true)
        let wrong = try await rule(stage) {
            _ = try await stage.people.invitations.accept(
                token: token, name: "Mallory", password: "not the password", address: nil)
        }
        #expect(wrong == "signInWrong")
        let person = try await stage.people.invitations.accept(
            token: token, name: "Mallory", password: PeopleStage.password, address: nil)
        #expect(person.id == stage.holder.id)
        #expect(person.name == "Ada")
        let session = try await stage.signIn("ada@example.com")
        #expect(session.visitor.teams.map(\.name) == ["Example", "Second"])
    }

    @Test func `an old, revoked or replaced link does not work`() async throws {
        let stage = try await PeopleStage()
        let invitations = stage.people.invitations
        func invite() async throws -> IssuedInvitation {
            try await invitations.invite(
                email: "grace@example.com", roles: [.developer], to: stage.team.id,
                by: stage.owner)
        }
        let replaced = try await invite()
        let revoked = try await invite()
        #expect(try await invitations.offer(token: replaced.token) == nil)
        try await invitations.revoke(revoked.invitation.id, by: stage.owner)
        #expect(try await invitations.offer(token: revoked.token) == nil)
        let old = try await invite()
        stage.clock.advance(by: Invitation.duration - 1)
        #expect(try await invitations.offer(token: old.token) != nil)
        stage.clock.advance(by: 1)
        #expect(try await invitations.offer(token: old.token) == nil)
        for token in [replaced.token, revoked.token, old.token, "", "x"] {
            let refused = try await rule(stage) {
                _ = try await invitations.accept(
                    token: token, name: "Grace", password: PeopleStage.password, address: nil)
            }
            #expect(refused == "invitationUnknown")
        }
    }

    @Test func `invitations that are too old do not count`() async throws {
        let stage = try await PeopleStage()
        func invite(_ number: Int) async throws {
            _ = try await stage.people.invitations.invite(
                email: "guest\(number)@example.com", roles: [.developer], to: stage.team.id,
                by: stage.owner)
        }
        for number in 0..<InvitationService.limit { try await invite(number) }
        #expect(try await rule(stage) { try await invite(999) } == "invitationsOpen")
        try await invite(7)
        stage.clock.advance(by: Invitation.duration)
        try await invite(999)
    }

    @Test func `an old invitation among the staff gives nobody another role`() async throws {
        let stage = try await PeopleStage()
        func invite(_ email: String) async throws -> IssuedInvitation {
            try await stage.people.invitations.invite(
                email: email, roles: [.operator], to: nil, by: stage.admin)
        }
        func accept(_ issued: IssuedInvitation) async throws -> String? {
            try await rule(stage) {
                _ = try await stage.people.invitations.accept(
                    token: issued.token, name: "N", password: PeopleStage.password,
                    address: nil)
            }
        }
        // Changed by the operator: the invitation ends.
        let grace = try await stage.join("grace@example.com", [.developer])
        let issued = try await invite("grace@example.com")
        _ = try await stage.people.staff.update(
            grace.id, role: .some(.reviewer), isDisabled: nil, by: stage.admin)
        #expect(try await accept(issued) == "invitationUnknown")
        // Changed by another way: it is refused.
        let ida = try await stage.join("ida@example.com", [.developer])
        let second = try await invite("ida@example.com")
        try await stage.store.database.write { repositories in
            var person = try #require(try repositories.people.person(ida.id))
            person.staffRole = .reviewer
            try repositories.people.update(person)
        }
        #expect(try await accept(second) == "memberAlready")
        let staff = try await stage.people.staff.staff(by: stage.admin)
        #expect(staff.filter { $0.staffRole == .reviewer }.map(\.id) == [grace.id, ida.id])
    }

    @Test func `what can't be invited is refused`() async throws {
        let stage = try await PeopleStage()
        let invitations = stage.people.invitations
        let team = stage.team.id
        typealias Case = (
            email: String, roles: Set<ConnectRole>, team: Int64?, actor: ConnectActor,
            rule: String
        )
        let developer = stage.actor(stage.holder, [.developer])
        let stranger = ConnectActor(kind: .machine, team: 999, roles: [.admin])
        let cases: [Case] = [
            ("nobody", [.admin], team, stage.owner, "emailMalformed"),
            ("x@example.com", [], team, stage.owner, "rolesEmpty"),
            ("x@example.com", [.reviewer], team, stage.owner, "roleOfStaff"),
            ("x@example.com", [.accountHolder], team, stage.owner, "accountHolderHandedOver"),
            ("x@example.com", [.accountHolder], team, stage.admin, "accountHolderHandedOver"),
            ("ada@example.com", [.admin], team, stage.owner, "memberAlready"),
            ("x@example.com", [.admin], team, developer, "role"),
            ("x@example.com", [.admin], team, stranger, "notFound"),
            ("x@example.com", [.operator], nil, stage.owner, "role"),
            ("x@example.com", [.admin], nil, stage.admin, "roleOfTeam"),
            ("op@example.com", [.reviewer], nil, stage.admin, "memberAlready"),
        ]
        for one in cases {
            let refused = try await rule(stage) {
                _ = try await invitations.invite(
                    email: one.email, roles: one.roles, to: one.team, by: one.actor)
            }
            #expect(refused == one.rule)
        }
    }

    @Test func `what is revoked by others is not found, and what was accepted stays`()
        async throws
    {
        let stage = try await PeopleStage()
        let invitations = stage.people.invitations
        let open = try await invitations.invite(
            email: "grace@example.com", roles: [.developer], to: stage.team.id, by: stage.owner)
        let staff = try await invitations.invite(
            email: "rita@example.com", roles: [.reviewer], to: nil, by: stage.admin)
        let stranger = ConnectActor(kind: .machine, team: 999, roles: [.admin])
        let unseen = try await rule(stage) {
            try await invitations.revoke(open.invitation.id, by: stranger)
        }
        #expect(unseen == "notFound")
        let foreign = try await rule(stage) {
            try await invitations.revoke(staff.invitation.id, by: stage.owner)
        }
        #expect(foreign == "notFound")
        _ = try await invitations.accept(
            token: open.token, name: "Grace", password: PeopleStage.password, address: nil)
        let late = try await rule(stage) {
            try await invitations.revoke(open.invitation.id, by: stage.owner)
        }
        #expect(late == "invitationAccepted")
        let rita = try await invitations.accept(
            token: staff.token, name: "Rita", password: PeopleStage.password, address: nil)
        #expect(try await stage.people.staff.staff(by: stage.admin).contains { $0.id == rita.id })
        let session = try await stage.signIn("rita@example.com")
        #expect(session.visitor.actor?.roles == [.reviewer])
    }
}
