import Foundation
import StoreCore
import StoreSecurity
import StoreServer
import Testing

@Suite struct TeamKeyTests {
    @Test func `a key's private half is given once, and belongs to the public one`()
        async throws
    {
        let stage = try await PeopleStage()
        let keys = stage.people.keys
        let made = try await keys.create(
            name: " Build ", role: .appManager, team: stage.team.id, by: stage.owner)
        #expect(made.key.id.fileName == "AuthKey_\(made.key.id).p8")
        #expect(made.key.name == "Build")
        #expect(try SigningKey(pem: made.privateKey).publicPEM() == made.key.publicKey)
        let listed = try await keys.keys(of: stage.team.id, by: stage.owner)
        #expect(listed.keys == [made.key])
        #expect(listed.issuer == made.key.issuer)
        #expect(made.key.actor.team == stage.team.id)
        let second = try await keys.create(
            name: "Other", role: .developer, team: stage.team.id, by: stage.owner)
        #expect(second.key.issuer == made.key.issuer)
        #expect(second.key.id != made.key.id)
    }

    @Test func `keys that can't be are refused`() async throws {
        let stage = try await PeopleStage()
        let keys = stage.people.keys
        let team = stage.team.id
        let cases: [(String, ConnectRole, Int64?, ConnectActor, String)] = [
            ("", .admin, team, stage.owner, "nameInvalid"),
            ("x", .accountHolder, team, stage.owner, "keyOfAccountHolder"),
            ("x", .operator, team, stage.owner, "roleOfStaff"),
            ("x", .reviewer, nil, stage.owner, "role"),
            ("x", .admin, 999, stage.admin, "notFound"),
        ]
        for (name, role, team, actor, wanted) in cases {
            let refused = try await rule(stage) {
                _ = try await keys.create(name: name, role: role, team: team, by: actor)
            }
            #expect(refused == wanted)
        }
    }

    @Test func `a key with a role of teams, made by the staff, is the only team's`() async throws {
        let stage = try await PeopleStage()
        let made = try await stage.people.keys.create(
            name: "x", role: .admin, team: nil, by: stage.admin)
        #expect(made.key.team == stage.team.id)
        let own = try await stage.people.keys.create(
            name: "x", role: .operator, team: nil, by: stage.admin)
        #expect(own.key.team == nil)
    }

    @Test func `revoked keys use up nothing, and hide none that is in force`() async throws {
        let stage = try await PeopleStage()
        let keys = stage.people.keys
        let team = stage.team.id
        func create() async throws -> APIKey {
            try await keys.create(name: "Key", role: .admin, team: team, by: stage.owner).key
        }
        let oldest = try await create()
        let now = stage.clock.now()
        // More than a list shows, each made and revoked later than the oldest.
        try await stage.store.database.write { repositories in
            for number in 0..<201 {
                let id = APIKeyID("R" + String(format: "%09d", number))!
                let draft = APIKeyDraft(
                    id: id, team: team, role: .admin, name: "Gone", publicKey: oldest.publicKey)
                _ = try repositories.apiKeys.insert(
                    draft, newIssuer: oldest.issuer, at: now.addingTimeInterval(1))
                try repositories.apiKeys.revoke(id, at: now.addingTimeInterval(2))
            }
        }
        let listed = try await keys.keys(of: team, by: stage.owner).keys
        #expect(listed.first == oldest && listed.count == 200)
        for _ in 1..<TeamKeyService.limit { _ = try await create() }
        #expect(try await rule(stage) { _ = try await create() } == "keysUsed")
        _ = try await keys.revoke(oldest.id, by: stage.owner)
        _ = try await create()
    }

    @Test func `a revoked key stays, and another team's is not found`() async throws {
        let stage = try await PeopleStage()
        let keys = stage.people.keys
        let key = try await keys.create(
            name: "Build", role: .admin, team: stage.team.id, by: stage.owner
        ).key
        let stranger = ConnectActor(kind: .machine, team: 999, roles: [.admin])
        let unseen = try await rule(stage) { _ = try await keys.revoke(key.id, by: stranger) }
        #expect(unseen == "notFound")
        let own = try await keys.create(
            name: "Store", role: .reviewer, team: nil, by: stage.admin
        ).key
        #expect(own.actor.roles == [.reviewer])
        let foreign = try await rule(stage) { _ = try await keys.revoke(own.id, by: stage.owner) }
        #expect(foreign == "notFound")
        let revoked = try await keys.revoke(key.id, by: stage.owner)
        #expect(revoked.revoked != nil)
        stage.clock.advance(by: 60)
        #expect(try await keys.revoke(key.id, by: stage.owner) == revoked)
    }

    @Test func `a team has fifty keys at most`() async throws {
        let stage = try await PeopleStage()
        let keys = stage.people.keys
        func create() async throws -> APIKey {
            try await keys.create(
                name: "x", role: .developer, team: stage.team.id, by: stage.owner
            ).key
        }
        var last = try await create()
        for _ in 2...TeamKeyService.limit { last = try await create() }
        #expect(try await rule(stage) { _ = try await create() } == "keysUsed")
        _ = try await keys.revoke(last.id, by: stage.owner)
        _ = try await create()
    }

    @Test func `the use of a key is written down once in an hour`() async throws {
        let stage = try await PeopleStage()
        let service = stage.store.services.apiKeys
        let key = try await stage.people.keys.create(
            name: "x", role: .developer, team: stage.team.id, by: stage.owner
        ).key
        #expect(key.lastUse == nil)
        let first = stage.clock.now()
        try await service.recordUse(of: key)
        stage.clock.advance(by: 3599)
        let known = try #require(try await service.key(key.id))
        try await service.recordUse(of: known)
        #expect(try await service.key(key.id)?.lastUse == first)
        stage.clock.advance(by: 1)
        try await service.recordUse(of: known)
        #expect(try await service.key(key.id)?.lastUse == stage.clock.now())
    }
}
