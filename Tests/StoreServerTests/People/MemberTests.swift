import Foundation
import StoreCore
import StoreServer
import Testing

@Suite struct MemberTests {
    @Test func `roles are replaced, by admins too`() async throws {
        let fixture = try await PeopleFixture()
        let grace = try await fixture.join("grace@example.com", [.developer])
        let admin = fixture.actor(grace, [.admin])
        let member = try await fixture.people.members.setRoles(
            [.finance, .sales], of: grace.id, in: fixture.team.id, by: admin)
        #expect(member.roles == [.finance, .sales])
        #expect(try await fixture.actions().first == "user.update")
    }

    @Test func `who is removed loses the sessions in that team`() async throws {
        let fixture = try await PeopleFixture()
        let grace = try await fixture.join("grace@example.com", [.developer])
        let session = try await fixture.signIn("grace@example.com")
        #expect(try await fixture.people.sessions.visitor(token: session.token) != nil)
        try await fixture.people.members.remove(grace.id, from: fixture.team.id, by: fixture.owner)
        #expect(try await fixture.people.sessions.visitor(token: session.token) == nil)
        let left = try await fixture.signIn("grace@example.com")
        #expect(left.visitor.actor == nil)
        #expect(left.visitor.teams.isEmpty)
    }

    @Test(arguments: ["removed", "made a developer", "disabled"])
    func `who may invite no longer has no open invitations`(change: String) async throws {
        let fixture = try await PeopleFixture()
        let (members, invitations) = (fixture.people.members, fixture.people.invitations)
        let grace = try await fixture.join("grace@example.com", [.admin])
        let back = try await invitations.invite(
            email: "back@example.com", roles: [.admin], to: fixture.team.id,
            by: fixture.actor(grace, [.admin]))
        let other = try await invitations.invite(
            email: "other@example.com", roles: [.developer], to: fixture.team.id,
            by: fixture.owner)
        switch change {
        case "removed":
            try await members.remove(grace.id, from: fixture.team.id, by: fixture.owner)
        case "disabled":
            _ = try await fixture.people.staff.update(
                grace.id, role: nil, isDisabled: true, by: fixture.admin)
        default:
            _ = try await members.setRoles(
                [.developer], of: grace.id, in: fixture.team.id, by: fixture.owner)
        }
        #expect(try await invitations.offer(token: back.token) == nil)
        #expect(try await invitations.offer(token: other.token) != nil)
        let open = try await invitations.invitations(to: fixture.team.id, by: fixture.owner)
        #expect(open.map(\.email) == ["other@example.com"])
        #expect(try await fixture.actions().contains("invitation.revoke"))
    }

    @Test func `who operates no longer has no open invitations`() async throws {
        let fixture = try await PeopleFixture()
        let invitations = fixture.people.invitations
        func accept(_ issued: IssuedInvitation) async throws -> Person {
            try await invitations.accept(
                token: issued.token, name: "Otto", password: PeopleFixture.password, address: nil)
        }
        let otto = try await accept(
            try await invitations.invite(
                email: "otto@example.com", roles: [.operator], to: nil, by: fixture.admin))
        let back = try await invitations.invite(
            email: "back@example.com", roles: [.operator], to: nil,
            by: ConnectActor(
                kind: .person(otto.id, email: otto.email), team: nil, roles: [.operator]))
        _ = try await fixture.people.staff.update(
            otto.id, role: .reviewer, isDisabled: nil, by: fixture.admin)
        #expect(try await invitations.offer(token: back.token) == nil)
    }

    @Test func `the account holder is not removed, and hands the role over`() async throws {
        let fixture = try await PeopleFixture()
        let grace = try await fixture.join("grace@example.com", [.admin])
        let admin = fixture.actor(grace, [.admin])
        let members = fixture.people.members
        let team = fixture.team.id
        let removed = try await rule(fixture) {
            try await members.remove(fixture.holder.id, from: team, by: admin)
        }
        #expect(removed == "accountHolderStays")
        let changed = try await rule(fixture) {
            _ = try await members.setRoles([.finance], of: fixture.holder.id, in: team, by: admin)
        }
        #expect(changed == "accountHolderStays")
        let taken = try await rule(fixture) {
            _ = try await members.handOver(team, to: grace.id, by: admin)
        }
        #expect(taken == "accountHolderHandsOver")
        _ = try await members.handOver(team, to: grace.id, by: fixture.owner)
        let after = try await members.members(of: team, limit: 10, by: fixture.admin).members
        #expect(after.map(\.person.email) == ["ada@example.com", "grace@example.com"])
        #expect(after.map(\.roles) == [[.admin], [.accountHolder, .admin]])
        try await members.remove(fixture.holder.id, from: team, by: fixture.admin)
    }

    @Test func `members are paged by address`() async throws {
        let fixture = try await PeopleFixture()
        for name in ["b", "c", "d"] {
            _ = try await fixture.join("\(name)@example.com", [.developer])
        }
        let members = fixture.people.members
        let first = try await members.members(of: fixture.team.id, limit: 2, by: fixture.owner)
        #expect(first.total == 4)
        #expect(first.members.map(\.person.email) == ["ada@example.com", "b@example.com"])
        let rest = try await members.members(
            of: fixture.team.id, after: "b@example.com", limit: 9, by: fixture.owner)
        #expect(rest.members.map(\.person.email) == ["c@example.com", "d@example.com"])
    }

