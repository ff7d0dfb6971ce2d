import Foundation
import StoreCore
import StoreModel

/// Purchases that are made outside of the app, and what is done to them.
extension TestShop {
    /// What is bought.
    package struct Order: Sendable {
        package var product: String
        package var quantity = 1
        package var accountToken: UUID?
        package var asksToBuy = false
        /// A date in the past; `nil` for what the clock shows.
        package var date: Date?
        /// The name of the offer that a subscription is bought by.
        package var offer: String?
        /// Whether that is one of a code.
        package var isCodeOffer = false
        /// Whether a subscription was cancelled at once.
        package var isCancelled = false

        package init(product: String) {
            self.product = product
        }
    }

    /// Who buys: the app, as its profile describes it, on a device.
    package struct Buyer: Sendable {
        package var claim: ProfileClaim
        package var device: String

        package init(claim: ProfileClaim, device: String) {
            (self.claim, self.device) = (claim, device)
        }
    }

    /// Buys for a device, which hears of it as of a purchase that it has not asked for.
    ///
    /// - Returns: the sale; `nil` if the purchase waits for somebody.
    /// - Throws: `TestRefusal`.
    package func buy(_ order: Order, for buyer: Buyer) async throws -> PurchaseService.Sale? {
        guard let date = order.date else { return try await sell(order, to: buyer) }
        let now = clock.now()
        guard date <= now, now.timeIntervalSince(date) <= Self.longestPast else {
            throw TestRefusal(
                .invalidAction,
                "A purchase can be dated back by ten years, and not be dated ahead.")
        }
        try await checkCount(of: order, from: date, to: now)
        return try await clock.at(date) {
            let sale = try await sell(order, to: buyer)
            if order.isCancelled, let sale,
                sale.entry.details.productType == .autoRenewableSubscription
            {
                try await setRenews(false, ofTransaction: UInt(sale.entry.id.number))
            }
            // What has become due since then.
            try await catchUp(to: now)
            return sale
        }
    }

    /// Refuses a subscription that would be renewed more often than anybody would wait for.
    ///
    /// - Throws: `TestRefusal`.
    private func checkCount(of order: Order, from date: Date, to now: Date) async throws {
        let (tester, app) = (tester, app.id)
        let count = try await store.database.read { repositories -> Double? in
            guard !order.isCancelled, let id = ProductID(order.product),
                let terms = try repositories.catalog.product(id, in: app)?.details.subscription
            else { return nil }
            let schedule = try UnitOfWork(repositories, now: date).renewalSchedule(
                of: tester, in: .sandbox)
            let length = schedule.end(of: terms.period, from: date).timeIntervalSince(date)
            return now.timeIntervalSince(date) / max(length, 0.001)
        }
        guard let count, count > Self.mostRenewals else { return }
        throw TestRefusal(
            .invalidAction,
            "The subscription would be renewed \(Int(min(count, 1e9))) times until now, as its periods "
                + "are short at this rate. Choose a slower rate or a later date.")
    }

    private static let mostRenewals: Double = 10_000

    /// Seconds.
    private static let longestPast: TimeInterval = 10 * 366 * 86_400

    private func sell(_ order: Order, to buyer: Buyer) async throws -> PurchaseService.Sale? {
        guard let catalog = try await services.catalog.catalog(of: app.bundleID),
            let account = try await account(),
            let id = ProductID(order.product), let product = catalog.products[id]
        else {
            throw TestRefusal(
                .invalidProductIdentifier, "The configuration has no product \(order.product).")
        }
        let type = product.details.type
        guard order.quantity == 1 || type == .consumable || type == .nonRenewingSubscription else {
            throw Self.error(.quantityOutOfRange(order.quantity), of: order)
        }
        guard let price = product.price(in: account.storefront, at: clock.now()) else {
            throw TestRefusal(
                .invalidProductIdentifier,
                "\(order.product) has no price in the storefront \(account.storefront.code).")
        }
        let claim = OfferClaim(
            identifier: order.offer, isOfCode: order.isCodeOffer, permission: .given)
        let charge: ChargeNotice
        switch try await services.purchases.charge(
            for: order.product, claim, by: account, in: catalog)
        {
        case .success(let notice): charge = notice
        case .failure(let refusal): throw Self.error(refusal, of: order)
        }
        let result = try await services.purchases.buy(
            PurchaseOrder(
                key: Self.key(nextOrder()), productID: order.product, quantity: order.quantity,
                confirmedPrice: price,
                applicationUsername: order.accountToken?.uuidString.lowercased(),
                device: buyer.device, simulatesAskToBuy: order.asksToBuy,
                claim: claim,
                agreedOffer: charge.offer, isFree: charge.isFree),
            by: account, profile: buyer.claim, catalog: catalog)
        switch result {
        case .success(.sold(let sale)):
            try await tellTransactions()
            return sale
        case .success(.deferred), .failure(.interrupted): return nil
        case .failure(let refusal): throw Self.error(refusal, of: order)
        }
    }

