import Foundation
import StoreModel

/// Browsers on the store's pages: who each of them has shown to be, and whether a form
/// came from a page that it was given.
///
/// A browser carries one random token in a cookie. It gets another one when it signs in,
/// so a token that somebody planted never becomes a signed-in one.
package struct PageSessionService: Sendable {
    /// How long a browser need not be asked for the password again.
    package static let duration: TimeInterval = 12 * 3600
    /// The longest token that is looked at.
    private static let tokenLimit = 128

    private let shop: Shop
    private let vault: any CredentialVault

    package init(database: any ShopDatabase, vault: any CredentialVault, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
        self.vault = vault
    }

    /// The token of a browser that was not here before.
    package func makeVisitor() throws -> String { try vault.makeToken() }

    /// The account that a browser has signed in to; nil for none.
    package func account(
        of visitor: String, in environment: StoreEnvironment
    ) async throws -> Account? {
        guard visitor.utf8.count <= Self.tokenLimit else { return nil }
        let digest = vault.digest(of: visitor)
        let account = try await shop.read { work in
            try work.prompts.pageSession(tokenDigest: digest, at: work.now)
        }
        return account?.environment == environment ? account : nil
    }

    /// Starts the session of a browser whose customer has typed the right password.
    ///
    /// - Returns: its new token; nil if the password was changed meanwhile.
    package func start(_ account: Account) async throws -> String? {
        let token = try vault.makeToken()
        let digest = vault.digest(of: token)
        let start = shop.clock.now()
        let end = start.addingTimeInterval(Self.duration)
        return try await shop.write { work in
            guard try work.accounts.hasSamePassword(account) else { return nil }
            try work.prompts.insertPageSession(
                tokenDigest: digest, account: account.id, start: start, end: end)
            return token
        }
    }

    /// Ends a browser's session.
    package func end(_ visitor: String) async throws {
        let digest = vault.digest(of: visitor)
        try await shop.write { work in
            try work.prompts.deletePageSession(tokenDigest: digest)
        }
    }

    /// The token against forged requests (CSRF) that a form of a page carries, which only a browser's own pages know: the cookie is
    /// readable by no script and sent along by no other site, and can't be had from its
    /// digest.
    package func formToken(of visitor: String, on page: String) -> String {
        vault.digest(of: "form\n\(visitor)\n\(page)").base64EncodedString()
    }

    /// A short name for bytes that never change under it.
    package func name(of asset: String) -> String {
        vault.digest(of: asset).prefix(8).map { String(format: "%02x", $0) }.joined()
    }
}
