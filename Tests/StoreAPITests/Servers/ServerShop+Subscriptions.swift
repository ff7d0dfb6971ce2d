import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

extension ServerShop {
    /// Lets time pass, in which the store does what is due.
    func pass(_ seconds: TimeInterval) async throws {
        clock.advance(by: seconds)
        try await shop.store.services.renewals.advance()
    }

    /// Lets customers go on for a while when a payment fails.
    func setGrace() async throws {
        let app = try await app().id
        try await shop.store.database.write {
            try $0.kept.insert(
                KeptResource(
                    id: String(app.number), kind: .subscriptionGracePeriods, app: app,
                    owner: .app(app),
                    attributes: [
                        "optIn": .flag(true), "sandboxOptIn": .flag(true),
                        "duration": .text("THREE_DAYS"),
                    ], links: [:], created: clock.now()))
        }
    }

    func setShareable(_ product: String) async throws { try await shop.setShareable(product) }
}
