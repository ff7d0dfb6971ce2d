import Foundation
import StoreDatabase
import Testing

@testable import StoreCore

/// What the schema refuses, whatever the rules before it let through.
@Suite(.usesDrivers) struct PeopleContractTests {
    private static let date = SeededShop.date

    private struct Fixture {
        let database: any ShopDatabase
        let team: Int64
        let ada: Person
        let grace: Person
    }

    private func fixture(_ driver: StoreDriver) async throws -> Fixture {
        let database = try driver.install().open()
        return try await database.write { repositories in
            let team = try repositories.catalog.save(
                TeamDraft(name: "Example", hasPaidAgreement: false))
            func person(_ name: String, _ role: ConnectRole?) throws -> Person {
                try repositories.people.insert(
                    PersonDraft(
                        email: "\(name)@example.com", name: name, passwordHash: "hash",
                        staffRole: role), at: Self.date)
            }
            let (ada, grace) = (try person("ada", .operator), try person("grace", nil))
            try repositories.people.set(
                [.accountHolder, .finance], of: ada.id, in: team.id, at: Self.date)
            try repositories.people.set([.developer], of: grace.id, in: team.id, at: Self.date)
            return Fixture(database: database, team: team.id, ada: ada, grace: grace)
        }
    }

    private func refuses(
        _ fixture: Fixture,
        _ body: @escaping @Sendable (StoreRepositories) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(sourceLocation: sourceLocation) {
            try await fixture.database.write(body)
        } throws: {
            ($0 as? SQLError)?.code == .constraint
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a team keeps exactly one account holder`(driver: StoreDriver) async throws {
        let fixture = try await fixture(driver)
        let (team, ada, grace) = (fixture.team, fixture.ada.id, fixture.grace.id)
        await refuses(fixture) {
            try $0.people.set([.accountHolder], of: grace, in: team, at: Self.date)
        }
        await refuses(fixture) { try $0.people.set([.admin], of: ada, in: team, at: Self.date) }
        await refuses(fixture) { try $0.people.remove(ada, from: team) }
        try await fixture.database.write { try $0.people.moveAccountHolder(of: team, to: grace) }
        let holder = try await fixture.database.read { try $0.people.accountHolder(of: team) }
        #expect(holder?.person.id == grace)
        #expect(holder?.roles == [.accountHolder, .developer])
        try await fixture.database.write { try $0.people.remove(ada, from: team) }
    }

    @Test(arguments: StoreDriver.all)
    func `the last operator is neither disabled nor made something else`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await fixture(driver)
        var (disabled, member) = (fixture.ada, fixture.ada)
        disabled.disabled = Self.date
        member.staffRole = nil
        for person in [disabled, member] {
            await refuses(fixture) { try $0.people.update(person) }
        }
        var second = fixture.grace
        second.staffRole = .operator
        let other = second
        let changed = disabled
        try await fixture.database.write {
            try $0.people.update(other)
            try $0.people.update(changed)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `an address belongs to one person, and is invited once at a time`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await fixture(driver)
        await refuses(fixture) {
            _ = try $0.people.insert(
                PersonDraft(
                    email: "ada@example.com", name: "x", passwordHash: "x", staffRole: nil),
                at: Self.date)
        }
        let team = fixture.team
        func invitation(_ id: String, team: Int64?) -> Invitation {
            Invitation(
                id: id.padding(toLength: 36, withPad: "0", startingAt: 0), team: team,
                email: "new@example.com", roles: [.developer, .sales], inviter: "ada",
                created: Self.date, end: Self.date.addingTimeInterval(1))
        }
        let (first, second, other) = (
            invitation("a", team: team), invitation("b", team: team), invitation("c", team: nil)
        )
        try await fixture.database.write {
            try $0.people.insert(first, tokenDigest: Data([1]))
            try $0.people.insert(other, tokenDigest: Data([2]))
        }
        await refuses(fixture) { try $0.people.insert(second, tokenDigest: Data([3])) }
        let found = try await fixture.database.read {
            [
                try $0.people.invitation(first.id),
                try $0.people.invitation(tokenDigest: Data([1])),
                try $0.people.openInvitation(of: "new@example.com", to: team),
            ]
        }
        #expect(found == [first, first, first])
        try await fixture.database.write {
            try $0.people.revoke(first.id, at: Self.date)
            try $0.people.insert(second, tokenDigest: Data([3]))
        }
        let grace = fixture.grace.id
        await refuses(fixture) { try $0.people.accept(first.id, by: grace, at: Self.date) }
        let open = try await fixture.database.read { try $0.people.invitations(to: team, limit: 9) }
        #expect(open == [second])
    }

    @Test(arguments: StoreDriver.all)
    func `a session is in a team of its person, and ends with that`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await fixture(driver)
        let grace = fixture.grace.id
        func session(_ id: String, team: Int64?) -> ConnectSession {
            ConnectSession(
                id: id.padding(toLength: 36, withPad: "0", startingAt: 0), person: grace,
                kind: .browser, team: team, client: "Test", start: Self.date, lastUse: Self.date,
                end: Self.date.addingTimeInterval(100))
        }
        let (own, free, foreign) = (
            session("a", team: fixture.team), session("b", team: nil), session("c", team: 999)
        )
        try await fixture.database.write {
            try $0.connectSessions.insert(own, tokenDigest: Data([1]))
            try $0.connectSessions.insert(free, tokenDigest: Data([2]))
        }
        await refuses(fixture) { try $0.connectSessions.insert(foreign, tokenDigest: Data([3])) }
        #expect(
            try await fixture.database.read {
                try $0.connectSessions.session(tokenDigest: Data([1]))
            }
                == own)
        let team = fixture.team
        try await fixture.database.write { try $0.people.remove(grace, from: team) }
        #expect(
            try await fixture.database.read {
                try $0.connectSessions.sessions(of: grace, at: Self.date)
            } == [free])
    }

    @Test(arguments: StoreDriver.all)
    func `the paid agreement is in force with bank and tax only, and the team follows`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await fixture(driver)
        let team = fixture.team
        let active = Agreement(
            team: team, kind: .paidApps, state: .active, acceptedBy: "ada", accepted: Self.date,
            changed: Self.date)
        await refuses(fixture) { try $0.agreements.update(active) }
        try await fixture.database.write {
            try $0.agreements.set(
                BankAccount(
                    holder: "a", bank: "b", territory: "USA", number: "1234", bic: nil,
                    currency: "USD"), of: team, at: Self.date)
        }
        await refuses(fixture) { try $0.agreements.update(active) }
        try await fixture.database.write {
            try $0.agreements.set(
                TaxForm(legalName: "a", territory: "USA", taxID: "1234", address: "x"), of: team,
                at: Self.date)
            try $0.agreements.update(active)
        }
        let sells = try await fixture.database.read { try $0.catalog.team(team)?.hasPaidAgreement }
        #expect(sells == true)
        #expect(
            try await fixture.database.read { try $0.agreements.agreement(.paidApps, of: team) }
                == active)
    }

    @Test(arguments: StoreDriver.all)
    func `teams are found by a part of the name, and paged`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        try await database.write { repositories in
            for name in ["100% Fun", "Alpha", "alphabet", "Beta_1", "Beta 1", "Cafe\u{301}"] {
                _ = try repositories.catalog.save(TeamDraft(name: name, hasPaidAgreement: false))
            }
        }
        func names(_ search: String?, after: String? = nil, limit: Int = 9) async throws
            -> [String]
        {
            try await database.read {
                try $0.people.teams(matching: search, after: after, limit: limit).map(\.name)
            }
        }
        #expect(try await names("alpha") == ["Alpha", "alphabet"])
        #expect(try await names("%") == ["100% Fun"])
        #expect(try await names("_") == ["Beta_1"])
        #expect(try await names("_\u{301}") == [])
        #expect(try await names(nil, limit: 2) == ["100% Fun", "Alpha"])
        #expect(try await names(nil, after: "Alpha", limit: 2) == ["Beta 1", "Beta_1"])
        #expect(try await database.read { try $0.people.teamCount(matching: "beta") } == 2)
    }
}