    @Test func `the last operator stays`() async throws {
        let fixture = try await PeopleFixture()
        let staff = fixture.people.staff
        guard case .person(let id, _) = fixture.admin.kind else { return }
        for role in [nil, ConnectRole.reviewer] {
            let refused = try await rule(fixture) {
                _ = try await staff.update(
                    id, role: .some(role), isDisabled: nil, by: fixture.admin)
            }
            #expect(refused == "lastOperator")
        }
        let disabled = try await rule(fixture) {
            _ = try await staff.update(id, role: nil, isDisabled: true, by: fixture.admin)
        }
        #expect(disabled == "lastOperator")
        _ = try await staff.update(
            fixture.holder.id, role: .some(.operator), isDisabled: nil, by: fixture.admin)
        let session = try await fixture.signIn("op@example.com")
        _ = try await staff.update(id, role: nil, isDisabled: true, by: fixture.admin)
        #expect(try await fixture.people.sessions.visitor(token: session.token) == nil)
        await #expect(throws: ConnectRefusal.self) { try await fixture.signIn("op@example.com") }
    }

    /// Every step of this slice that a role may be too small for.
    private static func steps(
        _ fixture: PeopleFixture
    ) -> [(ConnectPermission, @Sendable (ConnectActor) async throws -> Void)] {
        let people = fixture.people
        let (team, holder) = (fixture.team.id, fixture.holder.id)
        let bank = BankAccount(
            holder: "A", bank: "B", territory: "USA", number: "12345678", bic: nil,
            currency: "USD")
        let form = TaxForm(legalName: "A", territory: "USA", taxID: "12345678", address: "X")
        return [
            (.useConnect, { _ = try await people.teams.teams(limit: 10, by: $0) }),
            (.viewUsers, { _ = try await people.members.members(of: team, limit: 9, by: $0) }),
            (.viewUsers, { _ = try await people.members.member(holder, of: team, by: $0) }),
            (.viewUsers, { _ = try await people.invitations.invitations(to: team, by: $0) }),
            (
                .manageUsers,
                {
                    _ = try await people.members.setRoles(
                        [.admin], of: holder, in: team, by: $0)
                }
            ),
            (.manageUsers, { try await people.members.remove(holder, from: team, by: $0) }),
            (.manageUsers, { _ = try await people.members.handOver(team, to: holder, by: $0) }),
            (
                .manageUsers,
                {
                    _ = try await people.invitations.invite(
                        email: "ada@example.com", roles: [.admin], to: team, by: $0)
                }
            ),
            (.manageUsers, { try await people.invitations.revoke("none", by: $0) }),
            (.viewAgreements, { _ = try await people.agreements.picture(of: team, by: $0) }),
            (
                .signAgreements,
                { _ = try await people.agreements.accept(.freeApps, of: team, by: $0) }
            ),
            (
                .manageBanking,
                { _ = try await people.agreements.setBankAccount(bank, of: team, by: $0) }
            ),
            (
                .manageBanking,
                { _ = try await people.agreements.setTaxForm(form, of: team, by: $0) }
            ),
            (
                .operate,
                { _ = try await people.agreements.terminate(.freeApps, of: team, by: $0) }
            ),
            (.operate, { _ = try await people.agreements.offer(.freeApps, of: team, by: $0) }),
            (.manageKeys, { _ = try await people.keys.keys(of: team, by: $0) }),
            (
                .manageKeys,
                {
                    _ = try await people.keys.create(
                        name: "x", role: .developer, team: team, by: $0)
                }
            ),
            (
                .manageKeys,
                { _ = try await people.keys.revoke(APIKeyID("2X9R4HXF34")!, by: $0) }
            ),
            (.viewAudit, { _ = try await people.audit.entries(of: team, limit: 9, by: $0) }),
            (.operate, { _ = try await people.staff.staff(by: $0) }),
            (
                .operate,
                {
                    _ = try await people.staff.update(
                        holder, role: .some(nil), isDisabled: nil, by: $0)
                }
            ),
            (
                .operate,
                { _ = try await people.staff.update(holder, role: nil, isDisabled: false, by: $0) }
            ),
            (
                .operate,
                {
                    _ = try await people.teams.create(
                        name: "Example", accountHolder: nil, by: $0)
                }
            ),
            (.operate, { _ = try await people.teams.rename(team, to: "Example", by: $0) }),
        ]
    }

    @Test(arguments: ConnectRole.allCases)
    func `each step asks for its permission, and for the team`(role: ConnectRole) async throws {
        let fixture = try await PeopleFixture()
        let actor = ConnectActor(
            kind: .person(fixture.holder.id, email: "ada@example.com"),
            team: role.isStaff ? nil : fixture.team.id, roles: [role])
        for (number, (permission, step)) in Self.steps(fixture).enumerated() {
            var refused: String?
            let before = try await fixture.picture()
            do {
                try await step(actor)
            } catch let refusal as ConnectRefusal {
                refused = refusal.rule
                #expect(try await fixture.picture() == before, "\(number)")
            }
            #expect((refused == "role") == !actor.allows(permission), "\(number) \(permission)")
        }
        guard !role.isStaff else { return }
        let stranger = ConnectActor(
            kind: .person(fixture.holder.id, email: "x@example.com"), team: 999, roles: [role])
        let before = try await fixture.picture()
        for (number, (permission, step)) in Self.steps(fixture).enumerated()
        where permission != .useConnect && stranger.allows(permission) {
            do {
                try await step(stranger)
                Issue.record("\(number) \(permission) let a stranger in")
            } catch let refusal as ConnectRefusal {
                #expect(refusal.rule == "notFound", "\(number) \(permission)")
            }
        }
        #expect(try await fixture.picture() == before)
    }
}
