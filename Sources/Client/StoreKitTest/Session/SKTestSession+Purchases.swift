import StoreKit
import StoreServer

extension SKTestSession {
    // MARK: Buying

    /// Buys a product outside of the app: the transaction arrives through the payment queue and
    /// `Transaction.updates`.
    ///
    /// - Throws: ``SKTestError/invalidProductIdentifier`` for a product that the file has not.
    public func buyProduct(productIdentifier: String) throws {
        try BlockingCall.run { [environment] in
            _ = try await environment.buy(TestShop.Order(product: productIdentifier))
        }
    }

    /// Buys a product outside of the app: the transaction arrives through the payment queue and
    /// `Transaction.updates`, and has arrived when this returns.
    ///
    /// - Parameters:
    ///   - identifier: the product.
    ///   - options: quantity, token of the account, whether it waits for approval, an offer, and a date
    ///     in the past.
    /// - Returns: the transaction.
    /// - Throws: ``SKTestError/invalidProductIdentifier`` for a product that the file has not,
    ///   ``SKTestError/invalidAction`` for a purchase that waits for somebody.
    @discardableResult
    public func buyProduct(
        identifier: Product.ID, options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        let terms = try OutsideOrder(options)
        var order = TestShop.Order(product: identifier)
        order.quantity = terms.quantity
        order.accountToken = terms.accountToken
        order.asksToBuy = terms.asksToBuy
        order.offer = terms.offer
        order.isCodeOffer = terms.isCodeOffer
        order.date = terms.date
        order.isCancelled = terms.isCancelled
        guard let bought = try await environment.buy(order) else {
            throw SKTestError(
                .invalidAction, "The purchase of \(identifier) waits: see allTransactions().")
        }
        try await environment.heard()
        return bought
    }

    // MARK: Transactions

    /// Everything that was bought in this session, also before it was refunded or ended, what waits
    /// for somebody, and what ``failTransactionsEnabled`` let fail, oldest first.
    public func allTransactions() -> [SKTestTransaction] {
        do {
            let known = try environment.run { try await $0.transactions() }
            return (known + environment.failedPayments.transactions)
                .sorted { $0.purchaseDate < $1.purchaseDate }.map { SKTestTransaction($0) }
        } catch {
            OpenStore.writeLog("The transactions of the test session can't be read: \(error)")
            return []
        }
    }

    /// Takes away everything that was bought, and what waits: the app begins anew, with an empty
    /// receipt. Settings and the clock stay.
    public func clearTransactions() {
        do {
            try BlockingCall.run { [environment] in try await environment.clear() }
        } catch {
            OpenStore.writeLog("The transactions of the test session can't be cleared: \(error)")
        }
    }

    /// Takes a transaction away as if it had never been: out of the app's sequences, queue and
    /// receipt. With the first purchase of a subscription its renewals go, too.
    ///
    /// - Throws: ``SKTestError/noTransactionFound``.
    public func deleteTransaction(identifier: UInt) throws {
        try BlockingCall.run { [environment] in try await environment.delete(identifier) }
    }

    /// As ``deleteTransaction(identifier:)-(UInt)``, for a number that is an `Int`.
    public func deleteTransaction(identifier: Int) throws {
        try deleteTransaction(identifier: try Self.unsigned(identifier))
    }

    /// Refunds a transaction: the app's device hears that it was taken back.
    ///
    /// - Throws: ``SKTestError/noTransactionFound``; ``SKTestError/invalidAction`` if it was
    ///   refunded before.
    public func refundTransaction(identifier: UInt) throws {
        try environment.run { try await $0.refund(identifier) }
    }

    /// As ``refundTransaction(identifier:)-(UInt)``, for a number that is an `Int`.
    public func refundTransaction(identifier: Int) throws {
        try refundTransaction(identifier: try Self.unsigned(identifier))
    }

    /// - Throws: `SKTestError.noTransactionFound` for a negative number.
    static func unsigned(_ identifier: Int) throws -> UInt {
        guard let number = UInt(exactly: identifier) else {
            throw SKTestError(.noTransactionFound, "There is no transaction \(identifier).")
        }
        return number
    }
}
