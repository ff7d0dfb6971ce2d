import Foundation

/// The first person of a store: made with a link that the store prints when it starts, or by
/// a command on its machine.
package struct FirstOperatorService: Sendable {
    private static let tokenLimit = 128

    let shop: Shop
    let vault: any CredentialVault

    /// A link's token, which replaces earlier ones; nil where the store has an operator.
    package func makeLink() async throws -> String? {
        let token = try vault.makeToken()
        let digest = vault.digest(of: token)
        return try await shop.write { work in
            guard try !work.people.hasOperator() else { return nil }
            try work.people.setFirstLink(digest, at: work.now)
            return token
        }
    }

    /// The path of the link's page.
    package static func path(of token: String) -> String { "/connect/first/\(token)" }

    /// Whether a link works.
    package func isOpen(token: String) async throws -> Bool {
        guard token.utf8.count <= Self.tokenLimit else { return false }
        let digest = vault.digest(of: token)
        return try await shop.read { try Self.isOpen(digest, $0) }
    }

    /// Makes the first operator; the link works no longer.
    ///
    /// - Throws: `ConnectRefusal`.
    package func create(
        token: String, email: String, name: String, password: String
    ) async throws -> Person {
        guard try await isOpen(token: token) else { throw Self.closed }
        let draft = try await draft(email: email, name: name, password: password)
        let digest = vault.digest(of: token)
        return try await shop.write { work in
            guard try Self.isOpen(digest, work) else { throw Self.closed }
            return try Self.insert(draft, work)
        }
    }

    /// Makes an operator by command: whoever has the machine needs no link.
    ///
    /// - Throws: `ConnectRefusal`.
    package func create(
        email: String, name: String, password: String, by actor: ConnectActor
    ) async throws -> Person {
        try actor.require(.operate)
        let draft = try await draft(email: email, name: name, password: password)
        return try await shop.write(as: actor) { work in
            try Self.insert(draft, work)
        }
    }

    private func draft(email: String, name: String, password: String) async throws -> PersonDraft {
        let email = try ConnectText.email(email)
        let name = try PersonRules.name(name)
        try PersonRules.check(password: password, email: email)
        return PersonDraft(
            email: email, name: name, passwordHash: try await vault.hash(password: password),
            staffRole: .operator)
    }

    private static func insert(_ draft: PersonDraft, _ work: UnitOfWork) throws -> Person {
        guard try work.people.person(email: draft.email) == nil else {
            throw ConnectRefusal(
                .taken, rule: "emailTaken", field: "email",
                "There is somebody with the address \(draft.email) already.",
                help: "An operator gives them the role, under Staff; or use another address.")
        }
        let person = try work.people.insert(draft, at: work.now)
        try work.people.setFirstLink(nil, at: work.now)
        // Who comes by the link is nobody until now.
        let own = ConnectActor(
            kind: .person(person.id, email: person.email), team: nil, roles: [.operator])
        try work.audit.append(
            AuditEntry(
                team: nil, actor: work.actor == .nobody ? own : work.actor,
                action: "operator.create", subject: person.email), at: work.now)
        return person
    }

    private static func isOpen(_ digest: Data, _ repositories: StoreRepositories) throws -> Bool {
        guard try !repositories.people.hasOperator() else { return false }
        return try repositories.people.firstLink() == digest
    }

    private static let closed = ConnectRefusal(
        .notFound, rule: "firstLinkUnknown", "This link does not work.",
        help: "It works once, until the store starts again; the store prints a new one then.")
}
