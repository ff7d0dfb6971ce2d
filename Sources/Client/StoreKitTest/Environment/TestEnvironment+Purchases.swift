import StoreAPI
import StoreCore
import StoreKit
import StoreModel
import StoreServer

/// Purchases, and the device's part in what is done to them.
extension TestEnvironment {
    /// Buys for the app's device.
    ///
    /// - Returns: the transaction as the device has it; `nil` if the purchase waits for somebody.
    /// - Throws: `SKTestError`.
    func buy(_ order: TestShop.Order) async throws -> StoreKit.Transaction? {
        let device = device
        let payload = device.profile.payload
        let buyer = TestShop.Buyer(
            claim: ProfileClaim(
                bundleID: shop.app.bundleID, applicationIdentifier: payload.applicationIdentifier,
                environment: .sandbox, allowsInAppPurchase: true, generation: payload.generation),
            device: device.client.deviceID)
        guard let sale = try await perform({ try await $0.buy(order, for: buyer) }) else {
            return nil
        }
        let answer = try DeviceSigner(services: shop.services).answer(sale, to: buyer.device)
        guard let bought = engine?.verified(answer.signedTransaction)?.unsafePayloadValue else {
            throw SKTestError(.serviceUnavailable, "The store's statement can't be read.")
        }
        return bought
    }

    /// Takes a transaction away: out of the store, and out of what the device knows.
    ///
    /// - Throws: `SKTestError`.
    func delete(_ identifier: UInt) async throws {
        if failedPayments.remove(identifier) { return }
        let family = try await perform { try await $0.family(of: identifier) }
        await engine?.dismiss(family)
        try await perform { try await $0.delete(identifier) }
        await BlockingCall.briefly { [engine] in await engine?.beginHistoryAnew() }
    }

    /// Takes away everything that was bought: the app begins anew.
    func clear() async throws {
        try await perform { try await $0.clear() }
        failedPayments.removeAll()
        try await installAnew()
    }
}
