import Foundation
import StoreModel

/// Shows and makes the secrets that publishers' servers show with receipts.
package struct SharedSecretService: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock
    private let vault: any CredentialVault

    package init(
        database: any ShopDatabase, vault: any CredentialVault, clock: any StoreClock
    ) {
        self.database = database
        self.vault = vault
        self.clock = clock
    }

    /// The secret that there is; nil for none.
    ///
    /// - Throws: `ConnectRefusal`.
    package func secret(
        of owner: SharedSecret.Owner, by actor: ConnectActor
    ) async throws -> SharedSecret? {
        try actor.require(Self.permission(for: owner))
        return try await database.read { repositories in
            _ = try Self.subject(owner, seenBy: actor, repositories)
            return try repositories.sharedSecrets.secret(of: owner)
        }
    }

    /// Makes a secret. One that there was opens nothing from then on.
    ///
    /// - Throws: `ConnectRefusal`.
    package func generate(
        for owner: SharedSecret.Owner, by actor: ConnectActor
    ) async throws -> SharedSecret {
        try actor.require(Self.permission(for: owner))
        let secret = SharedSecret(owner: owner, text: try makeText(), date: clock.now())
        try await database.write { repositories in
            let subject = try Self.subject(owner, seenBy: actor, repositories)
            let earlier = try repositories.sharedSecrets.secret(of: owner)
            try repositories.sharedSecrets.save(secret)
            // What the secrets are, nobody reads in the record of what happened.
            try repositories.audit.append(
                AuditEntry(
                    team: subject.team, actor: actor, action: "sharedSecret.generate",
                    subject: subject.name, before: earlier.map { "made \(Self.day($0.date))" },
                    after: "made \(Self.day(secret.date))"), at: secret.date)
        }
        return secret
    }

    /// 32 hexadecimal digits, which nobody can guess.
    private func makeText() throws -> String {
        vault.digest(of: try vault.makeToken()).prefix(16).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// As App Store Connect has it: the secret of an app is its managers' affair too.
    private static func permission(for owner: SharedSecret.Owner) -> ConnectPermission {
        switch owner {
        case .app: .manageAppSecrets
        case .team: .manageTeamSecrets
        }
    }

    /// Whose secret it is, where the actor may know of them.
    private static func subject(
        _ owner: SharedSecret.Owner, seenBy actor: ConnectActor,
        _ repositories: StoreRepositories
    ) throws -> (team: Int64, name: String) {
        switch owner {
        case .app(let id):
            let app = try AppService.record(id, seenBy: actor, repositories).app
            return (app.teamID, app.bundleID.text)
        case .team(let id):
            guard actor.sees(team: id), let team = try repositories.catalog.team(id) else {
                throw ConnectRefusal.notFound("team", String(id))
            }
            return (team.id, team.name)
        }
    }

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}
