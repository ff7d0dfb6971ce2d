import StoreKit

// A file that imports StoreKit only, and uses Foundation: Apple's StoreKit brings it.

enum PriceLabel {
    /// The price as shops write it.
    static func text(_ product: SKProduct) -> String? {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        return formatter.string(from: product.price)
    }

    /// What an app keeps of a transaction.
    static func record(_ transaction: SKPaymentTransaction) -> [String: Any] {
        var record: [String: Any] = ["product": transaction.payment.productIdentifier]
        record["date"] = transaction.transactionDate ?? Date(timeIntervalSince1970: 0)
        record["receipt"] = Bundle.main.bundleURL.lastPathComponent
        record["user"] = transaction.payment.applicationUsername.map { Data($0.utf8) }
        return record
    }
}
