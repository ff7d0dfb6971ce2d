import StoreKit

#if canImport(StoreFoundationAdditions)
    import StoreFoundationAdditions
#endif

func oldPriceFormatter(for product: SKProduct) -> NumberFormatter {
    let formatter = NumberFormatter()
    formatter.formatterBehavior = .behavior10_4
    formatter.numberStyle = .currency
    formatter.locale = product.priceLocale
    return formatter
}

func keepOutOfBackups(_ folder: URL) throws {
    var folder = folder
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try folder.setResourceValues(values)
}

/// A loop of the app's own, as games have one.
private final class GameLoop: @unchecked Sendable {
    // Sendable: the lock guards the jobs.
    private let lock = NSLock()
    private var jobs: [@Sendable () -> Void] = []

    func runOnNextFrame(_ job: @escaping @Sendable () -> Void) {
        lock.withLock { jobs.append(job) }
    }
}

private func prepare(_ gameLoop: GameLoop) {
    #if os(Linux)
        OpenStore.useCallbackExecutor(
            OpenStoreCallbackExecutor { job in gameLoop.runOnNextFrame(job) })
    #endif
}

class ShopObserver: NSObject, SKPaymentTransactionObserver {
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {}

    // Here, so that subclasses can override it on Linux too.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}
}

final class LoudObserver: ShopObserver {
    override func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        print("Everything is back.")
    }
}
