import StoreCore

/// The store's staff, the teams, what they agreed to, and keys.
extension DemoTeam {
    mutating func makePeople() async throws {
        let people = store.services.people
        let operatorID = try await people.firstOperator.create(
            email: DemoPerson.operator.email, name: DemoPerson.operator.name, password: password,
            by: .machine
        ).id
        self.people[.operator] = operatorID
        let staff = try actor(.operator)
        try await accept(
            people.invitations.invite(
                email: DemoPerson.reviewer.email, roles: [.reviewer], to: nil, by: staff),
            as: .reviewer)
        let made = try await people.teams.create(
            name: Self.name, accountHolder: DemoPerson.accountHolder.email, by: staff)
        team = made.team.id
        try await accept(made.invitation, as: .accountHolder)

        wait(until: 45, hour: 1)
        let holder = try actor(.accountHolder)
        for person in DemoPerson.invited {
            try await accept(
                people.invitations.invite(
                    email: person.email, roles: [person.role], to: team, by: holder), as: person)
        }
        try await agree()
        try await makeKeys()
        try await makeOtherTeam()
    }

    private mutating func accept(
        _ invitation: IssuedInvitation?, as person: DemoPerson
    ) async throws {
        guard let invitation else {
            throw DemoFailure(description: "\(person.name) was not invited")
        }
        people[person] = try await store.services.people.invitations.accept(
            token: invitation.token, name: person.name, password: password, address: nil
        ).id
    }

    /// Both agreements, with data that say that they are made up.
    private func agree() async throws {
        let agreements = store.services.people.agreements
        let holder = try actor(.accountHolder)
        let finance = try actor(.finance)
        _ = try await agreements.accept(.freeApps, of: team, by: holder)
        _ = try await agreements.accept(.paidApps, of: team, by: holder)
        _ = try await agreements.setBankAccount(
            BankAccount(
                holder: "Lighthouse Books (demo)", bank: "Bank of Nowhere (demo)",
                territory: "DEU", number: "DE89 3704 0044 0532 0130 00", bic: "DEMODEFFXXX",
                currency: "EUR"), of: team, by: finance)
        _ = try await agreements.setTaxForm(
            TaxForm(
                legalName: "Lighthouse Books (demo)", territory: "DEU", taxID: "DEMO-123456789",
                address: "1 Demo Quay\n00000 Nowhere\nGermany"), of: team, by: finance)
    }

    private func makeKeys() async throws {
        let keys = store.services.people.keys
        let admin = try actor(.admin)
        let old = try await keys.create(
            name: "Old build server", role: .developer, team: team, by: admin)
        _ = try await keys.create(
            name: "Build server", role: .developer, team: team, by: admin)
        _ = try await keys.create(
            name: "Monthly report", role: .finance, team: team, by: admin)
        _ = try await keys.revoke(old.key.id, by: admin)
    }

    private mutating func makeOtherTeam() async throws {
        let made = try await store.services.people.teams.create(
            name: Self.otherName, accountHolder: DemoPerson.newcomer.email,
            by: try actor(.operator))
        try await accept(made.invitation, as: .newcomer)
    }

    /// Invitations that nobody has accepted yet; they end after a week.
    func invite() async throws {
        let invitations = store.services.people.invitations
        _ = try await invitations.invite(
            email: "sami@lighthouse.example", roles: [.sales, .customerSupport], to: team,
            by: try actor(.admin))
        _ = try await invitations.invite(
            email: "rosa@store.example", roles: [.reviewer], to: nil, by: try actor(.operator))
    }
}