    /// A key that no payment of an app has. The number counts purchases of one store, and has at
    /// most 12 hexadecimal digits.
    private static func key(_ number: UInt64) -> PurchaseKey {
        let digits = String(number, radix: 16)
        let text = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
        guard let key = PurchaseKey(text + digits) else {
            preconditionFailure("\(text)\(digits) is a purchase key")
        }
        return key
    }

    private static func error(_ refusal: PurchaseRefusal, of order: Order) -> TestRefusal {
        switch refusal {
        case .invalidProduct, .typeNotSold:
            TestRefusal(
                .invalidProductIdentifier, "The store does not sell \(order.product): \(refusal).")
        case .quantityOutOfRange(let quantity):
            TestRefusal(
                .invalidAction,
                "\(quantity) of \(order.product) can't be bought: the quantity is 1, or "
                    + "\(ProductType.quantities.lowerBound) to "
                    + "\(ProductType.quantities.upperBound) for a consumable.")
        case .offer(let offer, .unknown):
            TestRefusal(
                .invalidAction,
                "\(order.product) has no offer \"\(offer)\" in the tester's storefront.")
        case .offer(let offer, .ineligible):
            TestRefusal(
                .invalidAction, "The offer \"\(offer)\" is for other customers than the tester.")
        default:
            TestRefusal(.invalidAction, "The store refuses to sell \(order.product): \(refusal).")
        }
    }

    // MARK: Refunds

    /// - Throws: `TestRefusal`.
    package func refund(_ identifier: UInt) async throws {
        let id = try await entry(identifier).id
        do {
            try await services.testerPurchases.refund(id, of: tester, by: .machine)
        } catch let refusal as ConnectRefusal {
            throw TestRefusal(.invalidAction, refusal.description)
        }
    }

    static func unknown(_ identifier: UInt) -> TestRefusal {
        TestRefusal(.noTransactionFound, "There is no transaction \(identifier).")
    }

    // MARK: What waits

    /// Lets what waits go on, or not.
    ///
    /// - Throws: `TestRefusal`.
    package func decide(
        _ outcome: PendingPurchase.Decision.Outcome, on identifier: UInt,
        kind: PendingPurchase.Kind
    ) async throws {
        guard let id = PendingPurchaseID(waiting: identifier) else {
            _ = try await entry(identifier)
            throw TestRefusal(
                .invalidAction, "The transaction \(identifier) does not wait for anybody.")
        }
        guard let found = try await services.pending.purchase(id),
            found.order.account == tester
        else { throw Self.unknown(identifier) }
        guard found.kind == kind else {
            throw TestRefusal(
                .invalidAction,
                kind == .approval
                    ? "The purchase \(identifier) was interrupted: it waits for no approval."
                    : "The purchase \(identifier) was not interrupted: it waits for approval.")
        }
        guard found.status(at: clock.now()) == .waiting else {
            throw TestRefusal(
                .invalidAction,
                "The purchase \(identifier) does not wait any more: that was decided, or for an approval nobody "
                    + "decided within a day.")
        }
        do {
            try await services.testerPurchases.decide(outcome, on: id, of: tester, by: .machine)
        } catch let refusal as ConnectRefusal {
            throw TestRefusal(.invalidAction, refusal.description)
        }
    }

    /// Lets an interrupted purchase go through, or a renewal whose payment has failed.
    ///
    /// - Throws: `TestRefusal`.
    package func resolveIssue(of identifier: UInt) async throws {
        guard PendingPurchaseID(waiting: identifier) == nil else {
            return try await decide(.approved, on: identifier, kind: .interruption)
        }
        let original = try await entry(identifier).original.id
        let testing = SubscriptionTesting(database: store.database, clock: clock)
        guard try await testing.settlePayment(of: original, by: tester) else {
            throw TestRefusal(
                .invalidAction, "There is no issue with the transaction \(identifier).")
        }
    }
}

extension TransactionID {
    /// `nil` for a number that no store gives.
    init?(_ identifier: UInt) {
        guard let number = Int64(exactly: identifier), number > 0 else { return nil }
        self.init(number: number)
    }
}

extension PendingPurchaseID {
    /// Purchases that wait have numbers of their own, and no transaction comes as far.
    private static let offset: Int64 = 1 << 62

    /// What a test calls a purchase that waits.
    var testIdentifier: UInt { UInt(exactly: Self.offset + number) ?? .max }

    /// `nil` for what is no purchase that waits.
    init?(waiting identifier: UInt) {
        guard let number = Int64(exactly: identifier), number > Self.offset else { return nil }
        self.init(number: number - Self.offset)
    }
}
