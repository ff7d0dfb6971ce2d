import Foundation
@testable import StoreAPI
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Synchronization
import Testing

@Suite struct SessionCacheTests {
    private final class Parts: Sendable {
        let cache = Mutex<SessionCache?>(nil)
    }

    @Test func `a session that ends while it is read is not kept`() async throws {
        let shop = try await TestStore(hasContent: false)
        let accounts = shop.store.services.accounts
        let token = try await accounts.signIn(
            email: TestStore.american, password: TestStore.password, environment: .sandbox
        ).token
        let parts = Parts()
        let database = CountingDatabase(shop.store.database) {
            try await accounts.signOut(token: token)
            parts.cache.withLock { $0 }?.forget(token)
        }
        let cache = SessionCache(
            accounts: try AccountService(
                database: database, vault: OpenSSLVault.forTests, clock: shop.store.clock),
            clock: shop.store.clock)
        parts.cache.withLock { $0 = cache }
        // It was there when it was read.
        #expect(try await cache.account(token: token, environment: .sandbox) != nil)
        #expect(try await cache.account(token: token, environment: .sandbox) == nil)
    }
}
