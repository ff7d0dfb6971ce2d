import Foundation
import StoreCore
import StoreModel
import Testing

/// Prices of `monthly`, and questions to Ada about them.
extension SubscriberShop {
    var offers: OfferService {
        OfferService(database: database, clock: clock, oneTimeCodes: .tested)
    }

    @discardableResult
    func ask(_ price: Int64 = 1490) async throws -> PriceConsent {
        let current = try #require(
            try await offers.fullPrice(of: Self.monthly, for: shop.ada, in: shop.app.id))
        return try await offers.askConsent(
            PriceConsentDraft(
                account: shop.ada.id, app: shop.app.id, productID: Self.monthly,
                currentPrice: current, newPrice: price))
    }

    func answer(_ consent: PriceConsent, agreed: Bool) async throws {
        #expect(
            try await offers.answerConsent(consent.id, agreed: agreed, by: shop.ada, in: shop.app))
    }

    func agree(to price: Int64) async throws {
        try await answer(try await ask(price), agreed: true)
    }

    func openConsents() async throws -> [PriceConsent] {
        try await offers.openConsents(of: shop.ada.id, in: shop.app.id)
    }

    /// Buys, and lets the first renewal fail in an app with a grace period.
    func enterGrace() async throws {
        try await giveGrace("SIXTEEN_DAYS")
        try await buy()
        try await setPayments(.all)
        try await wait(Self.month)
    }

    /// Changes the price in the catalog.
    func setPrice(_ price: Int64) async throws {
        try await database.write { repositories in
            let found = try repositories.catalog.product(
                Self.monthly, in: shop.app.id, .all)
            var product = try #require(found).details
            product.prices = PriceSchedule(
                dictionaryLiteral: ("USA", price), ("JPN", price * 150))
            try repositories.catalog.save(product, in: shop.app.id)
        }
    }

    /// Switches renewing off and on again.
    func resume() async throws {
        let first = try #require(try await subscription()).original.id
        for renews in [false, true] {
            try await management.setRenews(renews, of: first, by: shop.ada.id)
        }
    }

    func managed() async throws -> ManagedSubscription {
        let first = try #require(try await subscription()).original.id
        return try #require(try await management.subscription(first, of: shop.ada.id))
    }

    func lastCharge() async throws -> Money? {
        let latest = try #require(try await subscription()).latest
        return try await database.read { try $0.ledger.entry(latest)?.details.charged }
    }

    /// In thousandths, as pages and signed information say it.
    func renewalPrice() async throws -> Int64? {
        let signed = try await information()?.renewalPrice
        #expect(try await managed().renewalPrice == signed)
        return signed?.thousandths
    }
}
