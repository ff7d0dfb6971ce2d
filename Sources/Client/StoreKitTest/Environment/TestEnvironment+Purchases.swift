import StoreAPI
import StoreCore
import StoreKit
import StoreModel

/// Purchases that are made outside of the app, and what is done to them.
extension TestEnvironment {
    /// What is bought.
    struct Order: Sendable {
        var product: String
        var quantity = 1
        var accountToken: UUID?
        var asksToBuy = false
    }

    /// Buys for the app's device, which hears of it as of a purchase that it has not asked for.
    ///
    /// - Returns: the sale; `nil` if the purchase waits for somebody.
    /// - Throws: `SKTestError`.
    func buy(_ order: Order) async throws -> PurchaseService.Sale? {
        try requireCharge()
        guard let catalog = try await services.catalog.catalog(of: app.bundleID),
            let account = try await account(),
            let id = ProductID(order.product), let product = catalog.products[id]
        else {
            throw SKTestError(
                .invalidProductIdentifier, "The configuration has no product \(order.product).")
        }
        guard let price = product.price(in: account.storefront, at: clock.now()) else {
            throw SKTestError(
                .invalidProductIdentifier,
                "\(order.product) has no price in the storefront \(account.storefront.code).")
        }
        let claim = ProfileClaim(
            bundleID: app.bundleID,
            applicationIdentifier: device.profile.payload.applicationIdentifier,
            environment: .sandbox, allowsInAppPurchase: true,
            generation: device.profile.payload.generation)
        let result = try await services.purchases.buy(
            PurchaseOrder(
                key: Self.key(nextOrder()), productID: order.product, quantity: order.quantity,
                confirmedPrice: price,
                applicationUsername: order.accountToken?.uuidString.lowercased(),
                device: device.client.deviceID, simulatesAskToBuy: order.asksToBuy),
            by: account, profile: claim, catalog: catalog)
        switch result {
        case .success(.sold(let sale)):
            try await tellTransactions()
            return sale
        case .success(.deferred), .failure(.interrupted): return nil
        case .failure(let refusal): throw Self.error(refusal, of: order)
        }
    }

    /// The tester as the store has it now.
    func account() async throws -> Account? {
        let tester = tester
        return try await store.database.read { try $0.accounts.account(tester) }
    }

    /// A sale as the app's device has it.
    func transaction(of sale: PurchaseService.Sale) throws -> StoreKit.Transaction? {
        let answer = try DeviceSigner(services: services).answer(sale, to: device.client.deviceID)
        return engine?.verified(answer.signedTransaction)?.unsafePayloadValue
    }

    /// A key that no payment of an app has. The number counts purchases of this process, and has at
    /// most 12 hexadecimal digits.
    private static func key(_ number: UInt64) -> PurchaseKey {
        let digits = String(number, radix: 16)
        let text = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
        guard let key = PurchaseKey(text + digits) else {
            preconditionFailure("\(text)\(digits) is a purchase key")
        }
        return key
    }

    private static func error(_ refusal: PurchaseRefusal, of order: Order) -> SKTestError {
        switch refusal {
        case .invalidProduct, .typeNotSold:
            SKTestError(
                .invalidProductIdentifier, "The store does not sell \(order.product): \(refusal).")
        case .quantityOutOfRange(let quantity):
            SKTestError(
                .invalidAction,
                "\(quantity) of \(order.product) can't be bought in one purchase.")
        default:
            SKTestError(.invalidAction, "The store refuses to sell \(order.product): \(refusal).")
        }
    }

    // MARK: Refunds

    /// - Throws: `SKTestError`.
    func refund(_ identifier: UInt) async throws {
        try requireCharge()
        guard let id = TransactionID(identifier) else { throw Self.unknown(identifier) }
        do {
            try await services.testerPurchases.refund(id, of: tester, by: .machine)
        } catch let refusal as ConnectRefusal {
            throw refusal.kind == .notFound
                ? Self.unknown(identifier) : SKTestError(.invalidAction, refusal.description)
        }
    }

    static func unknown(_ identifier: UInt) -> SKTestError {
        SKTestError(.noTransactionFound, "There is no transaction \(identifier).")
    }

    // MARK: What waits

    /// Lets what waits go on, or not.
    ///
    /// - Throws: `SKTestError`.
    func decide(
        _ outcome: PendingPurchase.Decision.Outcome, on identifier: UInt,
        kind: PendingPurchase.Kind
    ) async throws {
        try requireCharge()
        guard let id = PendingPurchaseID(waiting: identifier) else {
            throw try await isSold(identifier)
                ? SKTestError(
                    .invalidAction, "The transaction \(identifier) does not wait for anybody.")
                : Self.unknown(identifier)
        }
        guard let found = try await services.pending.purchase(id),
            found.order.account == tester
        else { throw Self.unknown(identifier) }
        guard found.kind == kind else {
            throw SKTestError(
                .invalidAction,
                kind == .approval
                    ? "The purchase \(identifier) was interrupted: it waits for no approval."
                    : "The purchase \(identifier) was not interrupted: it waits for approval.")
        }
        do {
            try await services.testerPurchases.decide(outcome, on: id, of: tester, by: .machine)
        } catch let refusal as ConnectRefusal {
            throw SKTestError(.invalidAction, refusal.description)
        }
    }

    /// Settles what has interrupted a purchase, or keeps a renewal from being paid.
    ///
    /// - Throws: `SKTestError`.
    func resolveIssue(of identifier: UInt) async throws {
        try requireCharge()
        if let id = TransactionID(identifier),
            let found = try await store.database.read({ try $0.ledger.entry(id) }),
            found.details.account == tester
        {
            let testing = SubscriptionTesting(database: store.database, clock: clock)
            guard try await testing.settlePayment(of: found.original.id, by: tester) else {
                throw SKTestError(
                    .invalidAction, "There is no issue with the transaction \(identifier).")
            }
            return services.events.nudge(tester)
        }
        try await decide(.approved, on: identifier, kind: .interruption)
    }

    private func isSold(_ identifier: UInt) async throws -> Bool {
        guard let id = TransactionID(identifier) else { return false }
        return try await store.database.read { try $0.ledger.entry(id) != nil }
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
    private static let offset: Int64 = 1 << 40

    /// What a session calls a purchase that waits.
    var sessionIdentifier: UInt { UInt(exactly: Self.offset + number) ?? .max }

    /// `nil` for what is no purchase that waits.
    init?(waiting identifier: UInt) {
        guard let number = Int64(exactly: identifier), number > Self.offset else { return nil }
        self.init(number: number - Self.offset)
    }
}
