import Foundation

/// What people do with their own account.
package struct PersonService: Sendable {
    let shop: Shop
    let vault: any CredentialVault
    let sessions: ConnectSessionService

    package func me(by actor: ConnectActor) async throws -> Person {
        let id = try ConnectSessionService.person(actor)
        return try await shop.read(as: actor) {
            try $0.people.person(id).orNotFound("person", "\(id.number)")
        }
    }

    package func rename(to text: String, by actor: ConnectActor) async throws -> Person {
        let id = try ConnectSessionService.person(actor)
        let name = try PersonRules.name(text)
        return try await shop.write(as: actor) { work in
            var person = try work.people.person(id).orNotFound("person", "\(id.number)")
            guard person.name != name else { return person }
            try work.note(
                "person.rename", on: person.email, of: actor.team, before: person.name, after: name)
            person.name = name
            try work.people.update(person)
            return person
        }
    }

    /// Changes one's own password. Ends all other sessions of the person, and the links with which
    /// operators let the password be set.
    ///
    /// - Parameters:
    ///   - token: the session that stays.
    ///   - address: where the request comes from: wrong passwords count as in signing in.
    /// - Throws: `ConnectRefusal`.
    package func changePassword(
        from current: String, to new: String, token: String, address: String?,
        by actor: ConnectActor
    ) async throws {
        var known = try await me(by: actor)
        try PersonRules.check(password: new, email: known.email, field: "newPassword")
        let wrong = ConnectRefusal(
            .invalid, rule: "passwordWrong", field: "currentPassword",
            "This is not your password.", help: "Type the one that you signed in with.")
        do {
            known = try await sessions.authenticate(
                email: known.email, password: current, address: address)
        } catch let refusal as ConnectRefusal where refusal.rule == "signInWrong" {
            throw wrong
        }
        let hash = try await vault.hash(password: new)
        let digest = vault.digest(of: token)
        try await shop.write(as: actor) { [known] work in
            guard var person = try work.people.person(stillAuthenticated: known) else {
                throw wrong
            }
            person.passwordHash = hash
            try work.people.update(person)
            try work.passwordResets.deleteUnused(of: .person(person.id))
            let own = try work.connectSessions.session(tokenDigest: digest)
            try work.connectSessions.deleteAll(of: person.id, except: own?.id)
            try work.note("person.changePassword", on: person.email, of: actor.team)
        }
    }
}
