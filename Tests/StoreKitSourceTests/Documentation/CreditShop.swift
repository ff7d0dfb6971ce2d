import StoreKit

final class CreditShop: NSObject, SKPaymentTransactionObserver {
    private let file: URL
    private(set) var wallet: Wallet
    var told: (String) -> Void = { print($0) }

    init(file: URL) throws {
        self.file = file
        wallet = try Wallet.load(from: file)
        super.init()
        SKPaymentQueue.default().add(self)
    }

    func buy(_ product: SKProduct, quantity: Int = 1) {
        guard SKPaymentQueue.canMakePayments() else { return told("Purchases are switched off.") }
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        SKPaymentQueue.default().add(payment)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing: break
            case .deferred: told("Somebody has to approve this.")
            case .purchased: deliver(transaction, from: queue)
            case .failed: giveUp(transaction, in: queue)
            case .restored: queue.finishTransaction(transaction)
            @unknown default: break
            }
        }
    }

    private func deliver(_ transaction: SKPaymentTransaction, from queue: SKPaymentQueue) {
        guard let identifier = transaction.transactionIdentifier else { return }
        do {
            try wallet.add(
                5 * transaction.payment.quantity, for: identifier, savingTo: file)
        } catch {
            return told("Not saved, so not finished: \(error)")
        }
        queue.finishTransaction(transaction)
        told("You have \(wallet.credits) credits.")
    }

    private func giveUp(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) {
        queue.finishTransaction(transaction)
        guard let error = transaction.error else { return }
        if case SKError.paymentCancelled = error { return told("Cancelled.") }
        told("Not bought: \(error.localizedDescription)")
    }
}

/// What the article has in `main.swift`.
private func main() throws {
    let shop = try CreditShop(file: URL(fileURLWithPath: "wallet.json"))
    let list = PriceList { products in
        for product in products { shop.buy(product) }
    }
    list.load(["com.example.bookshop.credits5"])
    RunLoop.main.run()
}
