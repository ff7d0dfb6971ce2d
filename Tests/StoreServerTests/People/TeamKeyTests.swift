import Foundation
import StoreCore
import StoreSecurity
import StoreServer
import Testing

@Suite struct TeamKeyTests {
    @Test func `a key's private half is given once, and belongs to the public one`()
        async throws
    {
        let fixture = try await PeopleFixture()
        let keys = fixture.people.keys
        let made = try await keys.create(
            name: " Build ", role: .appManager, team: fixture.team.id, by: fixture.owner)
        #expect(made.key.id.fileName == "AuthKey_\(made.key.id).p8")
        #expect(made.key.name == "Build")
        #expect(try SigningKey(pem: made.privateKey).publicPEM() == made.key.publicKey)
        let listed = try await keys.keys(of: fixture.team.id, by: fixture.owner)
        #expect(listed.keys == [made.key])
        #expect(listed.issuer == made.key.issuer)
        #expect(made.key.actor.team == fixture.team.id)
        let second = try await keys.create(
            name: "Other", role: .developer, team: fixture.team.id, by: fixture.owner)
        #expect(second.key.issuer == made.key.issuer)
        #expect(second.key.id != made.key.id)
    }

    /// The thief of a key could accept an invitation after the key was revoked.
    @Test(arguments: [true, false])
    func `a revoked key has no open invitations`(isOfTeam: Bool) async throws {
        let fixture = try await PeopleFixture()
        let invitations = fixture.people.invitations
        let team = isOfTeam ? fixture.team.id : nil
        let made = try await fixture.people.keys.create(
            name: "x", role: isOfTeam ? .admin : .operator, team: team, by: fixture.admin)
        let issued = try await invitations.invite(
            email: "mallory@example.com", roles: [isOfTeam ? .admin : .operator], to: team,
            by: made.key.actor)
        #expect(try await invitations.offer(token: issued.token) != nil)
        _ = try await fixture.people.keys.revoke(made.key.id, by: fixture.admin)
        #expect(try await invitations.offer(token: issued.token) == nil)
        let refused = try await rule(fixture) {
            _ = try await invitations.accept(
                token: issued.token, name: "Mallory", password: PeopleFixture.password,
                address: nil)
        }
        #expect(refused == "invitationUnknown")
    }

    @Test func `keys that can't be are refused`() async throws {
        let fixture = try await PeopleFixture()
        let keys = fixture.people.keys
        let team = fixture.team.id
        let cases: [(String, ConnectRole, Int64?, ConnectActor, String)] = [
            ("", .admin, team, fixture.owner, "nameInvalid"),
            ("x", .accountHolder, team, fixture.owner, "keyOfAccountHolder"),
            ("x", .operator, team, fixture.owner, "roleOfStaff"),
            ("x", .reviewer, nil, fixture.owner, "role"),
            ("x", .admin, 999, fixture.admin, "notFound"),
        ]
        for (name, role, team, actor, wanted) in cases {
            let refused = try await rule(fixture) {
                _ = try await keys.create(name: name, role: role, team: team, by: actor)
            }
            #expect(refused == wanted)
        }
    }

    @Test func `a key with a role of teams, made by the staff, is the only team's`() async throws {
        let fixture = try await PeopleFixture()
        let made = try await fixture.people.keys.create(
            name: "x", role: .admin, team: nil, by: fixture.admin)
        #expect(made.key.team == fixture.team.id)
        let own = try await fixture.people.keys.create(
            name: "x", role: .operator, team: nil, by: fixture.admin)
        #expect(own.key.team == nil)
    }

    @Test func `revoked keys use up nothing, and hide none that is in force`() async throws {
        let fixture = try await PeopleFixture()
        let keys = fixture.people.keys
        let team = fixture.team.id
        func create() async throws -> APIKey {
            try await keys.create(name: "Key", role: .admin, team: team, by: fixture.owner).key
        }
        let oldest = try await create()
        let now = fixture.clock.now()
        // More than a list shows, each made and revoked later than the oldest.
        try await fixture.store.database.write { repositories in
            for number in 0..<201 {
                let id = APIKeyID("R" + String(format: "%09d", number))!
                let draft = APIKeyDraft(
                    id: id, team: team, role: .admin, name: "Gone", publicKey: oldest.publicKey)
                _ = try repositories.apiKeys.insert(
                    draft, newIssuer: oldest.issuer, at: now.addingTimeInterval(1))
                try repositories.apiKeys.revoke(id, at: now.addingTimeInterval(2))
            }
        }
        let listed = try await keys.keys(of: team, by: fixture.owner).keys
        #expect(listed.first == oldest && listed.count == 200)
        for _ in 1..<TeamKeyService.limit { _ = try await create() }
        #expect(try await rule(fixture) { _ = try await create() } == "keysUsed")
        _ = try await keys.revoke(oldest.id, by: fixture.owner)
        _ = try await create()
    }

    @Test func `a revoked key stays, and another team's is not found`() async throws {
        let fixture = try await PeopleFixture()
        let keys = fixture.people.keys
        let key = try await keys.create(
            name: "Build", role: .admin, team: fixture.team.id, by: fixture.owner
        ).key
        let stranger = ConnectActor(kind: .machine, team: 999, roles: [.admin])
        let unseen = try await rule(fixture) { _ = try await keys.revoke(key.id, by: stranger) }
        #expect(unseen == "notFound")
        let own = try await keys.create(
            name: "Store", role: .reviewer, team: nil, by: fixture.admin
        ).key
        #expect(own.actor.roles == [.reviewer])
        let foreign = try await rule(fixture) {
            _ = try await keys.revoke(own.id, by: fixture.owner)
        }
        #expect(foreign == "notFound")
        let revoked = try await keys.revoke(key.id, by: fixture.owner)
        #expect(revoked.revoked != nil)
        fixture.clock.advance(by: 60)
        #expect(try await keys.revoke(key.id, by: fixture.owner) == revoked)
    }

    @Test func `a team has fifty keys at most`() async throws {
        let fixture = try await PeopleFixture()
        let keys = fixture.people.keys
        func create() async throws -> APIKey {
            try await keys.create(
                name: "x", role: .developer, team: fixture.team.id, by: fixture.owner
            ).key
        }
        var last = try await create()
        for _ in 2...TeamKeyService.limit { last = try await create() }
        #expect(try await rule(fixture) { _ = try await create() } == "keysUsed")
        _ = try await keys.revoke(last.id, by: fixture.owner)
        _ = try await create()
    }

    @Test func `the use of a key is written down once in an hour`() async throws {
        let fixture = try await PeopleFixture()
        let service = fixture.store.services.apiKeys
        let key = try await fixture.people.keys.create(
            name: "x", role: .developer, team: fixture.team.id, by: fixture.owner
        ).key
        #expect(key.lastUse == nil)
        let first = fixture.clock.now()
        try await service.recordUse(of: key)
        fixture.clock.advance(by: 3599)
        let known = try #require(try await service.key(key.id))
        try await service.recordUse(of: known)
        #expect(try await service.key(key.id)?.lastUse == first)
        fixture.clock.advance(by: 1)
        try await service.recordUse(of: known)
        #expect(try await service.key(key.id)?.lastUse == fixture.clock.now())
    }
}
