import Foundation
import StoreModel

/// Shows and makes the secrets that publishers' servers show with receipts.
package struct SharedSecretService: Sendable {
    private let shop: Shop
    private let vault: any CredentialVault

    package init(database: any ShopDatabase, vault: any CredentialVault, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
        self.vault = vault
    }

    /// The secret that there is; nil for none.
    ///
    /// - Throws: `ConnectRefusal`.
    package func secret(
        of owner: SharedSecret.Owner, by actor: ConnectActor
    ) async throws -> SharedSecret? {
        try actor.require(Self.permission(for: owner))
        return try await shop.read(as: actor) { work in
            _ = try Self.subject(owner, work)
            return try work.sharedSecrets.secret(of: owner)
        }
    }

    /// Makes a secret. One that there was opens nothing from then on.
    ///
    /// - Throws: `ConnectRefusal`.
    package func generate(
        for owner: SharedSecret.Owner, by actor: ConnectActor
    ) async throws -> SharedSecret {
        try actor.require(Self.permission(for: owner))
        let text = try makeText()
        return try await shop.write(as: actor) { work in
            let secret = SharedSecret(owner: owner, text: text, date: work.now)
            let subject = try Self.subject(owner, work)
            let earlier = try work.sharedSecrets.secret(of: owner)
            try work.sharedSecrets.save(secret)
            // What the secrets are, nobody reads in the record of what happened.
            try work.note(
                "sharedSecret.generate", on: subject.name, of: subject.team,
                before: earlier.map { "made \(Self.day($0.date))" },
                after: "made \(Self.day(secret.date))")
            return secret
        }
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
        _ owner: SharedSecret.Owner, _ work: UnitOfWork
    ) throws -> (team: Int64, name: String) {
        switch owner {
        case .app(let id):
            let app = try work.appRecord(id).app
            return (app.teamID, app.bundleID.text)
        case .team(let id):
            return (id, try work.team(id).name)
        }
    }

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}
