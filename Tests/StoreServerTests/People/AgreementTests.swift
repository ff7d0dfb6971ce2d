import Foundation
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

@Suite struct AgreementTests {
    private static let bank = BankAccount(
        holder: "Ada", bank: "Example Bank", territory: "USA", number: "12345678", bic: nil,
        currency: "USD")
    private static let form = TaxForm(
        legalName: "Example Ltd", territory: "USA", taxID: "12-3456789", address: "1 Road")

    private func state(_ fixture: PeopleFixture, _ kind: Agreement.Kind) async throws
        -> Agreement.State?
    {
        try await fixture.people.agreements.picture(of: fixture.team.id, by: fixture.owner)
            .agreement(kind)?.state
    }

    private func sells(_ fixture: PeopleFixture) async throws -> Bool {
        try await fixture.people.teams.team(fixture.team.id, by: fixture.owner).hasPaidAgreement
    }

    @Test func `the free agreement is in force when it is accepted`() async throws {
        let fixture = try await PeopleFixture()
        #expect(try await state(fixture, .freeApps) == .new)
        let accepted = try await fixture.people.agreements.accept(
            .freeApps, of: fixture.team.id, by: fixture.owner)
        #expect(accepted.state == .active)
        #expect(accepted.acceptedBy == "ada@example.com")
        #expect(try await !sells(fixture))
    }

    @Test func `the store's own key accepts for a team only until somebody operates the store`()
        async throws
    {
        let folder = try TemporaryFolder()
        let clock = SettableClock()
        try PreparedDatabase.install(into: folder.file("store"))
        try await PreparedKeys.install(into: folder.file("store"), clock: clock)
        let store = try Store(
            directory: folder.file("store"), clock: clock, vault: OpenSSLVault.forTests,
            log: .silent)
        defer { store.close() }
        let people = store.services.people
        let key = try await people.keys.create(
            name: "store", role: .operator, team: nil, by: .machine
        ).key.id
        let actor = ConnectActor(kind: .key(key), team: nil, roles: [.operator])
        let team = try await people.teams.create(
            name: "Example", accountHolder: nil, by: .machine
        ).team.id
        let accepted = try await people.agreements.accept(.freeApps, of: team, by: actor)
        #expect(accepted.acceptedBy == "key \(key)")
        _ = try await people.firstOperator.create(
            email: "op@example.com", name: "Olga", password: PeopleFixture.password, by: .machine)
        let refusal = await #expect(throws: ConnectRefusal.self) {
            try await people.agreements.accept(.paidApps, of: team, by: actor)
        }
        #expect(refusal?.rule == "acceptedByPerson")
        #expect(refusal?.help.contains("openstore login") == true)
        #expect(
            try await people.agreements.picture(of: team, by: actor).agreement(.paidApps)?.state
                == .new)
    }

    enum Part: CaseIterable { case accept, bank, tax }

    @Test(
        arguments: [
            [.accept, .bank, .tax], [.accept, .tax, .bank], [.bank, .accept, .tax],
            [.bank, .tax, .accept], [.tax, .accept, .bank], [.tax, .bank, .accept],
        ] as [[Part]])
    func `the paid agreement is in force when acceptance, bank and tax are there`(
        order: [Part]
    ) async throws {
        let fixture = try await PeopleFixture()
        let agreements = fixture.people.agreements
        for part in order {
            #expect(try await !sells(fixture))
            switch part {
            case .accept:
                _ = try await agreements.accept(.paidApps, of: fixture.team.id, by: fixture.owner)
            case .bank:
                _ = try await agreements.setBankAccount(
                    Self.bank, of: fixture.team.id, by: fixture.owner)
            case .tax:
                _ = try await agreements.setTaxForm(
                    Self.form, of: fixture.team.id, by: fixture.owner)
            }
        }
        #expect(try await state(fixture, .paidApps) == .active)
        #expect(try await sells(fixture))
        let twice = try await rule(fixture) {
            _ = try await agreements.accept(.paidApps, of: fixture.team.id, by: fixture.owner)
        }
        #expect(twice == "agreement.accept")
    }

    @Test func `what the operator ends stops selling, and can be offered again`() async throws {
        let fixture = try await PeopleFixture()
        let agreements = fixture.people.agreements
        let team = fixture.team.id
        _ = try await agreements.setBankAccount(Self.bank, of: team, by: fixture.owner)
        _ = try await agreements.setTaxForm(Self.form, of: team, by: fixture.owner)
        _ = try await agreements.accept(.paidApps, of: team, by: fixture.owner)
        let generation = try await fixture.store.database.catalogGeneration()
        _ = try await agreements.terminate(.paidApps, of: team, by: fixture.admin)
        #expect(try await !sells(fixture))
        #expect(try await fixture.store.database.catalogGeneration() > generation)
        let refused = try await rule(fixture) {
            _ = try await agreements.accept(.paidApps, of: team, by: fixture.owner)
        }
        #expect(refused == "agreement.accept")
        _ = try await agreements.setBankAccount(Self.bank, of: team, by: fixture.owner)
        #expect(try await !sells(fixture))
        _ = try await agreements.offer(.paidApps, of: team, by: fixture.admin)
        #expect(try await !sells(fixture))
        _ = try await agreements.accept(.paidApps, of: team, by: fixture.owner)
        #expect(try await sells(fixture))
    }

    @Test func `who does not manage banking sees no account`() async throws {
        let fixture = try await PeopleFixture()
        let team = fixture.team.id
        _ = try await fixture.people.agreements.setBankAccount(
            Self.bank, of: team, by: fixture.owner)
        #expect(
            try await fixture.people.agreements.picture(of: team, by: fixture.owner).bankAccount
                == Self.bank)
        let log = try await fixture.people.audit.entries(of: team, limit: 1, by: fixture.owner)
        #expect(log.first?.entry.after == "••••5678")
        #expect(!"\(log)".contains("12345678"))
    }

    // MARK: Imports

    @Test func `a team that an import makes sells at once, and one that is there is left alone`()
        async throws
    {
        let opened = try await OpenedStore()
        let team = try await opened.importShop().app.teamID
        let agreements = opened.store.services.people.agreements
        let picture = try await agreements.picture(of: team, by: .machine)
        #expect(picture.agreements.map(\.state) == [.active, .active])
        #expect(picture.agreements.allSatisfy { $0.acceptedBy == nil })
        _ = try await agreements.terminate(.paidApps, of: team, by: .machine)
        try await opened.importShop()
        let after = try await agreements.picture(of: team, by: .machine)
        #expect(after.agreement(.paidApps)?.state == .terminated)
    }

    @Test func `an import moves no app to another team`() async throws {
        let opened = try await OpenedStore()
        let team = try await opened.importShop().app.teamID
        let before = try await opened.picture()
        await #expect {
            _ = try await opened.store.importCatalog(
                configuration: SampleShop.configuration, bundleID: SampleShop.bundleID,
                teamName: "Another")
        } throws: { error in
            "\(error)".contains("belongs to the team \"Publisher\"")
        }
        #expect(try await opened.picture() == before)
        let teams = try await opened.store.services.people.teams.teams(limit: 9, by: .machine)
        #expect(teams.teams.map(\.id) == [team])
    }
}
