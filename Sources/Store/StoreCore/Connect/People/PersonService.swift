import Foundation

/// What people do with their own account.
package struct PersonService: Sendable {
    let database: any ShopDatabase
    let vault: any CredentialVault
    let sessions: ConnectSessionService
    let clock: any StoreClock

    package func me(by actor: ConnectActor) async throws -> Person {
        let id = try ConnectSessionService.person(actor)
        return try await database.read { repositories in
            guard let person = try repositories.people.person(id) else {
                throw ConnectRefusal.notFound("person", "\(id.number)")
            }
            return person
        }
    }

    package func rename(to text: String, by actor: ConnectActor) async throws -> Person {
        let id = try ConnectSessionService.person(actor)
        let name = try PersonRules.name(text)
        let now = clock.now()
        return try await database.write { repositories in
            guard var person = try repositories.people.person(id) else {
                throw ConnectRefusal.notFound("person", "\(id.number)")
            }
            guard person.name != name else { return person }
            let entry = AuditEntry(
                team: actor.team, actor: actor, action: "person.rename", subject: person.email,
                before: person.name, after: name)
            person.name = name
            try repositories.people.update(person)
            try repositories.audit.append(entry, at: now)
            return person
        }
    }

    /// Changes one's own password, and ends all other sessions.
    ///
    /// - Parameters:
    ///   - token: the session that stays.
    ///   - address: where the request comes from: wrong passwords count as in signing in.
    /// - Throws: `ConnectRefusal`.
    package func changePassword(
        from current: String, to new: String, token: String, address: String?,
        by actor: ConnectActor
    ) async throws {
        let known = try await me(by: actor)
        try PersonRules.check(password: new, email: known.email, field: "newPassword")
        do {
            _ = try await sessions.authenticate(
                email: known.email, password: current, address: address)
        } catch let refusal as ConnectRefusal where refusal.rule == "signInWrong" {
            throw ConnectRefusal(
                .invalid, rule: "passwordWrong", field: "currentPassword",
                "This is not your password.", help: "Type the one that you signed in with.")
        }
        let hash = try await vault.hash(password: new)
        let digest = vault.digest(of: token)
        let now = clock.now()
        try await database.write { repositories in
            guard var person = try repositories.people.person(known.id) else {
                throw ConnectRefusal.notFound("person", "\(known.id.number)")
            }
            person.passwordHash = hash
            try repositories.people.update(person)
            let own = try repositories.connectSessions.session(tokenDigest: digest)
            try repositories.connectSessions.deleteAll(of: person.id, except: own?.id)
            try repositories.audit.append(
                AuditEntry(
                    team: actor.team, actor: actor, action: "person.changePassword",
                    subject: person.email), at: now)
        }
    }
}
